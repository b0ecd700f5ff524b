// Slower pages, which find tests that continue before the page has settled, and defects of the console that only users with a slow
// computer or network meet.

import process from 'node:process';
import type { Page } from '@playwright/test';

/** With `FLAGDECK_CPU_SLOWDOWN=4` the page has a quarter of the processor. */
const CPU_SLOWDOWN = Number(process.env['FLAGDECK_CPU_SLOWDOWN'] ?? 1);

/** With `FLAGDECK_LATENCY=250` each response arrives 250 ms later. */
const LATENCY = Number(process.env['FLAGDECK_LATENCY'] ?? 0);

/** Factor of all limits of time. */
export const SLOWDOWN = Math.max(CPU_SLOWDOWN, LATENCY > 0 ? 4 : 1);

export async function slowDown(page: Page): Promise<void> {
  if (SLOWDOWN === 1) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const unlimited = { downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: LATENCY, ...unlimited });
}

/** Limit of an expectation that is one try of several. */
export const ONE_TRY = { timeout: 500 * SLOWDOWN };

/** Limit of an expectation about data that services store with a delay of seconds, such as metrics and applications. */
export const STORED = { timeout: 25_000 * SLOWDOWN };
