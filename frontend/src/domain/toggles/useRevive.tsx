// Revival of archived toggles.
import { useCapabilities } from '@/api/capabilities';
import { archivedFeatures, feature, featureEvents, features, reviveFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { patch } from '@/api/useRead';
import { useWrite } from '@/api/useWrite';
import { addToggle } from '@/api/toggles';
import { useConfirm } from '@/ui/useConfirm';

/** Revives a toggle. Servers revive toggles in the disabled state, newer ones in every environment. */
export function sendRevival(
  send: ReturnType<typeof useWrite>['send'],
  toggle: Toggle,
  { inline = false } = {},
): Promise<unknown> {
  const { name } = toggle;
  const withoutToggle = patch(archivedFeatures, (response) => ({
    ...response,
    features: response.features.filter((one) => one.name !== name),
  }));
  return send(reviveFeature(name), {
    patches: () => [() => addToggle({ ...toggle, enabled: false }), withoutToggle],
    refreshes: [features, feature(name), featureEvents(name)],
    inline,
  });
}

/**
 * Returns a function that revives a toggle and resolves with whether it succeeded. It asks first if the toggle is then off
 * in every environment. The snackbar shows errors.
 */
export function useRevive() {
  const { send, busy } = useWrite();
  const staysOff = useCapabilities().reviveStaysOff;
  const revive = (toggle: Toggle): Promise<boolean> =>
    sendRevival(send, toggle).then(
      () => true,
      () => false,
    );
  const { ask, dialog } = useConfirm<Toggle>((toggle) => ({
    title: `Revive ${toggle.name}`,
    body: 'The toggle will be off in every environment.',
    confirmLabel: 'Revive',
    action: async () => {
      if (!(await revive(toggle))) throw new Error('The toggle could not be revived.');
    },
  }));
  const start = async (toggle: Toggle) => (staysOff ? (await ask(toggle)) === true : revive(toggle));
  return { revive: start, reviving: busy, dialog };
}
