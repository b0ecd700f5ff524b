// Fixtures of the tests in several browsers. Playwright runs and checks them, but cannot drive the browsers of the system:
// puppeteer and Selenium do.

import { test as base, expect } from '@playwright/test';
import { type Binary, startBinary } from '../support/binary';
import { Flags } from '../support/flags';
import type { ConsolePage, RunningBrowser } from './consolePage';
import { startChromium, startFirefox } from './puppeteer';
import { startWebKit } from './webkit';

export { expect };

const START = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit };

export interface ProductOption {
  product: keyof typeof START;
}

interface WorkerFixtures extends ProductOption {
  running: RunningBrowser;
}

interface TestFixtures {
  /** Further command line arguments. */
  settings: string[];
  /** The binary under test, with an empty flag service. */
  flagdeck: Binary;
  /** Reads and changes the data of the flag service. */
  flags: Flags;
  /** A page that shares no data with other tests. */
  console: ConsolePage;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  product: ['chromium', { scope: 'worker', option: true }],
  settings: [[], { option: true }],

  running: [
    async ({ product }, use) => {
      const running = await START[product]();
      await use(running);
      await running.end();
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  flagdeck: async ({ settings }, use, testInfo) => {
    const binary = await startBinary('--data', testInfo.outputPath('flags.db'), ...settings);
    await use(binary);
    await binary.stop();
  },

  flags: async ({ request, flagdeck }, use) => use(new Flags(request, flagdeck.url)),

  console: async ({ running, flagdeck }, use) => {
    const { page, close } = await running.openPage(flagdeck.url);
    await page.resize(1280, 800);
    await use(page);
    expect(await close(), 'uncaught errors in the page').toEqual([]);
  },
});
