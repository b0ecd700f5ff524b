// Matches the activation strategies of two versions of a toggle by content, because most servers give them no ids.
import type { Strategy } from '@/api/generated/types';
import { jsonEqual } from '@/lib/json';

/** Returns whether a stored strategy is the sent one: servers add an id and properties without a value. */
export function isStoredVersionOf(sent: Strategy, stored: Strategy): boolean {
  const { id: _, ...added }: Record<string, unknown> = { ...stored };
  const { id: __, ...fields }: Record<string, unknown> = { ...sent };
  for (const [name, value] of Object.entries(fields)) {
    if (!jsonEqual(value, added[name])) return false;
    delete added[name];
  }
  return Object.values(added).every(isBlank);
}

function isBlank(value: unknown): boolean {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Returns the index in `before` of each strategy in `after`, or undefined for a new strategy. */
export function matchStrategies(before: readonly Strategy[], after: readonly Strategy[]): (number | undefined)[] {
  const pairs = after.flatMap((strategy, to) =>
    before.map((old, from) => ({ from, to, score: similarity(old, strategy) })).filter(({ score }) => score > 0),
  );
  pairs.sort((a, b) => b.score - a.score || distance(a) - distance(b) || a.to - b.to);
  const origin: (number | undefined)[] = after.map(() => undefined);
  const taken = new Set<number>();
  for (const { from, to } of pairs) {
    if (taken.has(from) || origin[to] !== undefined) continue;
    taken.add(from);
    origin[to] = from;
  }
  return origin;
}

function distance({ from, to }: { from: number; to: number }): number {
  return Math.abs(from - to);
}

const IDENTICAL = 1_000_000;

/** Returns a similarity score; 0 if the strategies cannot be versions of each other. */
function similarity(a: Strategy, b: Strategy): number {
  if (a.name !== b.name) return 0;
  if (a.id !== undefined && b.id !== undefined) return a.id === b.id ? IDENTICAL : 0;
  if (jsonEqual(a, b)) return IDENTICAL;
  const { parameters = {} } = b;
  const shared = Object.entries(a.parameters ?? {}).filter(([name, value]) => parameters[name] === value).length;
  return 1 + shared + (jsonEqual(a.constraints ?? [], b.constraints ?? []) ? 1 : 0);
}
