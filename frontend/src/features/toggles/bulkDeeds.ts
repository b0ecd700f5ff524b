// What can be done to many toggles at once, each deed with the one that takes it back.
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
import { tagText } from '@/lib/tags';

interface Result {
  /** The toggle as it is now, if the list shows the difference. */
  now: Toggle | 'gone' | 'same';
  /** False: the server had it so before, and there is nothing to take back. */
  changed: boolean;
}

export interface Deed {
  /** As in `Switching on 3 toggles`. */
  doing: string;
  /** As in `3 toggles switched on`. */
  did: string;
  /** False: it is so already, and the server is not asked. */
  applies: (toggle: Toggle) => boolean;
  act: (toggle: Toggle) => Promise<Result>;
  inverse: () => Deed;
  /** Which way it switches; left out where it leaves that alone. */
  switches?: boolean;
  tag?: Tag;
}

const changed = (now: Result['now']): Result => ({ now, changed: true });
const always = () => true;

export function switchAll(enabled: boolean): Deed {
  const way = enabled ? 'on' : 'off';
  return {
    doing: `Switching ${way}`,
    did: `switched ${way}`,
    applies: (toggle) => toggle.enabled !== enabled,
    act: async (toggle) => changed((await write(switchFeature(toggle.name, enabled))) ?? { ...toggle, enabled }),
    inverse: () => switchAll(!enabled),
    switches: enabled,
  };
}

export function markAll(stale: boolean): Deed {
  const as = stale ? 'stale' : 'active';
  return {
    doing: `Marking as ${as}`,
    did: `marked as ${as}`,
    applies: (toggle) => toggle.stale !== stale,
    act: async (toggle) => changed((await write(setFeatureStale(toggle.name, stale))) ?? { ...toggle, stale }),
    inverse: () => markAll(!stale),
  };
}

export function tagAll(tag: Tag): Deed {
  return {
    doing: `Tagging ${tagText(tag)}`,
    did: `tagged ${tagText(tag)}`,
    tag,
    applies: always,
    act: (toggle) =>
      write(tagFeature(toggle.name), tag).then(
        () => changed('same'),
        (failure: unknown) => {
          // The name was found in the list: what is taken is the tag.
          if (failure instanceof ApiError && failure.status === 409) return { now: 'same', changed: false };
          throw failure;
        },
      ),
    inverse: () => ({
      ...tagAll(tag),
      act: async (toggle) => {
        await write(untagFeature(toggle.name, tag));
        return changed('same');
      },
    }),
  };
}

export function archiveAll(): Deed {
  return {
    doing: 'Archiving',
    did: 'archived',
    applies: always,
    act: async ({ name }) => {
      await write(archiveFeature(name));
      return changed('gone');
    },
    inverse: reviveAll,
  };
}

function reviveAll(): Deed {
  return {
    doing: 'Reviving',
    did: 'revived',
    applies: always,
    act: async (toggle) => {
      await write(reviveFeature(toggle.name));
      // Servers bring toggles back switched off.
      if (toggle.enabled) await write(switchFeature(toggle.name, true));
      return changed(toggle);
    },
    inverse: archiveAll,
  };
}
