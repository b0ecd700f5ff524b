// Strategies of the toggle list. The list of a newer server has none, because reading them takes seconds there.
import { useMemo, useState } from 'react';
import { featuresWithStrategies } from '@/api/endpoints';
import type { ApiError } from '@/api/error';
import type { Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { areStrategiesKnown } from '@/api/newerTypes';

export interface StrategiesOnDemand {
  /** The toggles, with their strategies as far as they are loaded. */
  toggles: readonly Toggle[] | undefined;
  /** The strategies of some toggles are not loaded. */
  areUnknown: boolean;
  /** Some of them are known, but not their ids, titles and disabled strategies. */
  isPartlyKnown: boolean;
  isLoading: boolean;
  error: ApiError | undefined;
  load: () => void;
}

export function useStrategiesOnDemand(listed: readonly Toggle[] | undefined): StrategiesOnDemand {
  const [isWanted, setWanted] = useState(false);
  const isPartial = useMemo(() => listed?.some((toggle) => !areStrategiesKnown(toggle)) ?? false, [listed]);
  const { data, error, isLoading, reload } = useRead(isWanted && isPartial ? featuresWithStrategies : null, {
    handlesFailure: true,
  });
  const loaded = data?.features;
  // The listed toggles are newer: writes change them.
  const toggles = useMemo(() => listed && loaded && addStrategies(listed, loaded), [listed, loaded]);
  return {
    toggles: toggles ?? listed,
    areUnknown: isPartial && !toggles?.every(areStrategiesKnown),
    isPartlyKnown: isPartial && (listed?.some(({ strategies }) => strategies.length > 0) ?? false),
    isLoading,
    error,
    load: isWanted ? reload : () => setWanted(true),
  };
}

function addStrategies(listed: readonly Toggle[], loaded: readonly Toggle[]): Toggle[] {
  const byName = new Map(loaded.filter(areStrategiesKnown).map((toggle) => [toggle.name, toggle.strategies]));
  return listed.map((toggle) => {
    const strategies = byName.get(toggle.name);
    return strategies && !areStrategiesKnown(toggle) ? { ...toggle, strategies, strategiesKnown: true } : toggle;
  });
}
