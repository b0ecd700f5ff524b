// WebKitGTK, the engine of Safari on Linux, by WebDriver.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import type { KeyInput } from 'puppeteer-core';
import { Builder, Capabilities, error, Key, type WebDriver, type WebElement } from 'selenium-webdriver';
import { startProgram } from '../support/process';
import { SLOWDOWN } from '../support/slowdown';
import type { ConsolePage, RunningBrowser } from './consolePage';

export async function startWebKit(): Promise<RunningBrowser> {
  const port = await findFreePort();
  const driver = startProgram('WebKitWebDriver', [`--port=${port}`], process.env);
  const browser = new Capabilities({ browserName: 'MiniBrowser' });
  browser.set('webkitgtk:browserOptions', { binary: MINI_BROWSER, args: ['--automation'] });
  const session = () => new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(browser).build();
  return {
    async openPage(url) {
      const opened = await session();
      // WebDriver does not report errors of scripts.
      const close = async () => {
        await opened.quit();
        return [];
      };
      return { page: new WebKitPage(opened, url), close };
    },
    async end() {
      await driver.end();
    },
  };
}

/** The browser in Debian's package of WebKitGTK. */
const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/** WebKitWebDriver does not print the port that it has chosen. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

class WebKitPage implements ConsolePage {
  readonly #driver: WebDriver;
  readonly #url: string;

  constructor(driver: WebDriver, url: string) {
    this.#driver = driver;
    this.#url = url;
  }

  async open(path: string): Promise<void> {
    await this.#driver.get(new URL(path, this.#url).href);
  }

  async reload(): Promise<void> {
    await this.#driver.navigate().refresh();
  }

  async path(): Promise<string> {
    return (await this.#driver.getCurrentUrl()).replace(this.#url, '/');
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#driver.manage().window().setRect({ width, height });
  }

  click(role: string, name: string, within = 'body'): Promise<void> {
    return this.#retry(async () => (await this.#get(role, name, within)).click());
  }

  fill(role: string, name: string, text: string): Promise<void> {
    return this.#retry(async () => {
      const field = await this.#get(role, name);
      await field.clear();
      await field.sendKeys(text);
    });
  }

  async type(text: string): Promise<void> {
    await this.#driver.actions().sendKeys(text).perform();
  }

  async press(...keys: KeyInput[]): Promise<void> {
    const codes = keys.map((key) => (Key as unknown as { [name: string]: string })[key.toUpperCase()] ?? key);
    let actions = this.#driver.actions();
    for (const code of codes) actions = actions.keyDown(code);
    for (const code of codes.toReversed()) actions = actions.keyUp(code);
    await actions.perform();
  }

  texts(css: string): Promise<string[]> {
    return this.#driver.executeScript(
      'return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)',
      css,
    );
  }

  async isShown(role: string, name: string): Promise<boolean> {
    return (await this.#find(role, name)) !== undefined;
  }

  async isChecked(role: string, name: string): Promise<boolean | undefined> {
    return (await this.#find(role, name))?.isSelected();
  }

  overflow(): Promise<number> {
    return this.#driver.executeScript(
      'return document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
  }

  async #get(role: string, name: string, within = 'body'): Promise<WebElement> {
    const found = await this.#find(role, name, within);
    if (!found) throw new error.NoSuchElementError(`${role} "${name}"`);
    return found;
  }

  /** WebDriver finds elements by CSS only, so Testing Library searches in the page. */
  async #find(role: string, name: string, within = 'body'): Promise<WebElement | undefined> {
    if (!(await this.#driver.executeScript('return "TestingLibraryDom" in window'))) {
      await this.#driver.executeScript(TESTING_LIBRARY);
    }
    return (await this.#driver.executeScript<WebElement | null>(FIND, role, name, within)) ?? undefined;
  }

  /** Repeats an action until its element exists, is not replaced meanwhile, and is not covered. */
  async #retry(action: () => Promise<void>): Promise<void> {
    let last: unknown;
    const isDone = async () => {
      try {
        await action();
        return true;
      } catch (reason) {
        if (!(reason instanceof error.WebDriverError)) throw reason;
        last = reason;
        return false;
      }
    };
    try {
      await this.#driver.wait(isDone, 10_000 * SLOWDOWN);
    } catch {
      throw last;
    }
  }
}

const TESTING_LIBRARY = readFileSync(
  path.join(import.meta.dirname, '../../node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
);

/** Behind a modal dialog, nothing can be used. */
const FIND = `
  const [role, name, within] = arguments;
  const container = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.querySelector(within);
  const found = container ? TestingLibraryDom.queryAllByRole(container, role, { name }) : [];
  return found.find((one) => !one.closest('[inert]'));`;
