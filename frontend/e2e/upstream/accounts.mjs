// Users and client tokens for the tests, created through the API of the service.

import { randomInt } from 'node:crypto';

const ADMIN = { user: 'admin', password: 'unleash4all' };
const PASSWORD = 'Correct-horse-battery-1';
/** Root roles: 1 admin, 2 editor, 3 viewer. */
const USERS = {
  operator: { username: 'operator@example.com', rootRole: 1 },
  colleague: { username: 'somebody.else@example.com', rootRole: 1 },
  editor: { username: 'editor@example.com', rootRole: 2 },
  viewer: { username: 'viewer@example.com', rootRole: 3 },
  developer: { username: 'developer@example.com', rootRole: 3 },
};
/** Author of the users in the event log. */
const AUTHOR = { id: 1, username: 'admin', ip: '127.0.0.1' };
const START_TIMEOUT_MS = 20_000;

/** Creates the users, and a client token for each enabled environment. The developer is a viewer who can change development. */
export async function createAccounts(url, { userService, accessService }, database) {
  const cookie = await signInAsAdmin(url);
  const accounts = { admin: ADMIN };
  for (const [name, { username, rootRole }] of Object.entries(USERS)) {
    // Not through the API, because that of 4.2 cannot set a password.
    const user = { username, name, email: username, password: PASSWORD, rootRole };
    const { id } = await userService.createUser(user, AUTHOR);
    if (name === 'developer') await allowDevelopment(accessService, database, id);
    accounts[name] = { user: username, password: PASSWORD };
  }
  const clientTokens = {};
  for (const environment of await database('environments').where('enabled', true).pluck('name'))
    clientTokens[environment] = await createToken(url, cookie, environment);
  return { accounts, clientTokens };
}

/** Grants a user all permissions in development. Versions before 4.6 have no permissions for an environment. */
async function allowDevelopment(accessService, database, user) {
  if (!(await database.schema.hasTable('permissions'))) return;
  const permissions = await database('permissions').where('type', 'environment').select();
  const inDevelopment = permissions.map(({ id, permission: name }) => ({ id, name, environment: 'development' }));
  const role = { name: 'Developer', description: 'Can change development', permissions: inDevelopment };
  const { id } = await accessService.createRole(role, AUTHOR);
  await accessService.addUserToRole(user, id, 'default');
}

async function createToken(url, cookie, environment) {
  const token = { type: 'client', environment, projects: ['*'] };
  const name = `tests-${environment}`;
  // Versions before 5 call it `username`.
  for (const details of [{ tokenName: name }, { username: name }]) {
    const response = await send(url, '/api/admin/api-tokens', { ...token, ...details }, { cookie });
    if (response.ok) return (await response.json()).secret;
    if (response.status !== 400)
      throw new Error(`No token for ${environment}: ${response.status} ${await response.text()}`);
  }
  throw new Error(`No token for ${environment}: the service rejects the name`);
}

/** Returns the session cookie of the admin, whom the service creates shortly after its start. */
async function signInAsAdmin(url) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const response = await send(url, '/auth/simple/login', { username: ADMIN.user, password: ADMIN.password });
    const [cookie] = response.headers.getSetCookie();
    if (response.ok && cookie) return cookie.split(';')[0];
    if (Date.now() > deadline) throw new Error(`The admin could not sign in: ${response.status}`);
  }
}

/** Sends a request from a new client address, because servers limit the sign-ins of an address. */
function send(url, path, body, headers = {}) {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
    body: JSON.stringify(body),
  });
}
