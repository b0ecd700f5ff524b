// Writes of a toggle, with their patches of the cached lists.
import { useMemo } from 'react';
import { currentCapabilities } from '@/api/capabilities';
import { read } from '@/api/client';
import { createFeature, feature, featureEvents, features, setFeatureStale, switchFeature } from '@/api/endpoints';
import { inEnvironment } from '@/api/environment';
import type { Toggle, ToggleDraft } from '@/api/generated/types';
import { useWrite } from '@/api/useWrite';
import { offerUndo, pushInfo } from '@/api/notices';
import { addToggle, currentToggle, patchToggle } from '@/api/toggles';
import { confirmSwitch } from '@/domain/toggles/confirmSwitch';
import { sendArchival } from '@/domain/toggles/sendArchival';
import { assertHasStrategy, withPositions } from '@/domain/toggles/serverRules';
import { sendRevival } from '@/domain/toggles/useRevive';

/** Ignores an error that the snackbar already shows. */
const ignoreReportedError = () => undefined;

/** `done`: what another user has done since, such as `revived`. */
function createNothingToUndo(name: string, done: string): Error {
  return new Error(`Nothing to undo: ${name} was ${done} in the meantime.`);
}

export function useToggleWrites() {
  const { send, fetchFresh } = useWrite();
  return useMemo(() => {
    const flip = (toggle: Toggle, enabled: boolean) =>
      send(switchFeature(toggle.name, enabled), {
        patches: () => [() => patchToggle(toggle.name, { enabled })],
        refreshes: [
          featureEvents(toggle.name),
          ...(currentCapabilities().switchAddsStrategies ? [feature(toggle.name)] : []),
        ],
        failureText: `${toggle.name} was not switched ${enabled ? 'on' : 'off'}`,
      });
    const mark = (toggle: Toggle, stale: boolean) =>
      send(setFeatureStale(toggle.name, stale), {
        patches: () => [() => patchToggle(toggle.name, { stale })],
        refreshes: [featureEvents(toggle.name)],
        failureText: `${toggle.name} was not marked as ${stale ? 'Stale' : 'Active'}`,
      });
    const revive = async (toggle: Toggle) => {
      await sendRevival(send, toggle);
      if (toggle.enabled) await flip(toggle, true);
    };
    // Undos read the stored toggle first, and leave alone what another user has changed since.
    const findLive = async (name: string) => (await fetchFresh(features)).features.find((one) => one.name === name);
    const findForUndo = async (name: string) => {
      const live = await findLive(name);
      if (!live) throw createNothingToUndo(name, 'archived');
      return live;
    };
    const undoArchival = async (archived: Toggle) => {
      if (await findLive(archived.name)) throw createNothingToUndo(archived.name, 'revived');
      await revive(archived);
    };
    const undoRevival = async ({ name, enabled }: Toggle) => {
      const live = await findForUndo(name);
      if (live.enabled !== enabled)
        throw new Error(`Not archived: ${name} was switched ${live.enabled ? 'on' : 'off'} in the meantime.`);
      await sendArchival(send, name, { inline: false });
    };
    const undoSwitch = async (toggle: Toggle, enabled: boolean) => {
      if (!(await confirmSwitch(toggle.name, !enabled))) return false;
      const live = await findForUndo(toggle.name);
      if (live.enabled !== enabled) throw createNothingToUndo(toggle.name, `switched ${enabled ? 'off' : 'on'}`);
      return flip(toggle, !enabled);
    };
    const undoMark = async (toggle: Toggle, stale: boolean) => {
      const live = await findForUndo(toggle.name);
      if ((live.stale ?? false) !== stale)
        throw createNothingToUndo(toggle.name, `marked as ${stale ? 'Active' : 'Stale'}`);
      return mark(toggle, !stale);
    };
    return {
      async setEnabled(toggle: Toggle, enabled: boolean): Promise<void> {
        if (!(await confirmSwitch(toggle.name, enabled))) return;
        // Another user may have done it during the question: then there is nothing to undo.
        const isChange = currentToggle(toggle.name)?.enabled !== enabled;
        const offer = () => {
          const text = `${toggle.name} switched ${enabled ? 'on' : 'off'}${inEnvironment()}.`;
          if (isChange) offerUndo(text, () => undoSwitch(toggle, enabled));
          else pushInfo(text);
        };
        await flip(toggle, enabled).then(offer, ignoreReportedError);
      },
      async setStale(toggle: Toggle, stale: boolean): Promise<void> {
        const offer = () =>
          offerUndo(`${toggle.name} marked as ${stale ? 'Stale' : 'Active'}.`, () => undoMark(toggle, stale));
        await mark(toggle, stale).then(offer, ignoreReportedError);
      },
      /** Archives a toggle. Throws, and the dialog shows the error. */
      async archive(name: string): Promise<void> {
        // The page may be older than a change of another user. If the toggle cannot be read, its known state decides.
        await read(feature(name), { isAction: true }).catch(() => undefined);
        const archived = await sendArchival(send, name, { inline: true });
        if (archived) offerUndo(`${name} archived.`, () => undoArchival(archived));
        else pushInfo(`${name} archived.`);
      },
      /** Revives a toggle, and switches it on if `toggle` is on. */
      async revive(toggle: Toggle): Promise<void> {
        const offer = () => offerUndo(`${toggle.name} revived.`, () => undoRevival(toggle));
        await revive(toggle).then(offer, ignoreReportedError);
      },
      /** Creates a toggle. Throws, and the form shows the error. */
      async create(body: ToggleDraft, call = createFeature): Promise<void> {
        assertHasStrategy(body);
        await send(call, {
          body: withPositions(body),
          patches: (response) => (response ? [() => addToggle(response)] : []),
          refreshes: [features],
          inline: true,
        });
      },
    };
  }, [send, fetchFresh]);
}
