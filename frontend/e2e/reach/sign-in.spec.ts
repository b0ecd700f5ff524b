// Sign-in by OpenID Connect in front of a real server with its demo sign-in (`upstream-sign-in = demo`); of 3.17.6:
// ../oidc-upstream.spec.ts.

import { test } from '@playwright/test';
import { EnvironmentFlags } from '../support/environmentFlags';
import { expectPersonInHistory, NAME, SETTINGS, signInDirectly } from '../support/personAtUpstream';
import { startSite } from '../support/provider';
import { startRealServer } from '../support/realServer';
import { ENVIRONMENT, NEWEST_VERSION } from '../support/versions';

test(
  'the history of the flag service names the person who signed in at a provider',
  { tag: '@smoke' },
  async ({ page, playwright }, testInfo) => {
    // Starts a server with another sign-in.
    test.setTimeout(120_000);
    const server = await startRealServer(NEWEST_VERSION, 'demo');
    const { url, clientToken = '' } = server;
    const settings = ['--upstream', url, '--upstream-environment', ENVIRONMENT, ...SETTINGS];
    const site = await startSite(testInfo, ...settings);
    const request = await playwright.request.newContext();
    await signInDirectly(request, `${url}/auth/demo/login`);
    await new EnvironmentFlags(request, `${url}/`, clientToken).create({ name: NAME, enabled: false });
    await expectPersonInHistory(page, site, request, `${url}/api/admin/search/events`);
    await request.dispose();
    await site.stop();
    await server.stop();
  },
);
