// Words of plans.
import type { Dependency, PlanReview, ReviewedChange, StrategyDefinition, TagType } from '@/api/generated/types';
import { MANAGED_BY } from '@/api/managedToggles';
import { type ChangeGroup, describeToggleChanges } from '@/domain/changes/describeChanges';
import { mayWiden } from '@/domain/impact/effect';
import type { SegmentName } from '@/domain/strategies/useSegmentName';
import { jsonEqual } from '@/lib/json';
import type { ChangeResult } from './planState';

export function countChanges(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`;
}

/** Describes the changes that are left to apply, such as `3 changes, 2 of which may widen who gets the feature`. */
export function describeSummary(changes: readonly Pick<ReviewedChange, 'status' | 'action' | 'effect'>[]): string {
  const ready = changes.filter(({ status }) => status === 'ready');
  if (ready.length === 0) return `${countChanges(changes.length)}, nothing left to apply`;
  const widening = ready.filter(({ effect }) => mayWiden(effect)).length;
  const archived = ready.filter(({ action }) => action === 'archive').length;
  return [
    countChanges(ready.length),
    widening > 0 ? `${widening} of which may widen who gets the feature` : 'none of which widens who gets the feature',
    archived > 0 &&
      `${archived} of which ${archived === 1 ? 'archives a toggle' : 'archive toggles'} that the files name no more`,
  ]
    .filter(Boolean)
    .join(', ');
}

export const ACTIONS: { readonly [action in ReviewedChange['action']]: string } = {
  create: 'Create',
  revive: 'Revive',
  change: 'Change',
  archive: 'Archive',
};

interface DescribeOptions {
  definitions?: readonly StrategyDefinition[] | undefined;
  locale: string;
  segmentName: SegmentName;
}

/** Describes a change, with the words of the review of unsaved changes. */
export function describeChange(
  { before, after, managedBy }: Pick<ReviewedChange, 'before' | 'after' | 'managedBy'>,
  options: DescribeOptions,
): ChangeGroup[] {
  const [from, to = []] = [before, after].map(({ dependencies }) => dependencies ?? []);
  const parents = to.map(describeParent).join(', ');
  const dependencies = jsonEqual(from, to)
    ? []
    : [{ subject: 'Dependencies', changes: [parents === '' ? 'none' : `depends on ${parents}`] }];
  const manager = managedBy === null ? [] : [{ subject: 'Files', changes: [`managed by ${managedBy}`] }];
  return [...describeToggleChanges(before, after, options), ...dependencies, ...manager];
}

function describeParent({ feature, enabled, variants }: Dependency): string {
  if (enabled === false) return `${feature} (off)`;
  if (!variants || variants.length === 0) return feature;
  return `${feature} (${variants.length === 1 ? 'variant' : 'variants'} ${variants.join(', ')})`;
}

/** Returns the tag types that changes need and the server does not have. */
export function findMissingTypes(
  changes: readonly Pick<ReviewedChange, 'tags' | 'managedBy'>[],
  existing: readonly TagType[],
): string[] {
  const needed = new Set(changes.flatMap(({ tags }) => tags ?? []).map(({ type }) => type));
  if (changes.some(({ managedBy }) => managedBy !== null)) needed.add(MANAGED_BY);
  return [...needed].filter((name) => !existing.some((type) => type.name === name)).toSorted();
}

/** Describes how far a plan is applied: `2 of 5 changes applied, 1 failed, 2 not tried`. Empty before anything was sent. */
export function describeProgress(
  { changes }: Pick<PlanReview, 'changes'>,
  results: ReadonlyMap<string, ChangeResult>,
): string {
  const all = [...results.values()];
  if (all.length === 0) return '';
  const applied = changes.filter(({ name, status }) => results.get(name) === 'applied' || status === 'applied').length;
  const failed = all.filter((result) => typeof result === 'object').length;
  const outdated = changes.filter(({ name, status }) => status === 'outdated' && !results.has(name)).length;
  const left = changes.length - applied - failed - outdated;
  const parts = [
    `${applied} of ${countChanges(changes.length)} applied`,
    failed > 0 && `${failed} failed`,
    outdated > 0 && `${outdated} outdated`,
    left > 0 && `${left} left`,
  ];
  return parts.filter(Boolean).join(', ');
}
