import { useCapabilities } from '@/api/capabilities';
import type { ToggleMetrics } from '@/api/generated/types';
import type { CountsByName } from './toggleList';
import type { ToggleListSettings } from './toggleListSettings';

/** Reason why no counts per minute can be selected. */
export const HOURLY_REASON = 'This server reports usage per hour.';

/** Returns whether the server counts only per hour. */
export function useIsHourly(): boolean {
  return useCapabilities().counts === 'hours';
}

/** Returns the counts of the selected interval. */
export function useShownCounts(
  metrics: ToggleMetrics | undefined,
  { showLastHour }: ToggleListSettings,
): CountsByName | undefined {
  const isHourly = useIsHourly();
  return isHourly || showLastHour ? metrics?.lastHour : metrics?.lastMinute;
}
