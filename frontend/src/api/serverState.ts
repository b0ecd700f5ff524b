// State of the server that responses of several endpoints determine: the settings, the frame, and the permissions.
import { onUserReset } from '@/lib/store';
import { noteSettingsAfterUiConfig, rememberCapabilities } from './capabilities';
import { onRead } from './client';
import { features, settings, uiConfig, user } from './endpoints';
import { onEnvironmentSelected } from './environment';
import type { Settings } from './generated/types';
import { refreshReads } from './useRead';
import { areStrategiesKnown } from './newerTypes';
import { nextSequence } from './sequence';
import { currentSettings, storeSettings } from './settings';
import { cacheUiConfig } from './uiConfigCache';

/** The last response with the settings. */
let received: Settings | undefined;
/** Start of its read. */
let receivedAt = 0;
/** Time of the last response of the server to this user. */
let respondedAt = 0;
/** Time of the first response with the UI config to this user; 0 before. */
let describedAt = 0;
onUserReset(() => {
  describedAt = 0;
});
/** Time of the last list, if it is that of a server with environments. */
let newerListAt = 0;

/**
 * The settings do not wait for a slow server, and do not describe it to a user who is not signed in. They are read again
 * after a response that shows that another read can contain more.
 */
function refreshIncompleteSettings(): void {
  const lacksCapabilities = received?.capabilities === null && respondedAt > receivedAt;
  const lacksServer = received?.server === null && newerListAt > receivedAt;
  if (!lacksCapabilities && !lacksServer) return;
  // These responses count once.
  receivedAt = nextSequence();
  refreshReads([settings]);
}

onRead(settings, (next, startedAt) => {
  if (startedAt < receivedAt) return;
  received = next;
  receivedAt = startedAt;
  // Capabilities belong to the server: they stay if it does not respond, and when another user signs in.
  storeSettings({ ...next, capabilities: next.capabilities ?? currentSettings()?.capabilities ?? null });
  if (next.capabilities) rememberCapabilities(next.capabilities);
  if (describedAt > 0 && startedAt > describedAt) noteSettingsAfterUiConfig();
  refreshIncompleteSettings();
});
onRead(features, (list) => {
  respondedAt = nextSequence();
  newerListAt = list.features.every(areStrategiesKnown) ? 0 : respondedAt;
  refreshIncompleteSettings();
});
onRead(uiConfig, (config) => {
  respondedAt = nextSequence();
  describedAt ||= respondedAt;
  cacheUiConfig(config);
  refreshIncompleteSettings();
});
// Permissions depend on the environment.
onEnvironmentSelected(() => refreshReads([user]));
