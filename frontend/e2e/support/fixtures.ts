// Fixtures of the browser tests: a Flagdeck binary for each test, its flag service, and a signed-in page.

import { test as base, expect } from '@playwright/test';
import { type Binary, startBinary } from './binary';
import { Flags } from './flags';
import { type RealServer, startRealServer } from './realServer';
import { StubUpstream } from './stubUpstream';
import { Ui } from './ui';

export { expect };

export const EMAIL = 'operator@example.com';

export interface BackendOption {
  /** The flag service: the embedded one, or a real server that the binary forwards to. */
  backend: 'embedded' | 'upstream';
}

interface WorkerFixtures extends BackendOption {
  realServer: RealServer | undefined;
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
  /** Other origins that the page may request in this test. */
  foreignOrigins: string[];
  /** The binary under test, with an empty flag service. */
  flagdeck: Binary;
  /** Reads and changes the data of the flag service. */
  flags: Flags;
  /** Locators of the page. */
  ui: Ui;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  backend: ['embedded', { scope: 'worker', option: true }],
  signedIn: [true, { option: true }],
  durable: [false, { option: true }],
  basePath: ['/', { option: true }],
  auth: ['none', { option: true }],
  settings: [[], { option: true }],
  foreignOrigins: [[], { option: true }],

  realServer: [
    async ({ backend }, use) => {
      const server = backend === 'upstream' ? await startRealServer() : undefined;
      await use(server);
      await server?.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  flagdeck: async ({ realServer, durable, basePath, auth, settings }, use, testInfo) => {
    await realServer?.reset();
    const data = durable ? testInfo.outputPath('flags.db') : ':memory:';
    const service = realServer ? ['--upstream', realServer.url] : ['--data', data, '--auth', auth];
    const binary = await startBinary('--base-path', basePath, ...service, ...settings);
    await use(binary);
    await binary.stop();
  },

  baseURL: async ({ flagdeck }, use) => use(flagdeck.url),

  context: async ({ context, flagdeck, backend, signedIn }, use) => {
    if (backend === 'upstream' && signedIn) {
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
  flags: async ({ context, flagdeck }, use) => use(new Flags(context.request, flagdeck.url)),
});

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
