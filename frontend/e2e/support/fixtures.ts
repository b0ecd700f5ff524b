// Fixtures of the browser tests: a Flagdeck binary for each test, its flag service, and a signed-in page.

import { mkdir } from 'node:fs/promises';
import process from 'node:process';
import { test as base, expect, type TestInfo } from '@playwright/test';
import { type Binary, startBinary } from './binary';
import { EnvironmentFlags } from './environmentFlags';
import { Flags } from './flags';
import { NumberedFlags } from './numberedFlags';
import {
  type AccountName,
  type Database,
  type RealServer,
  SESSION_COOKIE,
  startDatabase,
  startRealServer,
} from './realServer';
import { slowDown } from './slowdown';
import { StubUpstream } from './stubUpstream';
import { Ui } from './ui';
import { ENVIRONMENT, hasEnvironments, hasPasswords, REFERENCE_VERSION, type Version } from './versions';

export { expect };

export const EMAIL = 'operator@example.com';

export interface BackendOption {
  /** The flag service: the embedded one, or a real server that the binary forwards to. */
  backend: 'embedded' | 'upstream';
  /** Version of the real server. */
  version: Version;
}

interface WorkerFixtures extends BackendOption {
  /** True if any email address signs in at the real server. */
  hasDemoSignIn: boolean;
  realServer: RealServer | undefined;
  /** The database of the embedded flag service with `FLAGDECK_TEST_ENGINE=postgres`, otherwise SQLite is used. */
  database: Database | undefined;
}

interface TestFixtures {
  /** False for tests that sign in themselves. */
  signedIn: boolean;
  /** True for tests that need the data after a restart. */
  durable: boolean;
  /** Base path of the console. */
  basePath: string;
  /** Authentication mode of the embedded service. */
  auth: 'none' | 'unsecure' | 'password';
  /** Further command line arguments. */
  settings: string[];
  /** Environment that the binary is limited to, on servers with environments; none if empty. */
  environment: string;
  /** The user of `signedIn` on servers with passwords. */
  account: AccountName;
  /** Other origins that the page may request in this test. */
  foreignOrigins: string[];
  /** The binary under test, with an empty flag service. */
  flagdeck: Binary;
  /** Reads and changes the data of the flag service. */
  flags: Flags;
  /** Locators of the page. */
  ui: Ui;
  /** Completes the sign-in dialog of the real server for the user with this email address. */
  signIn: (email: string) => Promise<void>;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  backend: ['embedded', { scope: 'worker', option: true }],
  version: [REFERENCE_VERSION, { scope: 'worker', option: true }],
  hasDemoSignIn: [false, { scope: 'worker', option: true }],
  signedIn: [true, { option: true }],
  durable: [false, { option: true }],
  basePath: ['/', { option: true }],
  auth: ['none', { option: true }],
  settings: [[], { option: true }],
  environment: [ENVIRONMENT, { option: true }],
  account: ['operator', { option: true }],
  foreignOrigins: [[], { option: true }],

  realServer: [
    async ({ backend, version, hasDemoSignIn }, use) => {
      const options = hasDemoSignIn ? (['demo'] as const) : [];
      const server = backend === 'upstream' ? await startRealServer(version, ...options) : undefined;
      await use(server);
      await server?.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  database: [
    async ({ backend }, use) => {
      const isUsed = backend === 'embedded' && process.env['FLAGDECK_TEST_ENGINE'] === 'postgres';
      const database = isUsed ? await startDatabase() : undefined;
      await use(database);
      await database?.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  flagdeck: async (
    { realServer, database, version, durable, basePath, auth, settings, environment, account },
    use,
    testInfo,
  ) => {
    await realServer?.reset();
    const service = realServer
      ? forwardTo(realServer, environment)
      : [...(await prepareData(database, durable, testInfo)), '--auth', auth];
    const binary = await startBinary('--base-path', basePath, ...service, ...settings);
    // The first page of a newer server waits two seconds for its detection, which takes longer on a busy machine. The second user
    // detects what only this user can see.
    if (realServer && hasEnvironments(version)) {
      for (const name of new Set<AccountName>(['admin', account]))
        await fetch(`${binary.url}api/admin/user`, { headers: await sessionHeaders(realServer, name) });
    }
    await use(binary);
    await binary.stop();
  },

  baseURL: async ({ flagdeck }, use) => use(flagdeck.url),

  context: async ({ context, flagdeck, realServer, signedIn, account }, use) => {
    if (realServer?.accounts && signedIn) {
      const value = await realServer.session(account);
      await context.addCookies([{ name: SESSION_COOKIE, value, url: flagdeck.url }]);
    } else if (realServer && signedIn) {
      const response = await context.request.post(`${flagdeck.url}api/admin/login`, { data: { email: EMAIL } });
      expect(response.status(), 'signing in to the real server').toBe(200);
    }
    await use(context);
  },

  // Every test also checks that the page sends no requests to other origins, except `foreignOrigins`, and that it has no
  // uncaught errors.
  page: async ({ page, baseURL, foreignOrigins }, use) => {
    const foreignRequests: string[] = [];
    const pageErrors: string[] = [];
    const origins = [new URL(baseURL ?? '').origin, ...foreignOrigins];
    await slowDown(page);
    page.on('request', (request) => {
      const url = new URL(request.url());
      // Navigation to another site is allowed.
      if (url.protocol.startsWith('http') && !origins.includes(url.origin) && !request.isNavigationRequest())
        foreignRequests.push(request.url());
    });
    page.on('pageerror', (error) => pageErrors.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) pageErrors.push(message.text());
    });
    await use(page);
    expect(foreignRequests, 'requests to other origins').toEqual([]);
    expect(pageErrors, 'uncaught errors in the page').toEqual([]);
  },

  ui: async ({ page }, use) => use(new Ui(page)),
  signIn: async ({ ui, realServer, version }, use) =>
    use(async (email) => {
      if (!hasPasswords(version)) return ui.signInByEmail(email);
      const account = Object.values(realServer?.accounts ?? {}).find(({ user }) => user === email);
      await ui.signInByPassword(email, account?.password ?? '');
      await expect(ui.signInDialog).toBeHidden();
    }),

  flags: async ({ context, flagdeck, realServer, version, playwright }, use) => {
    if (version === '4.2.2') return use(new NumberedFlags(context.request, flagdeck.url));
    if (!realServer || !hasEnvironments(version)) return use(new Flags(context.request, flagdeck.url));
    // Without Flagdeck, because tests of newer servers need data that the old API cannot express.
    const request = await playwright.request.newContext({
      extraHTTPHeaders: await sessionHeaders(realServer, 'operator'),
    });
    await use(new EnvironmentFlags(request, `${realServer.url}/`, realServer.clientToken ?? ''));
    await request.dispose();
  },
});

/** Returns the arguments for an empty database of the embedded flag service. */
async function prepareData(database: Database | undefined, durable: boolean, testInfo: TestInfo): Promise<string[]> {
  if (!database) return ['--data', durable ? testInfo.outputPath('flags.db') : ':memory:'];
  await database.reset();
  await mkdir(testInfo.outputPath(), { recursive: true });
  return ['--data', database.url, '--data-key', testInfo.outputPath('postgres.key')];
}

/** Returns the arguments for this real server as the flag service. */
export function forwardTo({ url, version }: RealServer, environment: string): string[] {
  const limited = hasEnvironments(version) && environment !== '';
  return ['--upstream', url, ...(limited ? ['--upstream-environment', environment] : [])];
}

export async function sessionHeaders(server: RealServer, account: AccountName): Promise<Record<string, string>> {
  return { cookie: `${SESSION_COOKIE}=${await server.session(account)}` };
}

interface StubFixtures {
  stub: StubUpstream;
}

/** Like `test`, with a stub as the flag service. Its tests have the tag `@stub`. */
export const stubTest = test.extend<StubFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright parses the pattern to find the dependencies of a fixture.
  stub: async ({}, use) => {
    const stub = await StubUpstream.start();
    await use(stub);
    await stub.stop();
  },

  flagdeck: async ({ stub, settings }, use) => {
    const binary = await startBinary('--upstream', stub.url, ...settings);
    await use(binary);
    await binary.stop();
  },
});
