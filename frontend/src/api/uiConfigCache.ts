import type { UiConfig } from '@/api/generated/types';
import { readStored, writeStored } from '@/lib/storage';
import { createStore, useStore } from '@/lib/store';
import { basePath } from '@/lib/urls';

const PRODUCT = 'Flagdeck';
const STORAGE_KEY = `${basePath}:ui-config`;

/** The last UI config, used for the frame and error messages until the server responds. */
const config = createStore(readConfig());

/** The UI config that the server has sent to this page; undefined until then. */
const received = createStore<UiConfig | undefined>(undefined);

function readConfig(): UiConfig {
  const stored = readStored(STORAGE_KEY);
  return typeof stored === 'object' && stored !== null ? stored : {};
}

export const cachedUiConfig = config.get;

export function useCachedUiConfig(): UiConfig {
  return useStore(config);
}

export function useReceivedUiConfig(): UiConfig | undefined {
  return useStore(received);
}

export function cacheUiConfig(next: UiConfig): void {
  writeStored(STORAGE_KEY, next);
  config.set(next);
  received.set(next);
}

export function productName(uiConfig: UiConfig): string {
  return uiConfig.name?.trim() || PRODUCT;
}
