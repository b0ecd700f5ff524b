// Names of activation strategies and their parameters.
import type { Strategy } from '@/api/generated/types';
import { capitalise } from '@/lib/text';

/** Capitalises plain lower-case words; names written like code, such as `userIds`, stay unchanged. */
export function getParameterLabel(name: string): string {
  return /^[a-z]+$/u.test(name) ? capitalise(name) : name;
}

/** Returns the strategy's name, with a number if the toggle has several of that name: `userWithId (1 of 2)`. */
export function getStrategyLabel(strategies: readonly Strategy[], index: number): string {
  const name = strategies[index]?.name ?? '';
  const count = strategies.filter((strategy) => strategy.name === name).length;
  if (count < 2) return name;
  return `${name} (${strategies.slice(0, index + 1).filter((strategy) => strategy.name === name).length} of ${count})`;
}
