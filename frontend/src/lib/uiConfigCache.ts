import type { UiConfig } from '@/api/generated/types';
import { readStored, writeStored } from './storage';
import { basePath } from './urls';

const PRODUCT = 'Flagdeck';

function key(): string {
  return `${basePath()}:ui-config`;
}

/** What the server said last time: the frame is drawn with it before the server has answered, and errors name it. */
export function cachedUiConfig(): UiConfig {
  const stored = readStored(key());
  return typeof stored === 'object' && stored !== null ? stored : {};
}

export function cacheUiConfig(config: UiConfig): void {
  writeStored(key(), config);
}

export function productName(config: UiConfig): string {
  return config.name?.trim() || PRODUCT;
}
