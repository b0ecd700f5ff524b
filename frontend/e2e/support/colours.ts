// Reads the colours of rendered elements, and changes the theme.

import { expect, type Locator, type Page } from '@playwright/test';

/** Changes the theme of the system, and waits until the open page shows it: the page learns of it in a later event. */
export async function changeSystemTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveClass(theme === 'dark' ? /\bdark\b/ : /^(?!.*\bdark\b)/);
}

/** Returns red, green and blue of a computed colour, from 0 to 255. */
export function rgbOf(element: Locator, property: 'color' | 'backgroundColor' | 'borderTopColor'): Promise<number[]> {
  return element.evaluate((one, name) => {
    const pixel = new OffscreenCanvas(1, 1).getContext('2d');
    if (!pixel) throw new Error('The browser has no 2D canvas');
    pixel.fillStyle = getComputedStyle(one)[name];
    pixel.fillRect(0, 0, 1, 1);
    return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }, property);
}
