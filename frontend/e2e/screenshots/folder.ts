// Location and names of the images.

import path from 'node:path';

export const FOLDER = path.resolve(import.meta.dirname, '../../../target/screenshots');

export const WIDTHS = [1440, 1280, 768, 360] as const;
export const THEMES = ['light', 'dark'] as const;

const HEIGHTS = { 1440: 900, 1280: 800, 768: 1024, 360: 740 };

export function viewportOf(width: (typeof WIDTHS)[number]) {
  return { width, height: HEIGHTS[width] };
}

export function fileName(scene: string, width: number, theme: string): string {
  return `${scene}-${width}-${theme}.png`;
}
