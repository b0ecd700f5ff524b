// Capabilities of the flag service, which the settings contain.
import { readStored, writeStored } from '@/lib/storage';
import { createStore, createUserStore, useStore } from '@/lib/store';
import { basePath } from '@/lib/urls';
import { EMBEDDED_CAPABILITIES } from './generated/capabilities';
import type { Capabilities as ServerCapabilities, Settings, UiConfig } from './generated/types';
import { currentSettings, useSettings } from './settings';
import { useReceivedUiConfig } from './uiConfigCache';

export interface Capabilities extends ServerCapabilities {
  /** Counts of toggles: per minute or per hour. */
  counts: 'minutes' | 'hours';
}

const STORAGE_KEY = `${basePath}:capabilities`;

/** The last capabilities in this browser, for responses that arrive before the settings. */
const remembered = createStore(readStored(STORAGE_KEY) as Partial<ServerCapabilities> | null);

export function rememberCapabilities(next: ServerCapabilities): void {
  writeStored(STORAGE_KEY, next);
  remembered.set(next);
}

/** False after a read of the settings that started after the response with the UI config. */
const awaited = createUserStore(true);

export function noteSettingsAfterUiConfig(): void {
  awaited.set(false);
}

/** Whether the settings are still read again after the response with the UI config. */
export function useAreSettingsAwaited(): boolean {
  return useStore(awaited);
}

/**
 * Capabilities of the flag service; until they are known, the last ones in this browser, or else those of the embedded
 * one. Sends no request, so that every control can use it.
 */
export function useCapabilities(): Capabilities {
  return toCapabilities(useSettings());
}

/** Like `useCapabilities`, outside rendering. */
export function currentCapabilities(): Capabilities {
  return toCapabilities(currentSettings());
}

function toCapabilities(settings: Settings | undefined): Capabilities {
  const capabilities = settings?.capabilities ?? { ...EMBEDDED_CAPABILITIES, ...remembered.get() };
  return { ...capabilities, counts: capabilities.hasEnvironments ? 'hours' : 'minutes' };
}

/** The server's version, for display; undefined if it is not known. */
export function useServerVersion(): string | undefined {
  const { version, versionInfo }: UiConfig = useReceivedUiConfig() ?? {};
  const { oss, enterprise } = versionInfo?.current ?? {};
  return enterprise || oss || version || undefined;
}
