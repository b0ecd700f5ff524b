// The browser API and OpenFeature against client libraries that receive results only.

import { existsSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { PYTHON, RUST } from './support/evaluationLibraries';
import { ALL_CASES, compare, evaluate, type Scenario } from './support/evaluationScenario';
import { expect } from './support/fixtures';
import { type ForeignSite, startForeignSite } from './support/foreignSite';
import {
  flatten,
  hasVariants,
  type ResultTask,
  readWithOpenFeaturePython,
  readWithOpenFeatureRust,
  readWithOpenFeatureServer,
  readWithOpenFeatureWeb,
  readWithUnleashProxyClient,
} from './support/resultLibraries';
import { type ResultService, test } from './support/resultService';

/** Contexts for libraries that send one request for each toggle. */
const FEW_CONTEXTS = ALL_CASES ? 20 : 4;

/** Limits the contexts of a task, and adds a session id to each, as browsers do. */
function prepare({ toggles, task }: Scenario, service: ResultService, count?: number): ResultTask {
  const contexts = task.contexts.slice(0, count).map((context) => ({ sessionId: '7', ...context }));
  const withVariants = toggles.filter(hasVariants).map(({ name }) => name);
  return { ...task, ...service, contexts, withVariants };
}

/** Libraries have no host name. */
function optionsOf({ definitions }: Scenario) {
  return { host: '', ...(definitions && { definitions }) };
}

test.use({ durable: true });
test.describe.configure({ timeout: ALL_CASES ? 600_000 : 120_000 });

test.describe('libraries without definitions have the results of the evaluation', {
  tag: '@ci',
}, () => {
  for (const { name, read, count, program } of [
    { name: 'Unleash for browsers', read: readWithUnleashProxyClient },
    { name: 'OpenFeature for browsers', read: readWithOpenFeatureWeb },
    { name: 'OpenFeature for Node', read: readWithOpenFeatureServer, count: FEW_CONTEXTS },
    { name: 'OpenFeature for Python', read: readWithOpenFeaturePython, count: FEW_CONTEXTS, program: PYTHON },
    { name: 'OpenFeature for Rust', read: readWithOpenFeatureRust, count: FEW_CONTEXTS, program: RUST },
  ])
    test(name, async ({ page, scenario, serve }, testInfo) => {
      testInfo.skip(program !== undefined && !existsSync(program), `the library of ${name} is not installed`);
      const task = prepare(scenario, await serve(), count);
      const expected = await evaluate(page.request, scenario.toggles, task, optionsOf(scenario));
      compare(scenario.toggles, expected, await read(task));
    });
});

/** Opens a page of another origin, and records the responses to its requests of an API. */
async function openShop(page: Page, site: ForeignSite, path: string): Promise<{ shop: Page; statuses: number[] }> {
  const shop = await page.context().newPage();
  await shop.goto(site.url);
  const statuses: number[] = [];
  shop.on('response', (response) => {
    if (new URL(response.url()).pathname === path && response.request().method() !== 'OPTIONS')
      statuses.push(response.status());
  });
  return { shop, statuses };
}

test.describe('libraries in the browser, on a page of another origin', { tag: '@ci' }, () => {
  let site: ForeignSite;

  test.beforeEach(async () => {
    site = await startForeignSite();
  });

  test.afterEach(() => site.stop());

  test('Unleash', async ({ page, scenario, serve }) => {
    const task = prepare(scenario, await serve({ origins: [site.url] }), FEW_CONTEXTS);
    const expected = await evaluate(page.request, scenario.toggles, task, optionsOf(scenario));
    const { shop, statuses } = await openShop(page, site, '/api/frontend');
    const found = await shop.evaluate(async ({ url, token, names, contexts }) => {
      const library = 'unleash-proxy-client';
      const { UnleashClient } = await import(library);
      const results: [boolean, string][][] = names.map(() => []);
      for (const context of contexts) {
        localStorage.clear();
        const settings = { appName: 'shop', disableRefresh: true, disableMetrics: true };
        const client = new UnleashClient({ ...settings, url: `${url}api/frontend`, clientKey: token, context });
        await client.start();
        names.forEach((name, index) => {
          results[index]?.push([client.isEnabled(name), client.getVariant(name).name]);
        });
      }
      return results;
    }, task);
    compare(scenario.toggles, expected, found);
    expect(statuses).toEqual(Array(FEW_CONTEXTS).fill(200));
  });

  test('OpenFeature', async ({ page, scenario, serve }) => {
    const task = prepare(scenario, await serve({ origins: [site.url] }), FEW_CONTEXTS);
    const expected = await evaluate(page.request, scenario.toggles, task, optionsOf(scenario));
    const { shop, statuses } = await openShop(page, site, '/ofrep/v1/evaluate/flags');
    const input = { ...task, contexts: task.contexts.map(flatten) };
    const found = await shop.evaluate(async ({ url, token, names, contexts, withVariants }) => {
      const [sdk, library] = ['@openfeature/web-sdk', '@openfeature/ofrep-web-provider'];
      const [{ OpenFeature }, { OFREPWebProvider }] = [await import(sdk), await import(library)];
      const headers = [['Authorization', `Bearer ${token}`]];
      const baseUrl = url.replace(/\/$/, '');
      const results: [boolean, string][][] = names.map(() => []);
      const settings = { baseUrl, headers, cacheMode: 'disabled', changeDetection: 'none' };
      const provider = new OFREPWebProvider(settings);
      await OpenFeature.setContext(contexts[0]);
      await OpenFeature.setProviderAndWait(provider);
      const client = OpenFeature.getClient();
      for (const context of contexts) {
        await OpenFeature.setContext(context);
        names.forEach((name, index) => {
          const hasVariants = withVariants.includes(name);
          const { value, errorCode } = client.getBooleanDetails(hasVariants ? `${name}:enabled` : name, false);
          const variant = hasVariants ? client.getStringValue(`${name}:variant`, 'none') : (errorCode ?? 'disabled');
          results[index]?.push([value, variant]);
        });
      }
      return results;
    }, input);
    compare(scenario.toggles, expected, found);
    expect(statuses).toHaveLength(FEW_CONTEXTS + 1);
    expect(new Set(statuses).has(200)).toBe(true);
  });

  test('OpenFeature receives a change on its event stream', { tag: '@reach' }, async ({ page, flags, serve }) => {
    await flags.create({ name: 'shop.pay', enabled: false });
    const { token, url } = await serve({ origins: [site.url] });
    const { shop, statuses } = await openShop(page, site, '/ofrep/v1/evaluate/flags');
    const start = shop.evaluate(
      async ({ url, token }) => {
        const [sdk, library] = ['@openfeature/web-sdk', '@openfeature/ofrep-web-provider'];
        const [{ OpenFeature, ProviderEvents }, { OFREPWebProvider }] = [await import(sdk), await import(library)];
        const headers = [['Authorization', `Bearer ${token}`]];
        await OpenFeature.setContext({ targetingKey: '7' });
        await OpenFeature.setProviderAndWait(new OFREPWebProvider({ baseUrl: url.replace(/\/$/, ''), headers }));
        const client = OpenFeature.getClient();
        client.addHandler(ProviderEvents.ConfigurationChanged, () => {
          document.title = `pay ${client.getBooleanValue('shop.pay', false)}`;
        });
        return client.getBooleanValue('shop.pay', true);
      },
      { url, token },
    );
    expect(await start).toBe(false);
    // The stream begins with an event, after which the provider asks whether its results are current.
    await expect.poll(() => statuses.slice(0, 2)).toEqual([200, 304]);
    for (const enabled of [true, false]) {
      await flags.update('shop.pay', { enabled });
      await expect(shop).toHaveTitle(`pay ${enabled}`);
    }
    // A server can also announce a revision without other results.
    expect(statuses.filter((status) => status !== 304)).toEqual([200, 200, 200]);
  });

  test('an unchanged result is not sent again, and another page gets none', { tag: '@reach' }, async ({
    page,
    flags,
    serve,
  }) => {
    await flags.create({ name: 'shop.pay', enabled: true });
    const { token, ...service } = await serve({ origins: [site.url] });
    const { shop, statuses } = await openShop(page, site, '/api/frontend');
    const url = `${service.url}api/frontend`;
    const poll = (poller: Page) =>
      poller.evaluate(
        async ({ url, token }) => {
          const headers = { Authorization: token };
          const first = await fetch(`${url}?sessionId=1`, { headers, cache: 'no-store' });
          const tag = first.headers.get('etag') ?? '';
          const second = await fetch(`${url}?sessionId=1`, {
            headers: { ...headers, 'If-None-Match': tag },
            cache: 'no-store',
          });
          return [first.status, second.status, (await first.json()).toggles.length];
        },
        { url, token },
      );
    expect(await poll(shop)).toEqual([200, 304, 1]);
    expect(statuses).toEqual([200, 304]);
    const other = await startForeignSite();
    const { shop: stranger } = await openShop(page, other, '/api/frontend');
    await expect(poll(stranger)).rejects.toThrow('Failed to fetch');
    await other.stop();
  });
});

test.describe('tokens with limits', { tag: '@ci' }, () => {
  for (const [limit, scope, visible] of [
    ['tags', { tags: ['simple:shop', 'simple:none'] }, ['shop.pay']],
    ['projects', { projects: ['default'] }, ['shop.pay', 'till.open']],
    ['unknown projects', { projects: ['other'] }, []],
  ] as const)
    test(`get only the toggles of their ${limit} @upstream @tag-filter`, async ({ flags, serve }) => {
      await flags.create({ name: 'shop.pay' }, { name: 'till.open' });
      await flags.post('admin/features/shop.pay/tags', { type: 'simple', value: 'shop' });
      const { projects = [], tags = [] }: { projects?: readonly string[]; tags?: readonly string[] } = scope;
      const { url, token } = await serve({ projects: [...projects], tags: [...tags] });
      const headers = { authorization: token, 'content-type': 'application/json' };
      const frontend = await (await fetch(`${url}api/frontend`, { headers })).json();
      expect(namesOf(frontend.toggles)).toEqual(visible);
      const flagsUrl = `${url}ofrep/v1/evaluate/flags`;
      const all = await (await fetch(flagsUrl, { method: 'POST', headers, body: '{}' })).json();
      expect(all.flags.map(({ key }: { key: string }) => key).sort()).toEqual(visible);
    });
});

function namesOf(toggles: readonly { name: string }[]): string[] {
  return toggles.map(({ name }) => name).sort();
}
