// The replica between real client SDKs and a real server: the same toggles, also while the server cannot be reached.

import { mkdir } from 'node:fs/promises';
import type { HoldList } from '../src/api/generated/types';
import { startBinary } from './support/binary';
import { Crowd, Listeners } from './support/crowd';
import { type Cuttable, killable, startCuttable } from './support/cuttable';
import { ALL_CASES } from './support/evaluationScenario';
import { test as base, expect } from './support/fixtures';
import type { Flags } from './support/flags';
import { type RealServer, SESSION_COOKIE } from './support/realServer';
import { Application, CHANGES, REQUIRE, STREAMING } from './support/sdk';
import { STORED } from './support/slowdown';
import { ENVIRONMENT } from './support/versions';
import { freePort } from './upstream/freePort.mjs';

/** Polling instances of the test of an outage, and its length. SDKs poll every 15 seconds. */
const CROWD = ALL_CASES
  ? { instances: 10_000, intervalMs: 15_000, rounds: 40 }
  : { instances: 200, intervalMs: 500, rounds: 4 };

/** Event streams of the test of holds. */
const STREAMS = 200;

const REFRESH_MS = 200;

interface Replica {
  url: string;
  credential: Record<string, string>;
  restart(signal?: NodeJS.Signals): Promise<void>;
  /** The connection to the server, or with `killsServer` the server itself. */
  connection: Cuttable;
  /** Holds these toggles for SDKs, and releases all others. */
  hold(...toggles: string[]): Promise<void>;
  /** Starts an application with the newest SDK. */
  start(name: string, settings?: object): Promise<Application>;
  /** Reads the toggles as they are sent: status, body and headers. */
  read(url: string, headers?: Record<string, string>): Promise<{ status: number; body: string; headers: Headers }>;
}

const test = base.extend<{ replica: Replica; server: RealServer; killsServer: boolean }>({
  killsServer: [false, { option: true }],

  server: async ({ realServer }, use) => {
    if (!realServer) throw new Error('The test needs a real server');
    await use(realServer);
  },

  replica: async ({ server, killsServer }, use, testInfo) => {
    const folder = testInfo.outputPath();
    await mkdir(folder, { recursive: true });
    const connection = killsServer ? killable(server) : await startCuttable(Number(new URL(server.url).port));
    const port = await freePort();
    const holdsUrl = `http://127.0.0.1:${port}/holds`;
    const settings = [
      '--admin-listen',
      `${port}`,
      '--replica',
      '--replica-refresh',
      `${REFRESH_MS}ms`,
      '--data',
      testInfo.outputPath('flagdeck.db'),
    ];
    const binary = await startBinary('--upstream', connection.url, ...settings);
    const token = server.clientToken;
    const credential: Record<string, string> = token === undefined ? {} : { authorization: token };
    const running: Application[] = [];
    await use({
      url: binary.url,
      credential,
      restart: (signal) => binary.restart(signal),
      connection,
      async hold(...toggles) {
        const { holds } = (await (await fetch(holdsUrl)).json()) as HoldList;
        for (const { toggle } of holds) {
          if (!toggles.includes(toggle)) await fetch(`${holdsUrl}/${toggle}`, { method: 'DELETE' });
        }
        for (const toggle of toggles) {
          const body = JSON.stringify({ toggle, reason: 'INC-42' });
          const made = await fetch(holdsUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
          expect(made.status, await made.text()).toBe(201);
        }
      },
      async start(name, settings) {
        const cache = testInfo.outputPath(name);
        await mkdir(cache);
        const application = await Application.start(6, binary.url, cache, name, credential, settings);
        running.push(application);
        return application;
      },
      async read(url, headers = {}) {
        const response = await fetch(new URL('api/client/features', url), { headers: { ...credential, ...headers } });
        return { status: response.status, body: await response.text(), headers: response.headers };
      },
    });
    for (const application of running) application.unleash.destroy();
    await binary.stop();
    await connection.stop();
    for (const application of running) expect(application.errors, 'errors of the client SDK').toEqual([]);
  },
});

/** Returns a new token with which browsers get results from the server. */
async function createFrontendToken(server: RealServer): Promise<string> {
  const response = await fetch(`${server.url}/api/admin/api-tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `${SESSION_COOKIE}=${await server.session('admin')}` },
    body: JSON.stringify({
      type: 'frontend',
      environment: ENVIRONMENT,
      projects: ['*'],
      tokenName: `web-${Date.now()}`,
    }),
  });
  const { secret } = await response.json();
  return secret;
}

async function createToggles(flags: Flags): Promise<void> {
  await flags.create({ name: 'shop.on' }, { name: 'shop.off', enabled: false });
}

test.describe('the replica in front of a real server', { tag: '@upstream' }, () => {
  test('sends the same bytes and entity tags as the server', { tag: '@smoke' }, async ({ replica, server, flags }) => {
    await createToggles(flags);
    for (const headers of [{}, { 'unleash-client-spec': '5.2.0' }]) {
      const read = async () => ({
        direct: await replica.read(server.url, headers),
        copy: await replica.read(replica.url, headers),
      });
      // Newer servers count revisions, and can raise the number again after the toggles were created.
      await expect
        .poll(async () => {
          const { direct, copy } = await read();
          return copy.body === direct.body;
        })
        .toBe(true);
      const { direct, copy } = await read();
      expect(direct.body).toContain('shop.on');
      expect(copy.body).toBe(direct.body);
      for (const name of ['etag', 'content-type']) expect(copy.headers.get(name), name).toBe(direct.headers.get(name));
      const known = { 'if-none-match': copy.headers.get('etag') ?? '' };
      expect((await replica.read(replica.url, { ...headers, ...known })).status).toBe(304);
    }
  });

  test('an application sees changes, and works while the server cannot be reached', async ({ replica, flags }) => {
    await createToggles(flags);
    const first = await replica.start('first');
    expect(first.unleash.isEnabled('shop.on')).toBe(true);
    expect(first.unleash.isEnabled('shop.off')).toBe(false);
    const changed = first.changed();
    await flags.update('shop.off', { enabled: true });
    await changed;
    await expect.poll(() => first.unleash.isEnabled('shop.off')).toBe(true);

    // Without the version of the specification, which the SDK sends: another copy.
    await replica.read(replica.url);
    await replica.connection.cut();
    const second = await replica.start('second');
    expect(second.unleash.isEnabled('shop.off'), 'an application that starts during the outage').toBe(true);
    await expect.poll(async () => (await replica.read(replica.url)).headers.get('x-flagdeck-stale')).not.toBeNull();
    await second.report();

    // While the program restarts, it refuses connections.
    for (const { unleash } of [first, second]) unleash.destroy();
    await replica.restart();
    const { status, body, headers } = await replica.read(replica.url);
    expect({ status, stale: headers.has('x-flagdeck-stale') }).toEqual({ status: 200, stale: true });
    expect(body).toContain('shop.on');
    const third = await replica.start('third');
    expect(third.unleash.isEnabled('shop.off'), 'an application that starts after a restart').toBe(true);

    await replica.connection.restore();
    await expect.poll(async () => (await replica.read(replica.url)).headers.get('x-flagdeck-stale')).toBeNull();
  });

  test('an application with an event stream sees changes, also after an outage', { tag: '@ci' }, async ({
    replica,
    flags,
  }) => {
    await createToggles(flags);
    const application = await replica.start('streaming', STREAMING);
    expect(application.unleash.isEnabled('shop.off')).toBe(false);
    for (const enabled of [true, false]) {
      await flags.update('shop.off', { enabled });
      await expect.poll(() => application.unleash.isEnabled('shop.off')).toBe(enabled);
      if (!enabled) break;
      await replica.connection.cut();
      const copy = () => replica.read(replica.url, { 'unleash-client-spec': '5.2.0' });
      await expect.poll(async () => (await copy()).headers.get('x-flagdeck-stale')).not.toBeNull();
      await replica.connection.restore();
    }
  });

  test('a change on the server reaches an event stream within the interval and a second', {
    tag: ['@smoke', '@ci'],
  }, async ({ replica, flags }) => {
    await createToggles(flags);
    const application = await replica.start('streaming', STREAMING);
    const durations: number[] = [];
    for (const enabled of [true, false, true, false]) {
      await flags.update('shop.off', { enabled });
      const written = performance.now();
      // 4.2 stores an update in several steps, so that the first event can contain a part of it.
      await expect.poll(() => application.unleash.isEnabled('shop.off'), { intervals: [20] }).toBe(enabled);
      durations.push(performance.now() - written);
    }
    // The shortest one, because a busy machine delays some of them.
    expect(Math.min(...durations), 'milliseconds').toBeLessThan(REFRESH_MS + 1_000);
  });

  test(
    'a hold reaches a browser and an SDK that polls for changes, whose requests are forwarded',
    {
      tag: '@smoke',
    },
    async ({ replica, server, flags }, testInfo) => {
      testInfo.skip(server.version !== '8.2.0', 'only this version offers both to the tests');
      await createToggles(flags);
      const { UnleashClient } = REQUIRE('unleash-proxy-client');
      const clientKey = await createFrontendToken(server);
      const settings = { appName: 'shop-web', disableRefresh: true, disableMetrics: true };
      const browser = new UnleashClient({ url: `${replica.url}api/frontend`, clientKey, ...settings });
      await browser.start();
      const isOn = async (name: string): Promise<boolean> => {
        await browser.updateToggles();
        return browser.isEnabled(name);
      };
      await expect.poll(() => isOn('shop.on')).toBe(true);
      const { unleash } = await replica.start('changes', CHANGES);
      expect(unleash.isEnabled('shop.on')).toBe(true);
      const states = async () => [
        unleash.isEnabled('shop.on'),
        await isOn('shop.on'),
        unleash.isEnabled('shop.off'),
        await isOn('shop.off'),
      ];
      await replica.hold('shop.on');
      await expect.poll(states).toEqual([false, false, false, false]);
      await flags.update('shop.off', { enabled: true });
      await expect.poll(states, 'another toggle').toEqual([false, false, true, true]);
      await replica.connection.cut();
      await replica.hold('shop.on', 'shop.off');
      await expect.poll(() => unleash.isEnabled('shop.off'), 'a hold in an outage').toBe(false);
      await replica.connection.restore();
      await expect.poll(states).toEqual([false, false, false, false]);
      await replica.hold();
      await expect.poll(states).toEqual([true, true, true, true]);
    },
  );

  test('the server gets the reports of an outage afterwards', { tag: ['@smoke', '@ci'] }, async ({
    replica,
    server,
    flags,
  }) => {
    await createToggles(flags);
    const application = await replica.start('shop');
    const { unleash } = application;
    unleash.impactMetrics?.defineCounter('outage_purchases', 'Purchases during an outage');
    await replica.connection.cut();
    for (const purchases of [2, 3]) {
      unleash.isEnabled('shop.on');
      unleash.impactMetrics?.incrementCounter('outage_purchases', purchases, { flagNames: ['shop.on'], context: {} });
      await application.report();
    }
    await replica.connection.restore();
    const applications = async () => {
      const { applications: found } = await flags.get<{ applications: { appName: string }[] }>(
        'admin/metrics/applications',
      );
      return found.map(({ appName }) => appName);
    };
    // The server stores registrations with a delay.
    await expect.poll(applications, STORED).toContain('shop');
    // Older servers ignore impact metrics.
    if (server.version !== '8.2.0') return;
    const impact = async () => (await fetch(new URL('internal-backstage/impact/metrics', server.url))).text();
    await expect.poll(impact, STORED).toMatch(/^outage_purchases\{.*shop_on="enabled".*\} 5$/m);
  });

  test('a wrong token gets the same status as from the server', { tag: '@ci' }, async ({ replica, server }) => {
    const wrong = { authorization: '*:development.0123456789' };
    const direct = await replica.read(server.url, wrong);
    const copy = await replica.read(replica.url, wrong);
    expect(copy.status).toBe(direct.status);
    // Version 3 needs no tokens.
    expect(copy.status).toBe(server.clientToken ? 401 : 200);
  });

  // With all cases the server is killed, and not only the connection cut: its start takes too long for each run.
  test.describe('many instances', { tag: '@ci' }, () => {
    test.use({ killsServer: ALL_CASES });

    test('no poll fails while the server cannot be reached, also after a kill of the program', async ({
      replica,
      flags,
    }) => {
      const { instances, intervalMs, rounds } = CROWD;
      test.setTimeout(60_000 + 2 * rounds * intervalMs);
      await createToggles(flags);
      const crowd = new Crowd(replica.url, replica.credential, instances);
      // Some responses are stale if a busy server takes longer than two intervals of the replica.
      const all = { responses: instances, stale: expect.any(Number), failures: [] };
      expect(await crowd.poll(intervalMs)).toEqual(all);
      await replica.connection.cut();
      const isStale = async () => (await replica.read(replica.url)).headers.has('x-flagdeck-stale');
      await expect.poll(isStale).toBe(true);
      for (let round = 0; round < rounds; round += 1) {
        const polls = crowd.poll(intervalMs);
        if (round === rounds / 2) await crowd.restart(() => replica.restart('SIGKILL'));
        expect(await polls).toEqual({ responses: instances, stale: instances, failures: [] });
      }
      await replica.connection.restore();
      await expect.poll(isStale).toBe(false);
      expect(await crowd.poll(intervalMs)).toEqual(all);
      crowd.stop();
    });

    // The same with two clients is a test in Rust.
    if (ALL_CASES)
      test('all instances get a held toggle as off within an interval and a second, and streams within a second', async ({
        context,
        replica,
        flags,
      }) => {
        const { instances, intervalMs } = CROWD;
        test.setTimeout(60_000 + 8 * intervalMs);
        await createToggles(flags);
        const holds = `${replica.url}-/holds`;
        const streams = new Listeners();
        await streams.open(replica.url, { ...replica.credential, 'unleash-client-spec': '5.2.0' }, STREAMS);
        const crowd = new Crowd(replica.url, replica.credential, instances);
        await crowd.poll(intervalMs);
        // The session of the user is known before the outage.
        expect((await context.request.get(holds)).status()).toBe(200);
        await replica.connection.cut();
        const isStale = async () => (await replica.read(replica.url)).headers.has('x-flagdeck-stale');
        await expect.poll(isStale).toBe(true);
        const original = await replica.read(replica.url);

        const polls = (async () => [await crowd.poll(intervalMs), await crowd.poll(intervalMs)])();
        const data = { toggle: 'shop.on', reason: 'INC-42', seconds: 1_800 };
        const start = performance.now();
        const created = await context.request.post(holds, { data });
        expect(created.status(), await created.text()).toBe(201);
        const all = { responses: instances, stale: instances, failures: [] };
        expect(await polls).toEqual([all, all]);
        // The other toggle is off anyway.
        const isHeld = (toggles: string) => toggles.includes('shop.on') && !toggles.includes('"enabled":true');
        const held = crowd.find(isHeld);
        const latest = (times: number[]) => Math.round(Math.max(...times) - start);
        const [lastOn, off] = [latest(held.map(({ lastOld }) => lastOld)), latest(held.map(({ since }) => since))];
        const streamTimes = streams.receivedAt(isHeld);
        process.stdout.write(
          `off for ${held.length} instances after ${off} ms, and for ${streamTimes.length} streams after ${latest(streamTimes)} ms; the last poll that got the toggle as on was sent after ${lastOn} ms\n`,
        );
        expect([held.length, streamTimes.length]).toEqual([instances, STREAMS]);
        // Each instance polls within an interval after that. A busy machine sends polls later, which is not measured.
        expect(lastOn, 'milliseconds').toBeLessThan(1_000);
        expect(latest(streamTimes), 'milliseconds').toBeLessThan(1_000);

        await context.request.delete(`${holds}/shop.on`);
        expect(await crowd.poll(intervalMs)).toEqual(all);
        expect(crowd.find((body) => body === original.body)).toHaveLength(instances);

        await replica.connection.restore();
        await expect.poll(isStale).toBe(false);
        const { responses, failures } = await crowd.poll(intervalMs);
        expect({ responses, failures }).toEqual({ responses: instances, failures: [] });
        expect(
          crowd.find((body) => body === original.body),
          'the same toggles as before',
        ).toHaveLength(instances);
        crowd.stop();
        streams.stop();
      });
  });
});
