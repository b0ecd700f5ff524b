// Actions on many toggles at once, each with its inverse for undo. They take names, and read the state when they run.
import { write } from '@/api/client';
import {
  archiveFeature,
  reviveFeature,
  setFeatureStale,
  switchFeature,
  tagFeature,
  untagFeature,
} from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { Tag, Toggle } from '@/api/generated/types';
import { confirmed, type QuestionCode } from '@/api/questions';
import { currentToggle } from '@/api/toggles';
import { formatTag } from '@/domain/tags/tags';
import type { BulkFailure } from './bulkState';

export interface BulkResult {
  /** Effect on the toggle list. */
  current: Partial<Toggle> | { revived: Toggle } | 'removed' | 'unchanged';
  /** False if the server already had the requested state, so that there is nothing to undo. */
  changed: boolean;
}

export interface BulkAction {
  /** Such as `Switching on`, before the number of toggles. */
  progressLabel: string;
  /** Such as `switched on`, after the number of toggles. */
  doneLabel: string;
  /** False if the toggle already has the requested state; no request is sent then. */
  isNeeded: (name: string) => boolean;
  /** `codes`: questions of the server that the user has confirmed. `user`: aborted when another user signs in. */
  apply: (name: string, codes: readonly QuestionCode[], user: AbortSignal) => Promise<BulkResult>;
  inverse: () => BulkAction;
  /** New enabled state; absent if the action does not switch. */
  switches?: boolean;
  tag?: Tag;
}

const changed = (current: BulkResult['current']): BulkResult => ({ current, changed: true });
const always = () => true;

export function createSwitchAction(enabled: boolean): BulkAction {
  const state = enabled ? 'on' : 'off';
  return {
    progressLabel: `Switching ${state}`,
    doneLabel: `switched ${state}`,
    isNeeded: (name) => currentToggle(name)?.enabled !== enabled,
    apply: async (name, codes) => {
      await write(confirmed(switchFeature(name, enabled), codes));
      return changed({ enabled });
    },
    inverse: () => createSwitchAction(!enabled),
    switches: enabled,
  };
}

export function createStaleAction(stale: boolean): BulkAction {
  const status = stale ? 'stale' : 'active';
  return {
    progressLabel: `Marking as ${status}`,
    doneLabel: `marked as ${status}`,
    isNeeded: (name) => currentToggle(name)?.stale !== stale,
    apply: async (name) => {
      await write(setFeatureStale(name, stale));
      return changed({ stale });
    },
    inverse: () => createStaleAction(!stale),
  };
}

export function createTagAction(tag: Tag): BulkAction {
  return {
    progressLabel: `Tagging ${formatTag(tag)}`,
    doneLabel: `tagged ${formatTag(tag)}`,
    tag,
    isNeeded: always,
    apply: (name) =>
      write(tagFeature(name), tag).then(
        () => changed('unchanged'),
        (failure: unknown) => {
          // Conflict: the toggle already has the tag.
          if (failure instanceof ApiError && failure.status === 409) return { current: 'unchanged', changed: false };
          throw failure;
        },
      ),
    inverse: () => ({
      ...createTagAction(tag),
      apply: async (name) => {
        await write(untagFeature(name, tag));
        return changed('unchanged');
      },
    }),
  };
}

export function createArchiveAction(): BulkAction {
  /** The last known state of each archived toggle: another user may have changed it since it was selected. */
  const archived = new Map<string, Toggle>();
  return {
    progressLabel: 'Archiving',
    doneLabel: 'archived',
    isNeeded: always,
    apply: async (name) => {
      const before = currentToggle(name);
      await write(archiveFeature(name));
      const toggle = currentToggle(name) ?? before;
      if (toggle) archived.set(name, toggle);
      return changed('removed');
    },
    inverse: () => createReviveAction(archived),
  };
}

function createReviveAction(archived: ReadonlyMap<string, Toggle>): BulkAction {
  return {
    progressLabel: 'Reviving',
    doneLabel: 'revived',
    // Another user may have revived and changed it.
    isNeeded: (name) => currentToggle(name) === undefined,
    apply: async (name, _codes, user) => {
      const toggle = archived.get(name);
      await write(reviveFeature(name));
      user.throwIfAborted();
      // Servers revive toggles in the disabled state.
      if (toggle?.enabled) await write(switchFeature(name, true));
      return changed(toggle ? { revived: toggle } : 'unchanged');
    },
    inverse: createArchiveAction,
  };
}

export function countToggles(count: number): string {
  return `${count} ${count === 1 ? 'toggle' : 'toggles'}`;
}

const MAX_NAMES = 3;

/** Describes failures of an undo: `2 toggles could not be changed back: a (No), b (No). 5 were not tried.` */
export function describeFailures(failures: readonly BulkFailure[], left: number): string {
  const named = failures.slice(0, MAX_NAMES).map(({ name, reason }) => `${name} (${reason})`);
  const more = failures.length > MAX_NAMES ? [`${failures.length - MAX_NAMES} more`] : [];
  const failed = `${countToggles(failures.length)} could not be changed back: ${[...named, ...more].join(', ')}.`;
  return [failures.length > 0 && failed, left > 0 && `${left} were not tried.`].filter(Boolean).join(' ');
}
