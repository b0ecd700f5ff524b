// Reads the rendered appearance of elements.

import type { Locator } from '@playwright/test';

/** Converts a CSS colour to red, green and blue from 0 to 255. */
export function shade(element: Locator, of: 'color' | 'backgroundColor' | 'borderTopColor'): Promise<number[]> {
  return element.evaluate((one, property) => {
    const pixel = new OffscreenCanvas(1, 1).getContext('2d');
    if (!pixel) throw new Error('there is no canvas');
    pixel.fillStyle = getComputedStyle(one)[property];
    pixel.fillRect(0, 0, 1, 1);
    return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }, of);
}
