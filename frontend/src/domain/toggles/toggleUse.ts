// Whether applications still use toggles, as far as the console knows. Shown before toggles are archived.
import { useState, useSyncExternalStore } from 'react';
import type { Counts, Toggle, ToggleMetrics } from '@/api/generated/types';
import { useMetricsStatus } from '@/api/reads';
import { clockNow, subscribeClock } from '@/lib/clock';
import { getCounts } from './toggleList';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface ToggleUse {
  toggle: Toggle;
  /** `used`: evaluated within the last hour. `unknown`: there are no counts, and the last use is older than an hour. */
  state: 'used' | 'unused' | 'unknown';
  /** Calls of the last hour; undefined without calls and if they are unknown. */
  lastHour: Counts | undefined;
}

/** Returns the uses of toggles, and why some are unknown. */
export function useToggleUses(toggles: readonly Toggle[]): { uses: readonly ToggleUse[]; unknownReason: string } {
  const { metrics, isLoading, isUnsupported } = useMetricsStatus(true);
  // In minutes, so that most ticks of the clock render nothing.
  const minute = useSyncExternalStore(subscribeClock, () => Math.floor(clockNow() / MINUTE_MS));
  return {
    uses: toggles.map((toggle) => getToggleUse(toggle, metrics, minute * MINUTE_MS)),
    unknownReason: describeUnknown({ isLoading, isUnsupported }),
  };
}

export function getToggleUse(toggle: Toggle, metrics: ToggleMetrics | undefined, now: number): ToggleUse {
  const lastHour = getCounts(metrics?.lastHour, toggle.name);
  const isCounted = [lastHour, getCounts(metrics?.lastMinute, toggle.name)].some((one) => one && one.yes + one.no > 0);
  const isSeen = toggle.lastSeenAt !== null && Date.parse(toggle.lastSeenAt) > now - HOUR_MS;
  if (isCounted || isSeen) return { toggle, state: 'used', lastHour };
  return { toggle, state: metrics ? 'unused' : 'unknown', lastHour };
}

/** Like `useToggleUses`, with toggles that are still in use first. The order stays while the counts change. */
export function useRankedUses(toggles: readonly Toggle[]): ReturnType<typeof useToggleUses> {
  const { uses, unknownReason } = useToggleUses(toggles);
  const [order] = useState(() => new Map(uses.toSorted(byUse).map(({ toggle }, index) => [toggle.name, index])));
  const rankOf = ({ toggle }: ToggleUse) => order.get(toggle.name) ?? 0;
  return { uses: uses.toSorted((a, b) => rankOf(a) - rankOf(b)), unknownReason };
}

const RANK = { used: 0, unknown: 1, unused: 2 };

/** Compares two uses: toggles that are still in use come first. */
function byUse(a: ToggleUse, b: ToggleUse): number {
  return RANK[a.state] - RANK[b.state] || (b.lastHour?.yes ?? 0) - (a.lastHour?.yes ?? 0);
}

function describeUnknown({ isLoading, isUnsupported }: { isLoading: boolean; isUnsupported: boolean }): string {
  if (isLoading) return 'Usage is loading.';
  return isUnsupported ? 'This server does not report usage here.' : 'Usage could not be loaded.';
}
