import type { ElementHandle, KeyInput, Page } from 'puppeteer-core';

/** A page of the console. It finds elements by role and accessible name, as a user does. */
export class BrowserPage {
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

  /** The URL without the origin. */
  get path(): string {
    return this.#page.url().replace(this.#url, '/');
  }

  resize(width: number, height: number): Promise<void> {
    return this.#page.setViewport({ width, height });
  }

  /** Waits until the element can be clicked. `within` is a CSS selector. */
  click(role: string, name: string, within = ''): Promise<void> {
    return this.#page.locator(`${within} ${selector(role, name)}`.trim()).click();
  }

  fill(role: string, name: string, text: string): Promise<void> {
    return this.#page.locator(selector(role, name)).fill(text);
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  /** Presses the last key while the others are down. */
  async press(...keys: KeyInput[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.down(key);
    for (const key of keys.toReversed()) await this.#page.keyboard.up(key);
  }

  /** Returns the text of the elements that the CSS selector matches. */
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

  /** How far the page is wider than its window, in pixels. */
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
