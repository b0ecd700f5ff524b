// Measures the toggle list in the browser with 2,000 and 10,000 toggles, and compares it with other consoles.

import os from 'node:os';
import { type Browser, type Page, test } from '@playwright/test';
import { startBinary } from '../support/binary';
import { type Figure, table } from './figures';
import { keepReporting, seed } from './load';
import { firstRow, heapMb, longestTask, searchMs, watchFirstRow } from './probes';

interface Network {
  /** Round trip in ms. */
  latency: number;
  /** In bytes per second. */
  downloadThroughput: number;
  uploadThroughput: number;
}

const ROUNDS = 5;
/** A fast mobile network or a remote office: 40 ms round trip, 10 Mbit/s. */
const SLOW_NETWORK: Network = { latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };
const POLLS_MS = 15_000;
/** Search texts. Each has a different number of matches than the previous one. */
const SEARCHES = ['login', 'experiment', 'checkout', 'toggle.*7$', 'passkeys'];

for (const count of [2_000, 10_000]) {
  test(`${count} toggles`, async ({ browser }) => {
    const binary = await startBinary('--data', ':memory:', '--log-level', 'warn');
    await seed(binary.url, count);
    const figures = await measure(browser, binary.url, count);
    await binary.stop();
    const [load = 0] = os.loadavg();
    process.stdout.write(
      `\n\n${count} toggles; ${os.cpus().length} cores, load ${load.toFixed(1)}, Chromium ${browser.version()}\n`,
    );
    process.stdout.write(table(figures));
  });
}

async function measure(browser: Browser, url: string, count: number): Promise<Figure[]> {
  const cold: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await open(browser, url);
    cold.push((await firstRow(page)).ms);
    await page.context().close();
  }
  const page = await open(browser, url);
  const warm: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.reload();
    warm.push((await firstRow(page)).ms);
  }
  await page.context().close();
  const slow: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const slowPage = await open(browser, url, SLOW_NETWORK);
    slow.push((await firstRow(slowPage)).ms);
    await slowPage.context().close();
  }

  const fresh = await open(browser, url);
  const foreignRequests = recordForeignRequests(fresh);
  const { bytes } = await firstRow(fresh);
  await fresh.waitForLoadState('networkidle').catch(() => undefined);
  const nodes = await fresh.locator('*').count();
  const reports = keepReporting(url, count);
  const task = await longestTask(fresh, POLLS_MS);
  await reports.stop();
  const heap = await heapMb(fresh);
  const searches = await searchMs(fresh, SEARCHES);
  await fresh.context().close();
  return [
    { id: 'cold', value: median(cold), isLarge: count > 2_000 },
    { id: 'warm', value: median(warm), isLarge: count > 2_000 },
    { id: 'slow', value: median(slow), isLarge: count > 2_000 },
    { id: 'nodes', value: nodes },
    { id: 'heap', value: heap, isLarge: count > 2_000 },
    { id: 'task', value: task },
    { id: 'firstSearch', value: searches[0] ?? 0 },
    { id: 'search', value: median(searches) },
    { id: 'bytes', value: bytes / 1000 },
    { id: 'foreignRequests', value: foreignRequests.length },
  ];
}

/** Opens the list in a new context, with empty HTTP and code caches. */
async function open(browser: Browser, url: string, network?: Network): Promise<Page> {
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  if (network) {
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', { offline: false, ...network });
  }
  await watchFirstRow(page);
  await page.goto('features');
  return page;
}

function recordForeignRequests(page: Page): string[] {
  const found: string[] = [];
  const { origin } = new URL(page.url());
  page.on('request', (request) => {
    const to = new URL(request.url());
    if (to.protocol.startsWith('http') && to.origin !== origin) found.push(request.url());
  });
  return found;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
