// What a deed for many toggles changes in the list, and what there is to say about it.
import type { Toggle } from '@/api/generated/types';
import type { BulkFailure } from './bulkState';

export type Changes = Map<string, Toggle | 'gone'>;

/** Toggles that were not in the list come to its end: it is ordered where it is shown. */
export function applyChanges(all: readonly Toggle[], changes: Changes): Toggle[] {
  const known = new Set<string>();
  const kept = all.flatMap((toggle) => {
    known.add(toggle.name);
    const now = changes.get(toggle.name) ?? toggle;
    return now === 'gone' ? [] : [now];
  });
  const added = [...changes.values()].filter((now) => now !== 'gone' && !known.has(now.name));
  return [...kept, ...added.filter((now) => now !== 'gone')];
}

export function countOf(count: number): string {
  return `${count} ${count === 1 ? 'toggle' : 'toggles'}`;
}

const NAMED = 3;

/** Such as `2 toggles could not be changed back: a (No), b (No). 5 were not tried.` */
export function failureText(failures: readonly BulkFailure[], left: number): string {
  const named = failures.slice(0, NAMED).map(({ toggle, reason }) => `${toggle.name} (${reason})`);
  const more = failures.length > NAMED ? [`${failures.length - NAMED} more`] : [];
  const failed = `${countOf(failures.length)} could not be changed back: ${[...named, ...more].join(', ')}.`;
  return [failures.length > 0 && failed, left > 0 && `${left} were not tried.`].filter(Boolean).join(' ');
}
