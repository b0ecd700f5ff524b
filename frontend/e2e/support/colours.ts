// Reads the colours of rendered elements.

import type { Locator } from '@playwright/test';

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
