// Which activation strategy of one version of a toggle is which of another: servers mostly give them no identity.
import type { Strategy } from '@/api/generated/types';
import { jsonEqual } from './jsonDiff';

/** For each of `after` its place in `before`, or undefined for one that is new. */
export function matchStrategies(before: readonly Strategy[], after: readonly Strategy[]): (number | undefined)[] {
  const pairs = after.flatMap((card, to) =>
    before.map((old, from) => ({ from, to, likeness: likeness(old, card) })).filter((pair) => pair.likeness > 0),
  );
  pairs.sort((a, b) => b.likeness - a.likeness || distance(a) - distance(b) || a.to - b.to);
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

const SAME = 1_000_000;

/** 0 for two that cannot be the same one; else the higher, the more they have in common. */
function likeness(a: Strategy, b: Strategy): number {
  if (a.name !== b.name) return 0;
  if (a.id !== undefined && b.id !== undefined) return a.id === b.id ? SAME : 0;
  if (jsonEqual(a, b)) return SAME;
  const { parameters: of = {} } = b;
  const shared = Object.entries(a.parameters ?? {}).filter(([name, value]) => of[name] === value).length;
  return 1 + shared + (jsonEqual(a.constraints ?? [], b.constraints ?? []) ? 1 : 0);
}
