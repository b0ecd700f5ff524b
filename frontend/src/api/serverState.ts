// State of the server that responses of several endpoints determine: the settings, the frame, and the permissions.
import { onRead } from './client';
import { features, settings, uiConfig, user } from './endpoints';
import { onEnvironmentSelected } from './environment';
import { refreshReads } from './hooks';
import { areStrategiesKnown } from './newerTypes';
import { currentSettings, storeSettings } from './settings';
import { cacheUiConfig } from './uiConfigCache';

/** True after a list of a server with environments, until the settings are read again. */
let isServerNewer = false;

/** The settings do not wait for a slow server: they are read again if the list shows that it has environments. */
function refreshLateSettings(): void {
  if (!isServerNewer || currentSettings()?.server !== null) return;
  isServerNewer = false;
  refreshReads([settings]);
}

onRead(settings, (next) => {
  storeSettings(next);
  refreshLateSettings();
});
onRead(features, (list) => {
  isServerNewer = !list.features.every(areStrategiesKnown);
  refreshLateSettings();
});
onRead(uiConfig, cacheUiConfig);
// Permissions depend on the environment.
onEnvironmentSelected(() => refreshReads([user]));
