import type { UiConfig } from '@/api/generated/types';
import { readStored, writeStored } from '@/lib/storage';
import { basePath } from '@/lib/urls';

const PRODUCT = 'Flagdeck';

function key(): string {
  return `${basePath()}:ui-config`;
}

/** Returns the last UI config, used for the frame and error messages until the server responds. */
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
