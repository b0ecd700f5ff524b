// Sign-in by OpenID Connect in front of a real 3.17.6 (`upstream-sign-in = demo`); of 8.2.0: reach/sign-in.spec.ts.

import { test as base } from './support/fixtures';
import { Flags } from './support/flags';
import { expectPersonInHistory, NAME, SETTINGS, signInDirectly } from './support/personAtUpstream';
import { type Site, startSite } from './support/provider';

const test = base.extend<{ site: Site }>({
  site: async ({ realServer }, use, testInfo) => {
    await realServer?.reset();
    const site = await startSite(testInfo, '--upstream', realServer?.url ?? '', ...SETTINGS);
    await use(site);
    await site.stop();
  },
  flagdeck: async ({ site }, use) => use(site.flagdeck),
  // The page of the provider loads fonts of another site.
  page: async ({ context }, use) => use(await context.newPage()),
});

test.use({ signedIn: false });

test('the history of the flag service names the person who signed in at a provider', { tag: '@upstream' }, async ({
  page,
  site,
  realServer,
  playwright,
}) => {
  test.slow();
  const { url = '' } = realServer ?? {};
  const request = await playwright.request.newContext();
  await signInDirectly(request, `${url}/api/admin/login`);
  await new Flags(request, `${url}/`).create({ name: NAME, enabled: false });
  await expectPersonInHistory(page, site, request, `${url}/api/admin/events`);
  await request.dispose();
});
