// Groups and filters the strategies that can be added to a toggle. Pure functions.

import type { StrategyDefinition } from '@/api/generated/types';

export interface StrategyGroup {
  label: string;
  definitions: readonly StrategyDefinition[];
}

/** Number of strategies from which a menu has a filter field. */
export const FILTER_FROM = 8;

const COMMON = ['flexibleRollout', 'userWithId', 'default'];

/** Strategies that flexibleRollout replaces. Servers do not mark them as deprecated. */
const OLDER = /^gradualRollout(Random|SessionId|UserId)$/u;

/** Returns the strategies whose name or description contains the text, common ones first. Omits empty groups. */
export function groupStrategies(definitions: readonly StrategyDefinition[], filter = ''): StrategyGroup[] {
  const shown = definitions.filter(({ name, description }) => matchesFilter(filter, name, description ?? ''));
  const common = COMMON.flatMap((name) => shown.find((one) => one.name === name) ?? []);
  const others = shown.filter(({ name }) => !COMMON.includes(name) && !OLDER.test(name));
  const older = shown.filter(({ name }) => OLDER.test(name));
  return [
    { label: 'Common', definitions: common },
    { label: 'More', definitions: others },
    { label: 'Older', definitions: older },
  ].filter((group) => group.definitions.length > 0);
}

/** Returns whether one of the texts contains the filter, ignoring case. */
export function matchesFilter(filter: string, ...texts: readonly string[]): boolean {
  const sought = filter.trim().toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(sought));
}
