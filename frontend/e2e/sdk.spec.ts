// Real client SDKs against the embedded flag service, and the data that the console shows about them.

import { mkdir } from 'node:fs/promises';
import type { APIRequestContext } from '@playwright/test';
import { test as base, expect } from './support/fixtures';
import { Application, MAJORS, STREAMING } from './support/sdk';
import { SLOWDOWN } from './support/slowdown';
import { freePort } from './upstream/freePort.mjs';

/** Starts an application, which reads the toggles that exist at that time. */
const test = base.extend<{ start: (major: number, settings?: object) => Promise<Application> }>({
  start: async ({ flagdeck }, use, testInfo) => {
    const running: Application[] = [];
    const folder = testInfo.outputPath();
    await mkdir(folder, { recursive: true });
    await use(async (major, settings) => {
      const application = await Application.start(major, flagdeck.url, folder, 'shop', {}, settings);
      running.push(application);
      return application;
    });
    for (const application of running) {
      application.unleash.destroy();
      expect(application.errors, 'errors of the client SDK').toEqual([]);
    }
  },
});

async function read(request: APIRequestContext, path: string) {
  const response = await request.get(`api/admin/${path}`);
  expect(response.status(), path).toBe(200);
  return response.json();
}

/** Timeout for values that the console polls every five seconds. */
const POLLED = { timeout: 15_000 * SLOWDOWN };

const onForEveryone = { name: 'default', parameters: {} };

for (const major of MAJORS) {
  const tag = major === 6 ? ['@embedded'] : ['@embedded', '@ci'];
  test.describe(`a Node application with the client SDK ${major}.x`, { tag }, () => {
    test('evaluates strategies, constraints and variants', async ({ flags, start }) => {
      const create = (name: string, strategy: object, more: object = {}) =>
        flags.post('admin/features', { name, enabled: true, strategies: [strategy], ...more });
      const onlyIn = (environment: string) => ({
        ...onForEveryone,
        constraints: [{ contextName: 'environment', operator: 'IN', values: [environment] }],
      });
      const variant = (name: string, more: object = {}) => ({
        name,
        weight: 500,
        weightType: 'variable',
        stickiness: 'userId',
        payload: { type: 'string', value: `paint it ${name}` },
        ...more,
      });
      await create('all', onForEveryone);
      await create('off', onForEveryone, { enabled: false });
      await create('some', { name: 'userWithId', parameters: { userIds: 'anna,bo' } });
      await create('half', {
        name: 'flexibleRollout',
        parameters: { rollout: '50', stickiness: 'userId', groupId: 'shop' },
      });
      await create('here', onlyIn('test'));
      await create('elsewhere', onlyIn('production'));
      const overrides = [{ contextName: 'userId', values: ['anna'] }];
      await create('colours', onForEveryone, { variants: [variant('green', { overrides }), variant('blue')] });

      const application = await start(major);
      const { unleash } = application;
      const enabled = (name: string, userId = 'carla') => unleash.isEnabled(name, { userId, environment: 'test' });
      expect([enabled('all'), enabled('off'), enabled('missing')]).toEqual([true, false, false]);
      expect([enabled('some', 'anna'), enabled('some', 'bo'), enabled('some')]).toEqual([true, true, false]);
      expect([enabled('here'), enabled('elsewhere')]).toEqual([true, false]);
      expect(application.share('half')).toBeGreaterThan(0.4);
      expect(application.share('half')).toBeLessThan(0.6);
      expect(application.share('half'), 'a user keeps the result').toBe(application.share('half'));
      expect(unleash.getVariant('colours', { userId: 'anna' })).toMatchObject({
        name: 'green',
        payload: { type: 'string', value: 'paint it green' },
      });
      const names = ['bo', 'carla', 'dan', 'eve', 'finn', 'gus', 'hal', 'ida', 'jo', 'kim', 'lea', 'mo'].map(
        (userId) => unleash.getVariant('colours', { userId }).name,
      );
      expect(new Set(names)).toEqual(new Set(['green', 'blue']));
    });

    test('registers, reports metrics, and follows a switch in the console', async ({ page, ui, flags, start }) => {
      await flags.post('admin/features', { name: 'checkout.express', enabled: true, strategies: [onForEveryone] });
      const application = await start(major);
      expect(application.share('checkout.express')).toBe(1);
      await application.report();
      await page.goto('features');
      await expect(ui.ringOf('checkout.express')).toHaveAccessibleName(/100\s?%/, POLLED);

      const noticed = application.changed();
      await ui.switchOf('checkout.express').click();
      await noticed;
      expect(application.share('checkout.express')).toBe(0);
      await application.report();
      // Equal numbers of yes and no in the last minute.
      await expect(ui.ringOf('checkout.express')).toHaveAccessibleName(/50\s?%/, POLLED);

      const found = await read(page.request, 'metrics/applications/shop');
      expect(found.instances).toMatchObject([
        {
          instanceId: 'shop-1',
          sdkVersion: expect.stringMatching(`^unleash-[a-z-]+:${major}\\.\\d`),
          clientIp: '127.0.0.1',
        },
      ]);
      const strategies = found.strategies.map((strategy: { name: string }) => strategy.name);
      expect(strategies).toEqual(expect.arrayContaining(['default', 'userWithId', 'flexibleRollout']));
      expect(found.seenToggles).toMatchObject([{ name: 'checkout.express', enabled: false }]);
    });
  });
}

test.describe('a Node application with an event stream @embedded', () => {
  test('follows changes without polling', { tag: '@ci' }, async ({ flags, start }) => {
    await flags.create({ name: 'shop.pay', enabled: false }, { name: 'shop.old' });
    const application = await start(6, STREAMING);
    const { unleash } = application;
    expect([unleash.isEnabled('shop.pay'), unleash.isEnabled('shop.old')]).toEqual([false, true]);
    for (const enabled of [true, false]) {
      const noticed = application.changed();
      await flags.update('shop.pay', { enabled });
      await noticed;
      expect(unleash.isEnabled('shop.pay')).toBe(enabled);
    }
    const noticed = application.changed();
    await flags.archive('shop.old');
    await noticed;
    expect(unleash.isEnabled('shop.old')).toBe(false);
  });

  test('is shown with the API that each instance uses', async ({ page, ui, flags, start }) => {
    await flags.create({ name: 'shop.pay' });
    const streaming = await start(6, STREAMING);
    expect(streaming.share('shop.pay')).toBe(1);
    await streaming.report();
    await start(6, { instanceId: 'shop-2' });
    await page.goto('applications/shop');
    await expect(ui.main).toContainText('Server SDK, Server SDK (streaming)');
    await expect(ui.row('shop-1')).toContainText('Server SDK (streaming)');
    await expect(ui.row('shop-2')).not.toContainText('streaming');
  });
});

test.describe('impact metrics', { tag: '@embedded' }, () => {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
  test.use({ settings: async ({}, use) => use(['--admin-listen', `127.0.0.1:${await freePort()}`]) });

  test('of the newest client SDK are counted for Prometheus', { tag: '@ci' }, async ({ flags, start, settings }) => {
    const rollout = { rollout: '100', stickiness: 'userId', groupId: 'shop.pay' };
    await flags.post('admin/features', {
      name: 'shop.pay',
      enabled: true,
      strategies: [{ name: 'userWithId', parameters: { userIds: 'ada' } }],
    });
    await flags.post('admin/features', {
      name: 'shop.colour',
      enabled: true,
      strategies: [{ name: 'flexibleRollout', parameters: rollout }],
      variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
    });
    const application = await start(6);
    const metrics = application.unleash.impactMetrics;
    metrics?.defineCounter('purchases', 'Completed purchases');
    metrics?.defineGauge('queue_length', 'Orders that wait');
    metrics?.defineHistogram('checkout_seconds', 'Time of a checkout', [0.5, 1]);
    const of = (userId: string) => ({ flagNames: ['shop.pay', 'shop.colour'], context: { userId } });
    for (const userId of ['ada', 'ada', 'bo']) metrics?.incrementCounter('purchases', 1, of(userId));
    for (const seconds of [0.2, 0.6]) metrics?.observeHistogram('checkout_seconds', seconds, of('ada'));
    metrics?.updateGauge('queue_length', 7.5);
    await application.report();
    metrics?.incrementCounter('purchases', 3, of('bo'));
    await application.report();

    const scraped = await (await fetch(`http://${settings.at(-1)}/metrics`)).text();
    /** Value of the series of a metric with these results of the toggles. */
    const value = (family: string, ...labels: string[]) => {
      const line = scraped
        .split('\n')
        .find((one) => one.startsWith(`flagdeck_impact_${family}{`) && labels.every((label) => one.includes(label)));
      return Number(line?.split(' ').at(-1));
    };
    const blue = 'label_shop_colour="blue"';
    expect(value('counter_total', 'metric="purchases"', 'label_shop_pay="enabled"', blue)).toBe(2);
    expect(value('counter_total', 'metric="purchases"', 'label_shop_pay="disabled"', blue)).toBe(4);
    expect(value('gauge', 'metric="queue_length"')).toBe(7.5);
    const seconds = ['metric="checkout_seconds"', 'label_shop_pay="enabled"', blue];
    expect(value('histogram_count', ...seconds)).toBe(2);
    expect(value('histogram_sum', ...seconds)).toBeCloseTo(0.8);
    expect(value('histogram_bucket', 'le="0.5"', ...seconds)).toBe(1);
  });
});
