// Sign-in by OpenID Connect in front of a real server with its demo sign-in (`upstream-sign-in`); of 3.17.6:
// ../oidc-upstream.spec.ts.

import { type APIRequestContext, test as base } from '@playwright/test';
import { EnvironmentFlags } from '../support/environmentFlags';
import {
  expectPersonInHistory,
  expectPersonsInConsole,
  expectRevocation,
  NAME,
  OTHER_NAME,
  SETTINGS,
  sharedSettings,
  signInDirectly,
} from '../support/personAtUpstream';
import { startSite } from '../support/provider';
import { type RealServer, startRealServer } from '../support/realServer';
import { ENVIRONMENT, NEWEST_VERSION, type Version } from '../support/versions';

interface WorkerFixtures {
  version: Version;
  demoServer: RealServer;
}

/** `direct` is signed in at the server itself. */
const test = base.extend<{ direct: APIRequestContext; signInUrl: string }, WorkerFixtures>({
  version: [NEWEST_VERSION, { scope: 'worker', option: true }],
  demoServer: [
    async ({ version }, use) => {
      const server = await startRealServer(version, 'demo');
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  signInUrl: async ({ demoServer }, use) => use(`${demoServer.url}/auth/demo/login`),
  direct: async ({ demoServer, signInUrl, playwright }, use) => {
    await demoServer.reset();
    const request = await playwright.request.newContext();
    await signInDirectly(request, signInUrl);
    const { url, clientToken = '' } = demoServer;
    const toggles = [NAME, OTHER_NAME].map((name) => ({ name, enabled: false }));
    await new EnvironmentFlags(request, `${url}/`, clientToken).create(...toggles);
    await use(request);
    await request.dispose();
  },
});

const upstream = (url: string) => ['--upstream', url, '--upstream-environment', ENVIRONMENT];

test(
  'the history of the flag service names the person who signed in, and administrators revoke sessions',
  {
    tag: '@smoke',
  },
  async ({ page, demoServer: { url }, direct }, testInfo) => {
    test.slow();
    const site = await startSite(testInfo, ...upstream(url), ...SETTINGS);
    await expectPersonInHistory(page, site, direct, url);
    await expectRevocation(page, site);
    await site.stop();
  },
);

test(
  'the history of the console names the persons who share an account',
  {
    tag: '@smoke',
  },
  async ({ page, demoServer: { url }, direct, signInUrl, playwright }, testInfo) => {
    test.slow();
    const shared = await playwright.request.newContext();
    const settings = await sharedSettings(shared, signInUrl, testInfo);
    const site = await startSite(testInfo, ...upstream(url), ...settings);
    await expectPersonsInConsole(page, site, direct, url);
    await site.stop();
    await shared.dispose();
  },
);
