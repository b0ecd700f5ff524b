// Holds against real client libraries: all of them get a held toggle as off until its release.

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { APIRequestContext, Page } from '@playwright/test';
import { evaluateWithPython, PYTHON } from './support/evaluationLibraries';
import { ALL_CASES } from './support/evaluationScenario';
import { expect } from './support/fixtures';
import { startForeignSite } from './support/foreignSite';
import { openFeatureOfServer } from './support/resultLibraries';
import { type ResultService, test as base } from './support/resultService';
import { Application, MAJORS, STREAMING } from './support/sdk';
import { SLOWDOWN } from './support/slowdown';

/** Evaluates `shop.pay` with a client library. */
type IsOn = () => boolean | Promise<boolean>;

const FOLLOWED = { timeout: 20_000 * SLOWDOWN };

/** Libraries by name, which have read the toggles. */
const test = base.extend<{ start: () => Promise<{ service: ResultService; libraries: Record<string, IsOn> }> }>({
  start: async ({ page, realServer, serve }, use, testInfo) => {
    await mkdir(testInfo.outputPath(), { recursive: true });
    const site = await startForeignSite();
    const running: Application[] = [];
    await use(async () => {
      const service = await serve({ origins: [site.url] });
      const token = realServer?.clientToken;
      const libraries: Record<string, IsOn> = {};
      for (const [name, major, settings] of [
        ...MAJORS.map((major) => [`Node ${major}`, major, {}] as const),
        ['Node 6 with an event stream', 6, STREAMING] as const,
      ]) {
        const folder = testInfo.outputPath(name);
        await mkdir(folder);
        const headers = token === undefined ? {} : { authorization: token };
        const application = await Application.start(major, service.url, folder, 'shop', headers, settings);
        running.push(application);
        libraries[name] = () => application.unleash.isEnabled('shop.pay', { userId: '7' });
      }
      const shop = await page.context().newPage();
      await shop.goto(site.url);
      libraries['Unleash for browsers'] = await startUnleash(shop, service);
      libraries['OpenFeature for browsers'] = await startOpenFeature(shop, service);
      const client = await openFeatureOfServer(service);
      libraries['OpenFeature for Node'] = () => client.getBooleanValue('shop.pay', false, { targetingKey: '7' });
      if (ALL_CASES && existsSync(PYTHON)) {
        // Each evaluation starts an application, which has the copy and the entity tag of the one before.
        const cache = testInfo.outputPath('python');
        await mkdir(cache);
        const contexts = [{ userId: '7' }];
        const task = { url: service.url, names: ['shop.pay'], contexts, cache, ...(token && { token }) };
        libraries['Python'] = async () => (await evaluateWithPython(task))[0]?.[0]?.[0] ?? false;
      }
      return { service, libraries };
    });
    for (const { unleash, errors } of running) {
      unleash.destroy();
      expect(errors, 'errors of the client SDK').toEqual([]);
    }
    await site.stop();
  },
});

/** Starts the Unleash library on a page. It polls each second. */
async function startUnleash(shop: Page, { url, token }: ResultService): Promise<IsOn> {
  const client = await shop.evaluateHandle(
    async ({ url, token }) => {
      const library = 'unleash-proxy-client';
      const { UnleashClient } = await import(library);
      const context = { userId: '7' };
      const settings = { appName: 'shop', refreshInterval: 1, disableMetrics: true, context };
      const client = new UnleashClient({ ...settings, url: `${url}api/frontend`, clientKey: token });
      await client.start();
      return client;
    },
    { url, token },
  );
  return () => client.evaluate((client) => client.isEnabled('shop.pay'));
}

/** Starts the OpenFeature provider on a page. It follows the event stream. */
async function startOpenFeature(shop: Page, { url, token }: ResultService): Promise<IsOn> {
  const client = await shop.evaluateHandle(
    async ({ url, token }) => {
      const [sdk, library] = ['@openfeature/web-sdk', '@openfeature/ofrep-web-provider'];
      const [{ OpenFeature }, { OFREPWebProvider }] = [await import(sdk), await import(library)];
      const headers = [['Authorization', `Bearer ${token}`]];
      await OpenFeature.setContext({ targetingKey: '7' });
      await OpenFeature.setProviderAndWait(new OFREPWebProvider({ baseUrl: url.replace(/\/$/, ''), headers }));
      return OpenFeature.getClient();
    },
    { url, token },
  );
  return () => client.evaluate((client) => client.getBooleanValue('shop.pay', false));
}

/** Sends a request for a hold as the user of the page. */
async function send(request: APIRequestContext, method: 'POST' | 'DELETE', url: string, data?: object): Promise<void> {
  const response = await request.fetch(url, { method, ...(data && { data }) });
  expect(response.ok(), `${method} ${url}: ${await response.text()}`).toBe(true);
}

test.describe.configure({ timeout: ALL_CASES ? 120_000 : 60_000 });

test('all client libraries get a held toggle as off until its release', {
  // `make sdk` includes the real servers.
  tag: ALL_CASES ? '@ci' : ['@embedded', '@ci'],
}, async ({ page, flags, start }) => {
  await flags.create({ name: 'shop.pay' });
  const { service, libraries } = await start();
  const expectAll = async (isOn: boolean) => {
    const names = Object.keys(libraries);
    const results = async () =>
      Object.fromEntries(await Promise.all(names.map(async (name) => [name, await libraries[name]?.()])));
    await expect.poll(results, FOLLOWED).toEqual(Object.fromEntries(names.map((name) => [name, isOn])));
  };
  await expectAll(true);
  const holds = `${service.url}-/holds`;
  await send(page.request, 'POST', holds, { toggle: 'shop.pay', reason: 'INC-42' });
  await expectAll(false);
  await send(page.request, 'DELETE', `${holds}/shop.pay`);
  await expectAll(true);
});
