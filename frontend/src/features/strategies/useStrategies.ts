// The strategy definitions that the server has.
import { useState } from 'react';
import { applications, features, strategies } from '@/api/endpoints';
import type { StrategyDefinition } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { countTogglesByStrategy, implementsStrategy } from './usage';

type StrategyLookup =
  | { state: 'known'; definition: StrategyDefinition }
  | { state: 'loading' }
  | { state: 'failed'; error: Error; reload: () => void }
  | { state: 'missing' };

/** `keeps`: one that somebody else deletes meanwhile stays, so that what is typed into its form does. */
export function useStrategy(name: string, keeps: boolean): StrategyLookup {
  const { data, error, reload } = useRead(strategies, { handlesFailure: true });
  const now = data?.strategies.find((one) => one.name === name);
  const [last, setLast] = useState(now);
  if (now && now !== last) setLast(now);
  const definition = now ?? (keeps && last?.name === name ? last : undefined);
  if (definition) return { state: 'known', definition };
  if (data) return { state: 'missing' };
  return error ? { state: 'failed', error, reload } : { state: 'loading' };
}

export interface UsageCounts {
  toggles: number | undefined;
  applications: number | undefined;
}

/** How many toggles and applications use each; undefined while, or when, that cannot be read. */
export function useUsageCounts(): (strategyName: string) => UsageCounts {
  const toggles = useRead(features).data?.features;
  const apps = useRead(applications).data?.applications;
  const counts = toggles && countTogglesByStrategy(toggles);
  return (name) => ({
    toggles: counts && (counts.get(name) ?? 0),
    applications: apps?.filter((app) => implementsStrategy(name, app)).length,
  });
}
