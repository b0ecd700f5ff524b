// Summarises the changes of a toggle as verb phrases, such as `switched the toggle off`.
import type { Toggle } from '@/api/generated/types';
import { jsonEqual } from '@/lib/json';
import { type ChangeGroup, type ChangeOptions, describeToggleChanges } from './describeChanges';
import { isServerField } from './serverFields';

/** Number of phrases before "n more changes". */
const MAX_PHRASES = 3;

/** Returns the changes as one phrase; undefined without a change. */
export function summariseToggleChanges(before: Toggle, after: Toggle, options: ChangeOptions = {}): string | undefined {
  const groups = describeToggleChanges(before, after, options).filter(({ subject }) => subject !== 'Toggle');
  const isVariant = ({ subject }: ChangeGroup) => subject.startsWith('Variant ');
  const variants = groups.filter(isVariant);
  const values: Json = { ...after };
  const fields = findChangedFields({ ...before }, values);
  const describeFields = (isWanted: (field: string) => boolean) =>
    fields.filter(isWanted).map((field) => fieldPhrase(field, values[field]));
  const phrases = [
    ...describeFields((field) => STATUS_FIELDS.includes(field)),
    ...groups.filter((group) => !isVariant(group)).map(groupPhrase),
    // The weights of all variants change together.
    ...(variants.length > 1 ? ['changed the variants'] : variants.map(groupPhrase)),
    ...describeFields((field) => !STATUS_FIELDS.includes(field)),
  ];
  return phrases.length === 0 ? undefined : joinPhrases(phrases);
}

/** Fields that are named first. */
const STATUS_FIELDS = ['enabled', 'stale', 'project'];
/** Fields whose changes are described by item. */
const LISTS = ['strategies', 'variants'];

type Json = Record<string, unknown>;

/** Returns the changed fields of a toggle, except its strategies and variants. */
export function findChangedFields(before: Json, after: Json): string[] {
  return Object.keys({ ...before, ...after }).filter(
    (key) => !LISTS.includes(key) && !isServerField(key) && !jsonEqual(before[key] ?? '', after[key] ?? ''),
  );
}

/** Fields whose name is not a word. */
const FIELD_NAMES: { readonly [field: string]: string } = { impressionData: 'impression data' };

function fieldPhrase(field: string, value: unknown): string {
  switch (field) {
    case 'enabled':
      return `switched the toggle ${value ? 'on' : 'off'}`;
    case 'stale':
      return `marked the toggle as ${value ? 'stale' : 'active'}`;
    case 'project':
      return `moved the toggle to the project ${value}`;
    case 'type':
      return `changed the type to ${value}`;
    default:
      return `changed the ${FIELD_NAMES[field] ?? field}`;
  }
}

function groupPhrase({ subject, changes }: ChangeGroup): string {
  const [first = ''] = changes;
  const name = subject.startsWith('Variant ') ? `the variant ${subject.slice('Variant '.length)}` : subject;
  if (subject === 'Order') return 'reordered the strategies';
  for (const verb of ['added', 'removed']) {
    if (first.startsWith(verb)) return `${verb} ${name}${first.slice(verb.length)}`;
  }
  return changes.length === 1 ? `changed ${name}: ${first}` : `changed ${name}`;
}

function joinPhrases(phrases: readonly string[]): string {
  const isTooMany = phrases.length > MAX_PHRASES;
  const shown = isTooMany ? phrases.slice(0, MAX_PHRASES - 1) : phrases;
  const rest = phrases.length - shown.length;
  const parts = rest > 0 ? [...shown, `made ${rest} more changes`] : shown;
  return parts.length === 1 ? String(parts[0]) : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
