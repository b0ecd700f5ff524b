// Reads strategy definitions and the number of their users.
import { useMemo } from 'react';
import { applications, strategies } from '@/api/endpoints';
import type { StrategyDefinition } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useTogglesWithStrategies } from '@/api/reads';
import type { ItemRead } from '@/ui/ItemLoader';
import { implementsStrategy, togglesUsingStrategy } from './usage';

/** Finds a definition. */
export function useStrategy(name: string): ItemRead<StrategyDefinition> {
  const { data, error, reload } = useRead(strategies);
  const item = data?.strategies.find((one) => one.name === name);
  return { item, isLoaded: data !== undefined, error, reload };
}

/** Number of toggles and applications that use a strategy; undefined until loaded. */
export function useUsageCounts(name: string) {
  const toggles = useTogglesWithStrategies().data?.features;
  const apps = useRead(applications).data?.applications;
  return {
    toggles: useMemo(() => toggles && togglesUsingStrategy(name, toggles).length, [name, toggles]),
    applications: apps?.filter((app) => implementsStrategy(name, app)).length,
  };
}
