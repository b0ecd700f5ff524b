// Measurements inside the page. Times are relative to the start of the navigation.

import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';

const DEBOUNCE_MS = 500;

declare global {
  interface Window {
    firstRowAt?: number;
    settledAfter?: number;
  }
}

export async function watchFirstRow(page: Page, row = 'tbody tr[data-key]'): Promise<void> {
  await page.addInitScript((selector) => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector(selector)) return;
      watch.disconnect();
      // Visible on screen, not only in the document.
      requestAnimationFrame(() => setTimeout(() => (window.firstRowAt = performance.now())));
    });
    watch.observe(document, { childList: true, subtree: true });
  }, row);
}

interface FirstRow {
  ms: number;
  /** Transferred JS and CSS up to that time. */
  bytes: number;
}

export async function firstRow(page: Page): Promise<FirstRow> {
  await page.waitForFunction(() => window.firstRowAt !== undefined);
  return page.evaluate(() => {
    const ms = window.firstRowAt ?? 0;
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const before = files.filter(({ name, startTime }) => /\.(js|css)$/.test(name) && startTime < ms);
    return { ms, bytes: before.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) };
  });
}

export async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1_000_000;
}

/** Duration of the longest task in ms; 0 if no task took 50 ms, the browser's limit for long tasks. */
export function longestTask(page: Page, forMs: number): Promise<number> {
  return page.evaluate(
    (ms) =>
      new Promise<number>((resolve) => {
        let longest = 0;
        const watch = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
        });
        watch.observe({ type: 'longtask' });
        setTimeout(() => {
          watch.disconnect();
          resolve(longest);
        }, ms);
      }),
    forMs,
  );
}

interface LongestTask {
  /** Processor time of the main thread in ms, which other programs on the machine do not change. */
  cpu: number;
  wall: number;
}

/**
 * Returns the longest task of the page's main thread from the start of an action until `afterMs` after its end. The
 * action must use the keyboard only: the search of an element runs in the page.
 */
export async function longestTaskOf(page: Page, act: () => Promise<void>, afterMs: number): Promise<LongestTask> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser');
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await act();
  await wait(afterMs);
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(String(await browser.stopTracing()));
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain';
  const main = new Set(traceEvents.filter(isMain).map(threadOf));
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && main.has(threadOf(event)));
  if (!tasks.some(({ tdur }) => tdur)) throw new Error('The trace has no processor times');
  const longest = (key: 'dur' | 'tdur') => Math.max(0, ...tasks.map((task) => task[key] ?? 0)) / 1000;
  return { cpu: longest('tdur'), wall: longest('dur') };
}

/** An event of the trace format of Chromium; times in µs. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Duration by wall time. */
  dur?: number;
  /** Duration by processor time of the thread. */
  tdur?: number;
  args?: { name?: string };
}

/** Time from the end of the debounce until the matching rows are visible, for each search text. */
export async function searchMs(page: Page, texts: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const text of texts) {
    await page.evaluate(() => {
      delete window.settledAfter;
      const input = document.querySelector('input[type=search]');
      const rows = document.querySelector('main table')?.parentElement;
      if (!input || !rows) throw new Error('There is no list to search');
      let typed = 0;
      input.addEventListener('input', () => (typed = performance.now()), { once: true });
      const watch = new MutationObserver((changes) => {
        if (typed === 0 || !changes.some(({ attributeName }) => attributeName === 'aria-rowcount')) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => (window.settledAfter = performance.now() - typed)));
      });
      watch.observe(rows, { subtree: true, attributes: true, attributeFilter: ['aria-rowcount'] });
    });
    await page.getByRole('searchbox').fill(text);
    await page.waitForFunction(() => window.settledAfter !== undefined);
    found.push((await page.evaluate(() => window.settledAfter ?? 0)) - DEBOUNCE_MS);
  }
  return found;
}
