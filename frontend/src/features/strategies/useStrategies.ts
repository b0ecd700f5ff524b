// Reads strategy definitions and the number of their users.
import { useMemo } from 'react';
import { applications, strategies } from '@/api/endpoints';
import type { StrategyDefinition } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useTogglesWithStrategies } from '@/api/reads';
import { useKeptItem } from '@/shared/useKeptItem';
import { implementsStrategy, togglesUsingStrategy } from './usage';

type StrategyLookup =
  | { state: 'known'; definition: StrategyDefinition; keep: () => void }
  | { state: 'loading' }
  | { state: 'failed'; error: Error; reload: () => void }
  | { state: 'missing' };

/**
 * Finds a definition. With `keepDeleted`, a definition that is deleted after `keep` was called stays, so that its form
 * keeps its input.
 */
export function useStrategy(name: string, keepDeleted: boolean): StrategyLookup {
  const { data, error, reload } = useRead(strategies, { handlesFailure: true });
  const current = data?.strategies.find((one) => one.name === name);
  const { kept, keep } = useKeptItem(name, current, keepDeleted);
  const definition = current ?? kept;
  if (definition) return { state: 'known', definition, keep };
  if (data) return { state: 'missing' };
  return error ? { state: 'failed', error, reload } : { state: 'loading' };
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
