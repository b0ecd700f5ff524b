// Short descriptions of the changes of a toggle, each for one chip in a row of the history.
import type { Toggle } from '@/api/generated/types';
import {
  type ChangeGroup,
  type ChangeOptions,
  describeStrategyChanges,
  describeToggleChanges,
} from './describeChanges';
import { findChangedFields } from './summariseChanges';

export interface ChangeChip {
  /** The changed part, such as `description` or `flexibleRollout`. */
  label: string;
  /** The part was added or removed. */
  kind?: 'added' | 'removed';
  /** The values before and after the change, if they are short. */
  values?: readonly [before: string, after: string];
}

/** Describes the changes of a toggle, except those of the fields `described`. */
export function describeChips(
  before: Toggle,
  after: Toggle,
  described: readonly string[] = [],
  options: ChangeOptions = {},
): ChangeChip[] {
  const [from, to]: Record<string, unknown>[] = [{ ...before }, { ...after }];
  const fields = findChangedFields(from ?? {}, to ?? {}).filter((field) => !described.includes(field));
  const groups = describeToggleChanges(before, after, options).filter(({ subject }) => subject !== 'Toggle');
  const strategies = groups.filter(({ subject }) => !isVariant(subject));
  const variants = groups.filter(({ subject }) => isVariant(subject));
  return [
    ...strategies.map(describeGroup),
    // The weights of all variants change together.
    ...(variants.length > 1 ? [{ label: 'variants' }] : variants.map(describeGroup)),
    ...fields.map((field) => describeField(field, from?.[field], to?.[field])),
  ];
}

/** Describes the changes of one strategy; without a version before or after, it was added or removed. */
export function describeStrategyChips(
  before: Toggle['strategies'][number] | undefined,
  after: Toggle['strategies'][number] | undefined,
  options: ChangeOptions = {},
): ChangeChip[] {
  const versions = [before, after].map((strategy) => ({ strategies: strategy ? [strategy] : [], variants: [] }));
  const [from, to] = versions as unknown as Toggle[];
  if (before && after)
    return describeStrategyChanges(before, after, options).map((change) => describeChange(after.name, change));
  return from && to ? describeToggleChanges(from, to, options).map(describeGroup) : [];
}

const isVariant = (subject: string) => subject.startsWith('Variant ');

function describeGroup({ subject, changes }: ChangeGroup): ChangeChip {
  const [first = ''] = changes;
  const name = isVariant(subject) ? `variant ${subject.slice('Variant '.length)}` : subject;
  if (subject === 'Order') return { label: 'order of the strategies' };
  for (const kind of ['added', 'removed'] as const) {
    if (first.startsWith(kind)) return { kind, label: name + first.slice(kind.length) };
  }
  return changes.length === 1 ? describeChange(name, first) : { label: name };
}

/** Splits a change such as `rollout 25 → 50 %` into its parts. */
function describeChange(name: string, change: string): ChangeChip {
  const [, property = '', before = '', after = ''] = /^(\S+) (.+) → (.+)$/u.exec(change) ?? [];
  if (property === '') return { label: `${name} ${change}` };
  // The name of a rollout strategy says which value it has.
  const isShare = property === 'rollout' || property === 'percentage';
  return { label: isShare ? name : `${name} ${property}`, values: [before, after] };
}

/** Values of these fields are short. */
const SHORT_FIELDS = ['type', 'project', 'enabled', 'stale'];

function describeField(field: string, before: unknown, after: unknown): ChangeChip {
  return SHORT_FIELDS.includes(field)
    ? { label: field, values: [formatShort(before), formatShort(after)] }
    : { label: field };
}

function formatShort(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' && value !== '' ? value : 'none';
}
