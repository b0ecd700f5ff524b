import type { ToggleDraft } from '@/api/generated/types';
import { numbersStrategies, versionFromConfig } from '@/api/serverVersion';
import { cachedUiConfig } from '@/api/uiConfigCache';

/** Numbers the strategies of a toggle if the server needs it. Servers of version 3 would write the numbers into their log only. */
export function withPositions<Draft extends Pick<ToggleDraft, 'strategies'>>(toggle: Draft): Draft {
  if (!numbersStrategies(versionFromConfig(cachedUiConfig()))) return toggle;
  return { ...toggle, strategies: toggle.strategies.map((strategy, sortOrder) => ({ ...strategy, sortOrder })) };
}
