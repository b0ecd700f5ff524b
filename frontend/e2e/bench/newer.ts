// Measures the newest real server with 2,000 toggles: the list and a switch, directly and through Flagdeck, and the first
// row in the server's own console and in this one.

import os from 'node:os';
import { type APIRequestContext, type Browser, expect, type Page, test } from '@playwright/test';
import { startBinary } from '../support/binary';
import { type RealServer, SESSION_COOKIE, startRealServer } from '../support/realServer';
import { ENVIRONMENT, NEWEST_VERSION } from '../support/versions';
import { toggleAt } from './load';
import { firstRow, watchFirstRow } from './probes';

const COUNT = 2_000;
const CALLS = 30;
const ROUNDS = 5;
const WORKERS = 4;
const TOGGLES = '/api/admin/projects/default/features';

interface Line {
  subject: string;
  direct: number[];
  through: number[];
}

test(`${COUNT} toggles on ${NEWEST_VERSION}`, async ({ browser, playwright }) => {
  const server = await startRealServer(NEWEST_VERSION, 'durable');
  const cookie = await server.session('operator');
  const headers = { cookie: `${SESSION_COOKIE}=${cookie}`, 'content-type': 'application/json' };
  const request = await playwright.request.newContext({ extraHTTPHeaders: headers });
  await seed(request, server.url);
  const binary = await startBinary(
    '--upstream',
    server.url,
    '--upstream-environment',
    ENVIRONMENT,
    '--log-level',
    'warn',
  );
  const lines = [
    await compare(
      'list, median (ms)',
      () => get(request, server.url + TOGGLES),
      () => get(request, `${binary.url}api/admin/features`),
    ),
    await measureSwitch(request, server, binary.url),
    await measureFirstRow(browser, cookie, server.url, binary.url, 'cold'),
    await measureFirstRow(browser, cookie, server.url, binary.url, 'warm'),
  ];
  await binary.stop();
  await server.stop();
  process.stdout.write(
    `\n\n${COUNT} toggles on ${NEWEST_VERSION}; ${os.cpus().length} cores, load ${os.loadavg()[0]?.toFixed(1)}\n`,
  );
  process.stdout.write(table(lines));
});

/** Alternates both calls, so that load of the machine affects both. */
async function compare(subject: string, direct: () => Promise<void>, through: () => Promise<void>): Promise<Line> {
  const line: Line = { subject, direct: [], through: [] };
  for (let call = 0; call < CALLS; call += 1) {
    line.direct.push(await duration(direct));
    line.through.push(await duration(through));
  }
  return line;
}

function measureSwitch(request: APIRequestContext, server: RealServer, url: string): Promise<Line> {
  const { name } = toggleAt(1);
  const direct = `${server.url}${TOGGLES}/${name}/environments/${ENVIRONMENT}`;
  const through = `${url}api/admin/features/${name}/toggle`;
  const onAndOff = async (path: string) => {
    await post(request, `${path}/on`);
    await post(request, `${path}/off`);
  };
  return compare(
    'on and off again, median (ms)',
    () => onAndOff(direct),
    () => onAndOff(through),
  );
}

async function measureFirstRow(
  browser: Browser,
  session: string,
  direct: string,
  through: string,
  cache: 'cold' | 'warm',
): Promise<Line> {
  const line: Line = { subject: `first row, ${cache} cache, median (ms)`, direct: [], through: [] };
  const own = await Pages.open(browser, session, `${direct}/projects/default`, 'tbody a[href*="/features/"]');
  const ours = await Pages.open(browser, session, `${through}features`);
  for (let round = 0; round < ROUNDS; round += 1) {
    line.direct.push(await own.firstRow(cache));
    line.through.push(await ours.firstRow(cache));
  }
  await own.close();
  await ours.close();
  return line;
}

/** Loads of one page, in a new browser context or with the cache of the previous load. */
class Pages {
  #page: Page | undefined;

  readonly #browser: Browser;
  readonly #session: string;
  readonly #url: string;
  readonly #row: string | undefined;

  private constructor(browser: Browser, session: string, url: string, row?: string) {
    this.#browser = browser;
    this.#session = session;
    this.#url = url;
    this.#row = row;
  }

  static async open(browser: Browser, session: string, url: string, row?: string): Promise<Pages> {
    const pages = new Pages(browser, session, url, row);
    await pages.#load();
    return pages;
  }

  async firstRow(cache: 'cold' | 'warm'): Promise<number> {
    if (cache === 'cold') await this.#load();
    else await this.#page?.reload({ waitUntil: 'commit' });
    return this.#page ? (await firstRow(this.#page)).ms : 0;
  }

  async close(): Promise<void> {
    await this.#page?.context().close();
  }

  async #load(): Promise<void> {
    await this.close();
    const context = await this.#browser.newContext();
    await context.addCookies([{ name: SESSION_COOKIE, value: this.#session, url: new URL('/', this.#url).href }]);
    this.#page = await context.newPage();
    await watchFirstRow(this.#page, this.#row);
    await this.#page.goto(this.#url, { waitUntil: 'commit' });
    await firstRow(this.#page);
  }
}

async function seed(request: APIRequestContext, url: string): Promise<void> {
  const indexes = Array.from({ length: COUNT }, (_, index) => index).values();
  const work = async () => {
    for (const index of indexes) {
      const { name, description, type, enabled, stale, strategies } = toggleAt(index);
      await post(request, url + TOGGLES, { name, description, type, stale });
      const environment = `${url}${TOGGLES}/${name}/environments/${ENVIRONMENT}`;
      await post(request, `${environment}/strategies`, strategies[0]);
      if (enabled && name !== toggleAt(1).name) await post(request, `${environment}/on`);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
}

async function get(request: APIRequestContext, url: string): Promise<void> {
  const response = await request.get(url);
  expect(response.status(), url).toBe(200);
  await response.body();
}

async function post(request: APIRequestContext, url: string, data?: object): Promise<void> {
  const response = await request.post(url, data && { data });
  expect(response.ok(), `${url}: ${response.status()}`).toBe(true);
}

async function duration(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function table(lines: Line[]): string {
  const rows = lines.map(({ subject, direct, through }) => [subject, median(direct), median(through)]);
  const cells = [[`${COUNT} toggles`, `Unleash ${NEWEST_VERSION}`, 'through Flagdeck'], ['---', '---', '---'], ...rows];
  return cells.map((row) => `| ${row.join(' | ')} |\n`).join('');
}

function median(values: number[]): string {
  const sorted = [...values].sort((one, other) => one - other);
  return (sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(0);
}
