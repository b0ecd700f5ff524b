// Location, sizes and names of the images.

import path from 'node:path';
import type { BrowserContextOptions, Page } from '@playwright/test';

export const FOLDER = path.resolve(import.meta.dirname, '../../../target/screenshots');

const DESKTOP = { viewport: { width: 1280, height: 800 } };

interface Size {
  /** Part of the file names. */
  name: string;
  options: BrowserContextOptions;
  isPhone?: boolean;
  isForced?: boolean;
}

export const SIZES: readonly Size[] = [
  { name: '1440', options: { viewport: { width: 1440, height: 900 } } },
  { name: '1280', options: DESKTOP, isForced: true },
  // A window of 1280 by 800 pixels at a zoom of 200 %.
  { name: 'zoom', options: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 } },
  { name: '768', options: { viewport: { width: 768, height: 1024 } } },
  { name: '360', options: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, isPhone: true },
];

type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>;

const THEMES: readonly (Media & { name: string })[] = [
  { name: 'light', colorScheme: 'light', forcedColors: 'none' },
  { name: 'dark', colorScheme: 'dark', forcedColors: 'none' },
  { name: 'forced', colorScheme: 'dark', forcedColors: 'active' },
];

/** Returns the themes in which a size is rendered: forced colours in one size, because they change no layout. */
export function themesOf({ isForced }: Size) {
  return THEMES.filter(({ name }) => name !== 'forced' || isForced);
}

export function fileName(scene: string, size: string, theme: string): string {
  return `${scene}-${size}-${theme}.png`;
}
