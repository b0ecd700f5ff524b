import type { KeyInput } from 'puppeteer-core';

/** A page of the console. It finds elements by role and accessible name, as a user does. */
export interface ConsolePage {
  open(path: string): Promise<void>;
  reload(): Promise<void>;
  /** The URL without the origin. */
  path(): string | Promise<string>;
  resize(width: number, height: number): Promise<void>;
  /** Waits until the element can be clicked. `within` is a CSS selector. */
  click(role: string, name: string, within?: string): Promise<void>;
  /** Replaces the text of a field. */
  fill(role: string, name: string, text: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses the last key while the others are down. */
  press(...keys: KeyInput[]): Promise<void>;
  /** Returns the text of the elements that the CSS selector matches. */
  texts(css: string): Promise<string[]>;
  isShown(role: string, name: string): Promise<boolean>;
  isChecked(role: string, name: string): Promise<boolean | undefined>;
  /** How far the page is wider than its window, in pixels. */
  overflow(): Promise<number>;
}

/** A running browser. */
export interface RunningBrowser {
  /** Opens a page of the console at `url`, which shares no data with others. `close` returns uncaught errors of its scripts. */
  openPage(url: string): Promise<{ page: ConsolePage; close: () => Promise<readonly unknown[]> }>;
  end(): Promise<void>;
}
