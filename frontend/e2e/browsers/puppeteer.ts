// Chromium by the DevTools protocol, and Firefox by WebDriver BiDi.

import process from 'node:process';
import { type ElementHandle, type KeyInput, type LaunchOptions, launch, type Page } from 'puppeteer-core';
import { findChromium, findProgram } from '../../playwright.config';
import { SLOWDOWN } from '../support/slowdown';
import type { ConsolePage, RunningBrowser } from './consolePage';

export async function startChromium(): Promise<RunningBrowser> {
  // Chromium's sandbox does not work as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return start({ browser: 'chrome', headless: 'shell', args }, findChromium());
}

export async function startFirefox(): Promise<RunningBrowser> {
  return start({ browser: 'firefox' }, findProgram('firefox-esr', 'firefox'));
}

async function start(options: LaunchOptions, executablePath: string | undefined): Promise<RunningBrowser> {
  if (!executablePath) throw new Error(`${options.browser} is not installed`);
  const browser = await launch({ ...options, executablePath });
  return {
    async openPage(url) {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.setDefaultTimeout(10_000 * SLOWDOWN);
      const errors: unknown[] = [];
      page.on('pageerror', (error) => errors.push(error));
      const close = async () => {
        await context.close();
        return errors;
      };
      return { page: new PuppeteerPage(page, url), close };
    },
    end: () => browser.close(),
  };
}

class PuppeteerPage implements ConsolePage {
  readonly #page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.#page = page;
    this.#url = url;
  }

  async open(path: string): Promise<void> {
    await this.#page.goto(new URL(path, this.#url).href);
  }

  async reload(): Promise<void> {
    await this.#page.reload();
  }

  path(): string {
    return this.#page.url().replace(this.#url, '/');
  }

  resize(width: number, height: number): Promise<void> {
    return this.#page.setViewport({ width, height });
  }

  click(role: string, name: string, within = ''): Promise<void> {
    return this.#page.locator(`${within} ${selector(role, name)}`.trim()).click();
  }

  fill(role: string, name: string, text: string): Promise<void> {
    return this.#page.locator(selector(role, name)).fill(text);
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  async press(...keys: KeyInput[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.down(key);
    for (const key of keys.toReversed()) await this.#page.keyboard.up(key);
  }

  texts(css: string): Promise<string[]> {
    return this.#page.$$eval(css, (all) => all.map((one) => one.textContent));
  }

  async isShown(role: string, name: string): Promise<boolean> {
    return (await this.#find(role, name)) !== null;
  }

  async isChecked(role: string, name: string): Promise<boolean | undefined> {
    const found = await this.#find(role, name);
    return found?.evaluate((one) => (one as HTMLInputElement).checked);
  }

  overflow(): Promise<number> {
    return this.#page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }

  #find(role: string, name: string): Promise<ElementHandle | null> {
    return this.#page.$(selector(role, name));
  }
}

function selector(role: string, name: string): string {
  return `::-p-aria([role="${role}"][name="${name}"])`;
}
