// Capabilities of the flag service, which the settings contain. Only facts about the selected environment are added here.
import { readStored, writeStored } from '@/lib/storage';
import { createStore } from '@/lib/store';
import { basePath } from '@/lib/urls';
import { currentServerEnvironment, useServerEnvironment } from './environment';
import { EMBEDDED_CAPABILITIES } from './generated/capabilities';
import type { Capabilities as ServerCapabilities, Settings, UiConfig } from './generated/types';
import { currentSettings, useSettings } from './settings';
import { useReceivedUiConfig } from './uiConfigCache';

export interface Capabilities extends ServerCapabilities {
  /**
   * Counts of toggles: per minute; per hour; or per hour with a last minute that contains only reports that SDKs send
   * through this program.
   */
  counts: 'minutes' | 'hours' | 'hoursAndForwardedMinute';
}

const STORAGE_KEY = `${basePath}:capabilities`;

/** The last capabilities in this browser, for responses that arrive before the settings. */
const remembered = createStore(readStored(STORAGE_KEY) as Partial<ServerCapabilities> | null);

export function rememberCapabilities(next: ServerCapabilities): void {
  writeStored(STORAGE_KEY, next);
  remembered.set(next);
}

/**
 * Capabilities of the flag service; until they are known, those of the embedded one. Sends no request, so that every
 * control can use it.
 */
export function useCapabilities(): Capabilities {
  return toCapabilities(useSettings(), useServerEnvironment()?.name, EMBEDDED_CAPABILITIES);
}

/** Like `useCapabilities`, outside rendering. Until they are known, the last ones in this browser count. */
export function currentCapabilities(): Capabilities {
  const last = { ...EMBEDDED_CAPABILITIES, ...remembered.get() };
  return toCapabilities(currentSettings(), currentServerEnvironment()?.name, last);
}

function toCapabilities(
  settings: Settings | undefined,
  environment: string | undefined,
  ifUnknown: ServerCapabilities,
): Capabilities {
  const capabilities = settings?.capabilities ?? ifUnknown;
  const hasMinutes = settings?.server?.minuteCounts.some((name) => name === environment) ?? false;
  const countsInEnvironment = hasMinutes ? 'hoursAndForwardedMinute' : 'hours';
  return { ...capabilities, counts: capabilities.hasEnvironments ? countsInEnvironment : 'minutes' };
}

/** The server's version, for display; undefined if it is not known. */
export function useServerVersion(): string | undefined {
  const { version, versionInfo }: UiConfig = useReceivedUiConfig() ?? {};
  const { oss, enterprise } = versionInfo?.current ?? {};
  return enterprise || oss || version || undefined;
}
