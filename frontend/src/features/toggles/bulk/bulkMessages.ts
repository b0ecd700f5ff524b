// Messages about bulk actions.
import type { BulkFailure } from './bulkState';

export function countToggles(count: number): string {
  return `${count} ${count === 1 ? 'toggle' : 'toggles'}`;
}

const MAX_NAMES = 3;

/** Describes failures of an undo: `2 toggles could not be changed back: a (No), b (No). 5 were not tried.` */
export function describeFailures(failures: readonly BulkFailure[], left: number): string {
  const named = failures.slice(0, MAX_NAMES).map(({ toggle, reason }) => `${toggle.name} (${reason})`);
  const more = failures.length > MAX_NAMES ? [`${failures.length - MAX_NAMES} more`] : [];
  const failed = `${countToggles(failures.length)} could not be changed back: ${[...named, ...more].join(', ')}.`;
  return [failures.length > 0 && failed, left > 0 && `${left} were not tried.`].filter(Boolean).join(' ');
}
