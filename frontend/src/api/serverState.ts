// State of the server that responses of several endpoints determine: the settings, the frame, and the permissions.
import { onRead } from './client';
import { features, settings, uiConfig, user } from './endpoints';
import { onEnvironmentSelected } from './environment';
import type { FeaturesResponse, Settings, UiConfig } from './generated/types';
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

onRead<Settings>(
  (path) => path === settings.path,
  (next) => {
    storeSettings(next);
    refreshLateSettings();
  },
);
onRead<FeaturesResponse>(
  (path) => path === features.path,
  (list) => {
    isServerNewer = !list.features.every(areStrategiesKnown);
    refreshLateSettings();
  },
);
onRead<UiConfig>((path) => path === uiConfig.path, cacheUiConfig);
// Permissions depend on the environment.
onEnvironmentSelected(() => refreshReads([user]));
