// The users that a change adds and removes, in words. Pure functions.
import type { Strategy, Toggle } from '@/api/generated/types';
import { getBuiltInList } from '@/domain/strategies/builtInStrategies';
import { matchStrategies } from '@/domain/strategies/matchStrategies';
import { describeRule } from '@/domain/strategies/ruleSentence';
import type { SegmentName } from '@/domain/strategies/useSegmentName';
import { joinFirst, splitList } from '@/lib/text';

/** Number of users, hosts or addresses before "and 2 more". */
const MAX_VALUES = 3;

/** Describes whom a change adds and removes, such as `New: 7. No longer: 45 % of users.`; undefined if it only edits rules. */
export function describeHalves(before: Toggle, after: Toggle, segmentName: SegmentName): string | undefined {
  const [old, now] = [before, after].map(getActive) as [readonly Strategy[], readonly Strategy[]];
  const origins = matchStrategies(old, now);
  const describe = (rule: Strategy, others?: Strategy) => describeRulePart(rule, others, after.name, segmentName);
  const added = now.flatMap((rule, at) => describe(rule, old[origins[at] ?? -1]) ?? []);
  const removed = old.flatMap((rule, at) => describe(rule, now[origins.indexOf(at)]) ?? []);
  const halves = [
    added.length > 0 && `New: ${added.join('; ')}.`,
    removed.length > 0 && `No longer: ${removed.join('; ')}.`,
  ];
  return halves.filter(Boolean).join(' ') || undefined;
}

function getActive({ enabled, strategies }: Toggle): readonly Strategy[] {
  return enabled ? strategies.filter(({ disabled }) => !disabled) : [];
}

/** Describes a rule without the entries of its other version; undefined if nothing is left. */
function describeRulePart(
  rule: Strategy,
  other: Strategy | undefined,
  toggleName: string,
  segmentName: SegmentName,
): string | undefined {
  const entries = getEntries(rule);
  const known = new Set(other && getEntries(other));
  const own = entries?.filter((entry) => !known.has(entry));
  if (own) return own.length > 0 ? joinFirst(own, MAX_VALUES) : undefined;
  return other ? undefined : describeRule(rule, { toggleName, segmentName, maxValues: MAX_VALUES });
}

/** The entries of a list without constraints. */
function getEntries({ name, parameters = {}, constraints, segments }: Strategy): string[] | undefined {
  const list = getBuiltInList(name);
  const isLimited = (constraints?.length ?? 0) + (segments?.length ?? 0) > 0;
  return list === undefined || isLimited ? undefined : splitList(parameters[list] ?? '');
}
