// Replacing a toggle as a whole, which is the only way servers have to change its parts.
import type { ReactNode } from 'react';
import { eventsOf, feature, features, updateFeature } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import { pushError, pushInfo } from '@/api/errorList';
import type { Toggle } from '@/api/generated/types';
import { patch, useWrite } from '@/api/hooks';

export const NO_STRATEGY = 'You must add at least one activation strategy';

interface SaveOptions {
  /** Throws what went wrong, for a form or dialog that shows it in place. */
  inline?: boolean;
}

interface ToggleSave {
  /**
   * Saves what `edit` makes of `base`, the toggle as the editor knew it. Answers true when it is stored; false when it
   * was refused or called off, which has been told by then.
   */
  save(base: Toggle, edit: (toggle: Toggle) => Toggle, options?: SaveOptions): Promise<boolean>;
  saving: boolean;
  /** To be rendered: asks what to do about changes that somebody else made meanwhile. */
  conflict: ReactNode;
}

export function useToggleSave({ name }: Toggle): ToggleSave {
  const { run, look, busy } = useWrite();

  async function save(base: Toggle, edit: (toggle: Toggle) => Toggle, { inline = false }: SaveOptions = {}) {
    try {
      const stored = await look(feature(name), { inline });
      const body = { ...stored, ...edit(base) };
      if (body.strategies.length === 0) throw new Error(NO_STRATEGY);
      await run(updateFeature(name), {
        body,
        inline,
        patches: (answer) => [
          patch(features, (all) => ({
            ...all,
            features: all.features.map((one) => (one.name === name ? (answer ?? body) : one)),
          })),
        ],
        refreshes: [eventsOf(name)],
      });
    } catch (thrown) {
      if (inline) throw thrown;
      if (!(thrown instanceof ApiError)) pushError(thrown instanceof Error ? thrown.message : String(thrown));
      return false;
    }
    pushInfo(`${name} successfully updated!`);
    return true;
  }

  return { save, saving: busy, conflict: null };
}
