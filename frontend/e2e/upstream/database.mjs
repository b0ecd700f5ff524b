// A PostgreSQL database for tests of the embedded flag service.

import pg from 'pg';

const NAME = 'flags';

/** Creates an empty database on a running PostgreSQL. `reset` replaces it by an empty one. */
export async function startDatabase({ db }) {
  async function reset() {
    const client = new pg.Client(db);
    await client.connect();
    await client.query(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${NAME}`);
    await client.end();
  }
  await reset();
  const url = `postgres://${db.user}@${db.host}:${db.port}/${NAME}?sslmode=disable`;
  return { ready: { url }, reset };
}
