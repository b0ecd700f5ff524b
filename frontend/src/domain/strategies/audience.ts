// The calls that a strategy matches, as far as its name, parameters and constraints determine them. Pure functions.
import type { Constraint } from '@/api/generated/types';
import { splitList } from '@/lib/text';
import { getShareParameter } from './builtInStrategies';

/** A strategy of a stored toggle or of the form for a new one. */
export interface AudienceRule {
  readonly name: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly constraints?: readonly Constraint[] | null;
  /** Of newer servers: ids of named lists of constraints. */
  readonly segments?: readonly number[] | null;
  /** Of newer servers: the strategy matches no call. */
  readonly disabled?: boolean | null;
}

export function getPercent({ name, parameters = {} }: AudienceRule): number | undefined {
  const parameter = getShareParameter(name);
  return parameter === undefined ? undefined : Number(parameters[parameter] || '0');
}

export function hasConstraints({ constraints, segments }: AudienceRule): boolean {
  return (constraints ?? []).length + (segments ?? []).length > 0;
}

/** Returns whether a strategy matches every call. Gradual strategies need a user or session id, which may be missing. */
export function isForEveryone(strategy: AudienceRule): boolean {
  if (strategy.disabled || hasConstraints(strategy)) return false;
  if (strategy.name === 'default') return true;
  const { stickiness = 'default' } = strategy.parameters ?? {};
  return (
    strategy.name === 'flexibleRollout' && getPercent(strategy) === 100 && ['default', 'random'].includes(stickiness)
  );
}

/** Returns whether this is a `default` strategy without constraints. */
export function isUnlimitedDefault(strategy: AudienceRule): boolean {
  return strategy.name === 'default' && !hasConstraints(strategy);
}

/** Returns the user ids of a `userWithId` strategy. */
export function getUserIds({ name, parameters = {} }: AudienceRule): string[] {
  return name === 'userWithId' ? splitList(parameters['userIds'] ?? '') : [];
}
