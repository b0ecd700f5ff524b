// Makes images of two runs equal: moves all times of responses to a fixed date, and replaces random counts.

import type { Page } from '@playwright/test';

/** The time that pages show as now. */
export const NOW = Date.parse('2026-03-18T14:30:00Z');
const MINUTE_MS = 60_000;
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Sets the clock of the page. Times in responses keep their distance to the start of the servers, in whole minutes. */
export async function setFixedTime(page: Page, serversStartedAt: number): Promise<void> {
  const shift = NOW - serversStartedAt;
  const move = (time: string) =>
    new Date(Math.min(NOW, Math.round((Date.parse(time) + shift) / MINUTE_MS) * MINUTE_MS)).toISOString();
  await page.clock.setFixedTime(NOW);
  await page.route(/\/api\/(admin|client)\//, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch().catch(() => undefined);
    if (!response) return route.abort();
    const body = (await response.text()).replace(TIMESTAMP, move);
    await route.fulfill({
      response,
      body: route.request().url().endsWith('/metrics/feature-toggles') ? fixCounts(body) : body,
    });
  });
}

type Counts = Record<string, { yes: number; no: number }>;

/** Replaces the counts of each toggle by numbers that depend only on its name. Toggles that are never on stay so. */
function fixCounts(body: string): string {
  const metrics: { lastHour: Counts; lastMinute: Counts } = JSON.parse(body);
  for (const [period, total] of [
    ['lastHour', 36_000],
    ['lastMinute', 600],
  ] as const) {
    for (const [name, counts] of Object.entries(metrics[period])) {
      const share =
        counts.no === 0
          ? 1
          : Math.min(counts.yes, ([...name].reduce((sum, one) => sum + one.charCodeAt(0), 0) % 97) / 100);
      const yes = counts.yes === 0 ? 0 : Math.round(total * share);
      metrics[period][name] = { yes, no: total - yes };
    }
  }
  return JSON.stringify(metrics);
}
