// Actions on many toggles at once, each with its inverse for undo.
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
  isNeeded: (toggle: Toggle) => boolean;
  /** `codes`: questions of the server that the user has confirmed. `user`: aborted when another user signs in. */
  apply: (toggle: Toggle, codes: readonly QuestionCode[], user: AbortSignal) => Promise<BulkResult>;
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
    isNeeded: (toggle) => toggle.enabled !== enabled,
    apply: async (toggle, codes) => {
      await write(confirmed(switchFeature(toggle.name, enabled), codes));
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
    isNeeded: (toggle) => toggle.stale !== stale,
    apply: async (toggle) => {
      await write(setFeatureStale(toggle.name, stale));
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
    apply: (toggle) =>
      write(tagFeature(toggle.name), tag).then(
        () => changed('unchanged'),
        (failure: unknown) => {
          // Conflict: the toggle already has the tag.
          if (failure instanceof ApiError && failure.status === 409) return { current: 'unchanged', changed: false };
          throw failure;
        },
      ),
    inverse: () => ({
      ...createTagAction(tag),
      apply: async (toggle) => {
        await write(untagFeature(toggle.name, tag));
        return changed('unchanged');
      },
    }),
  };
}

export function createArchiveAction(): BulkAction {
  return {
    progressLabel: 'Archiving',
    doneLabel: 'archived',
    isNeeded: always,
    apply: async ({ name }) => {
      await write(archiveFeature(name));
      return changed('removed');
    },
    inverse: createReviveAction,
  };
}

function createReviveAction(): BulkAction {
  return {
    progressLabel: 'Reviving',
    doneLabel: 'revived',
    isNeeded: always,
    apply: async (toggle, _codes, user) => {
      await write(reviveFeature(toggle.name));
      user.throwIfAborted();
      // Servers revive toggles in the disabled state.
      if (toggle.enabled) await write(switchFeature(toggle.name, true));
      return changed({ revived: toggle });
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
  const named = failures.slice(0, MAX_NAMES).map(({ toggle, reason }) => `${toggle.name} (${reason})`);
  const more = failures.length > MAX_NAMES ? [`${failures.length - MAX_NAMES} more`] : [];
  const failed = `${countToggles(failures.length)} could not be changed back: ${[...named, ...more].join(', ')}.`;
  return [failures.length > 0 && failed, left > 0 && `${left} were not tried.`].filter(Boolean).join(' ');
}
