// A scene: a screen or state of the console that is rendered as an image.

import type { Page } from '@playwright/test';
import type { Ui } from '../support/ui';
import type { ServerName } from './servers';

export interface Shown {
  page: Page;
  ui: Ui;
  /** The layout of phones, where some actions are in menus. */
  isPhone: boolean;
}

export interface Scene {
  /** Part of the file names. */
  name: string;
  /** Heading of the contact sheet. */
  title: string;
  /** Relative to the base URL of the console. */
  path: string;
  /** By default, the demo. */
  server?: ServerName;
  /** Brings the page into the state. */
  act?: (shown: Shown) => Promise<void>;
}

export const TOGGLE = 'checkout.one-page';
export const ACTIVATION = `features/strategies/${TOGGLE}`;

/** Time for the page to poll again: its clock stands still, but its timers run. */
export const ONE_POLL = { timeout: 20_000 };
