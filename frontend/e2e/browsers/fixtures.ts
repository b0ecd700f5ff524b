// Fixtures of the tests in several browsers. Playwright runs and checks them, but cannot drive the browsers of the system:
// puppeteer does, by WebDriver BiDi (Firefox) and the DevTools protocol (Chromium).

import process from 'node:process';
import { test as base, expect } from '@playwright/test';
import { type Browser, launch } from 'puppeteer-core';
import { findChromium, findProgram } from '../../playwright.config';
import { type Binary, startBinary } from '../support/binary';
import { Flags } from '../support/flags';
import { SLOWDOWN } from '../support/slowdown';
import { BrowserPage } from './browserPage';

export { expect };

export interface ProductOption {
  product: 'chrome' | 'firefox';
}

interface WorkerFixtures extends ProductOption {
  running: Browser;
}

interface TestFixtures {
  /** Further command line arguments. */
  settings: string[];
  /** The binary under test, with an empty flag service. */
  flagdeck: Binary;
  /** Reads and changes the data of the flag service. */
  flags: Flags;
  /** A page in a new browser context. */
  console: BrowserPage;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  product: ['chrome', { scope: 'worker', option: true }],
  settings: [[], { option: true }],

  running: [
    async ({ product }, use) => {
      const isChrome = product === 'chrome';
      const executablePath = isChrome ? findChromium() : findProgram('firefox-esr', 'firefox');
      if (!executablePath) throw new Error(`${product} is not installed`);
      // Chromium's sandbox does not work as root.
      const args = isChrome && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
      const running = await launch({ browser: product, executablePath, headless: isChrome ? 'shell' : true, args });
      await use(running);
      await running.close();
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
    const context = await running.createBrowserContext();
    const page = await context.newPage();
    page.setDefaultTimeout(10_000 * SLOWDOWN);
    const errors: unknown[] = [];
    page.on('pageerror', (error) => errors.push(error));
    const driven = new BrowserPage(page, flagdeck.url);
    await driven.resize(1280, 800);
    await use(driven);
    await context.close();
    expect(errors, 'uncaught errors in the page').toEqual([]);
  },
});
