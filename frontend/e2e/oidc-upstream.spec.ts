// Sign-in by OpenID Connect in front of a real 3.17.6 (`upstream-sign-in`); of newer versions: reach/sign-in.spec.ts.

import { test as base } from './support/fixtures';
import { Flags } from './support/flags';
import {
  expectPersonInHistory,
  expectPersonsInConsole,
  expectRevocation,
  NAME,
  OTHER_NAME,
  SETTINGS,
  sharedSettings,
  signInDirectly,
} from './support/personAtUpstream';
import { type Site, startSite } from './support/provider';

const test = base.extend<{ signInUrl: string; isShared: boolean; site: Site }>({
  isShared: [false, { option: true }],
  signInUrl: async ({ realServer }, use) => use(`${realServer?.url}/api/admin/login`),
  site: async ({ realServer, isShared, signInUrl, playwright }, use, testInfo) => {
    await realServer?.reset();
    const shared = await playwright.request.newContext();
    const settings = isShared ? await sharedSettings(shared, signInUrl, testInfo) : SETTINGS;
    const site = await startSite(testInfo, '--upstream', realServer?.url ?? '', ...settings);
    await use(site);
    await site.stop();
    await shared.dispose();
  },
  flagdeck: async ({ site }, use) => use(site.flagdeck),
  // The page of the provider loads fonts of another site.
  page: async ({ context }, use) => use(await context.newPage()),
});

test.use({ signedIn: false });

test('the history of the flag service names the person who signed in, and administrators revoke sessions', {
  tag: ['@upstream', '@email-sign-in'],
}, async ({ page, site, signInUrl, realServer, playwright }) => {
  test.slow();
  const { url = '' } = realServer ?? {};
  const request = await playwright.request.newContext();
  await signInDirectly(request, signInUrl);
  await new Flags(request, `${url}/`).create({ name: NAME, enabled: false });
  await expectPersonInHistory(page, site, request, url);
  await expectRevocation(page, site);
  await request.dispose();
});

test.describe('with one account for all', () => {
  test.use({ isShared: true });

  test('the history of the console names the persons', { tag: '@upstream' }, async ({
    page,
    site,
    signInUrl,
    realServer,
    playwright,
  }) => {
    test.slow();
    const { url = '' } = realServer ?? {};
    const request = await playwright.request.newContext();
    await signInDirectly(request, signInUrl);
    const toggles = [NAME, OTHER_NAME].map((name) => ({ name, enabled: false }));
    await new Flags(request, `${url}/`).create(...toggles);
    await expectPersonsInConsole(page, site, request, url);
    await request.dispose();
  });
});
