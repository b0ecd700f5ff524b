// Permissions in front of a real server (`upstream-sign-in = demo`) whose API can do more than the path of a request says, and
// lists users. Without a page.

import { gzipSync } from 'node:zlib';
import type { APIRequestContext } from '@playwright/test';
import { test as base, expect, forwardTo } from './support/fixtures';
import { type Site, startSite } from './support/provider';
import type { RealServer } from './support/realServer';

const NAME = 'shop.basket';
const OTHER_NAME = 'shop.search';
const PASSWORD = 'correct horse';
const GRANTS = ['--oidc-allow', 'staff', '--oidc-grant', 'staff=UPDATE_FEATURE'];
const JSON_TYPE = 'application/json';

interface Change {
  method: 'PUT' | 'PATCH' | 'POST';
  path: string;
  body: unknown;
  permission: string;
}

const test = base.extend<{ site: Site; direct: APIRequestContext; person: APIRequestContext }>({
  signedIn: false,
  site: async ({ realServer, environment }, use, testInfo) => {
    const upstream = forwardTo(required(realServer), environment);
    const site = await startSite(testInfo, ...upstream, '--upstream-sign-in', 'demo', ...GRANTS);
    await use(site);
    await site.stop();
  },
  flagdeck: async ({ site }, use) => use(site.flagdeck),
  // Signed in at the flag service itself.
  direct: async ({ realServer, playwright }, use) => {
    const { url, version } = required(realServer);
    const request = await playwright.request.newContext({ baseURL: `${url}/api/admin/` });
    const path = isOld(version) ? 'api/admin/login' : 'auth/demo/login';
    const signedIn = await request.post(`${url}/${path}`, { data: { email: 'setup@example.com' } });
    expect(signedIn.status()).toBe(200);
    await use(request);
    await request.dispose();
  },
  // A user of Flagdeck who may update toggles, and not archive them.
  person: async ({ site: { flagdeck }, playwright }, use) => {
    const user = ['user', 'add', 'anna', '--email', 'anna@example.com', '--permission', 'UPDATE_FEATURE'];
    await flagdeck.command(user, `${PASSWORD}\n`);
    const request = await playwright.request.newContext({ baseURL: `${flagdeck.url}api/admin/` });
    const data = { username: 'anna', password: PASSWORD };
    const signedIn = await request.post(`${flagdeck.url}auth/simple/login`, { data });
    expect(signedIn.status()).toBe(200);
    await use(request);
    await request.dispose();
  },
});

function required(server: RealServer | undefined): RealServer {
  if (!server) throw new Error('These tests need a real server');
  return server;
}

function isOld(version: string): boolean {
  return version.startsWith('3.');
}

/** Returns changes whose paths UPDATE_FEATURE allows, and whose bodies do more. */
function changes(version: string): Change[] {
  const old = { name: NAME, enabled: false, strategies: [{ name: 'default' }] };
  const archivedOld: Change = {
    method: 'PUT',
    path: `features/${NAME}`,
    body: { ...old, archived: true },
    permission: 'DELETE_FEATURE',
  };
  const inherited = `{"name":"${NAME}","enabled":false,"strategies":[{"name":"default"}],"__proto__":{"archived":true}}`;
  if (isOld(version)) return [archivedOld, { ...archivedOld, body: inherited, permission: 'ADMIN' }];
  const path = `projects/default/features/${NAME}`;
  const put = (body: unknown, permission = 'DELETE_FEATURE'): Change => ({ method: 'PUT', path, body, permission });
  const patch = (body: unknown, permission = 'DELETE_FEATURE'): Change => ({ method: 'PATCH', path, body, permission });
  return [
    archivedOld,
    put({ name: NAME, archived: true }),
    put({ name: NAME, archived: 'true' }),
    put(`{"name":"${NAME}","archived":false,"archived":true}`),
    put({ name: OTHER_NAME, archived: true }, 'ADMIN'),
    patch([{ op: 'replace', path: '/archived', value: true }]),
    patch([{ op: 'add', path: 'x/archived', value: true }]),
    patch([
      { op: 'add', path: '/stale', value: true },
      { op: 'copy', from: '/stale', path: '/archived' },
    ]),
    patch([{ op: 'replace', path: '', value: { name: NAME, archived: true } }], 'ADMIN'),
    patch({ length: 1, 0: { op: 'add', path: '/archived', value: true } }, 'ADMIN'),
  ];
}

test.use({ hasDemoSignIn: true });

test.describe('a user with UPDATE_FEATURE in front of a real server', { tag: '@upstream' }, () => {
  test.beforeEach(async ({ realServer, direct }) => {
    const server = required(realServer);
    await server.reset();
    const isV3 = isOld(server.version);
    for (const name of [NAME, OTHER_NAME]) {
      const data = { name, ...(isV3 && { enabled: false, strategies: [{ name: 'default' }] }) };
      const created = await direct.post(isV3 ? 'features' : 'projects/default/features', { data });
      expect(created.status(), await created.text()).toBe(201);
    }
  });

  test('archives no toggle by the body of a change', async ({ realServer, direct, person }) => {
    const { version } = required(realServer);
    const toggle = (name: string) => (isOld(version) ? `features/${name}` : `projects/default/features/${name}`);
    const expectUnchanged = async (about: string) => {
      for (const name of [NAME, OTHER_NAME]) {
        const response = await direct.get(toggle(name));
        expect(response.status(), `${name} after ${about}`).toBe(200);
      }
    };
    await expectUnchanged('the start');
    for (const { method, path, body, permission } of changes(version)) {
      const data = typeof body === 'string' ? body : JSON.stringify(body);
      const refused = await person.fetch(path, { method, data, headers: { 'content-type': JSON_TYPE } });
      expect(refused.status(), `${method} ${data}`).toBe(403);
      expect(await refused.json(), data).toMatchObject({ code: 'forbidden', permission });
      await expectUnchanged(`${method} ${data}`);
    }
    // Bodies that only the server would decode.
    const archived = JSON.stringify({ name: NAME, archived: true });
    const method = 'PUT';
    for (const [headers, data] of [
      [{ 'content-type': JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync(archived)],
      [{ 'content-type': `${JSON_TYPE}; charset=utf-7` }, archived.replace('archived', '+AGEAcgBjAGgAaQB2AGUAZA-')],
    ] as const) {
      const refused = await person.fetch(toggle(NAME), { method, data: Buffer.from(data), headers });
      expect(refused.status()).toBe(403);
      await expectUnchanged(JSON.stringify(headers));
    }
    // Changes that the permission covers.
    const stale = { name: NAME, enabled: false, strategies: [{ name: 'default' }], stale: true };
    const changed = await person.put(toggle(NAME), { data: stale });
    expect(changed.status(), await changed.text()).toBe(200);
    expect(await (await direct.get(toggle(NAME))).json()).toMatchObject({ stale: true });
  });

  test('reads no lists of users and no sessions', async ({ person }) => {
    for (const path of [
      'personal-dashboard',
      'personal-dashboard/default',
      'event-creators',
      'flag-creators',
      'projects/default/flag-creators',
      'user-admin/access',
    ]) {
      const refused = await person.get(path);
      expect(refused.status(), path).toBe(403);
      expect(await refused.json(), path).toMatchObject({ permission: 'ADMIN' });
    }
    expect((await person.get('user/my-sessions')).status()).toBe(404);
  });
});
