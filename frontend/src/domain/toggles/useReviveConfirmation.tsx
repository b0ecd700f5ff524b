import { useCapabilities } from '@/api/capabilities';
import type { Toggle } from '@/api/generated/types';
import { useConfirm } from '@/ui/useConfirm';

/** Asks before a toggle is revived, if it is then off in every environment. `revive` resolves with whether it succeeded. */
export function useReviveConfirmation(revive: (toggle: Toggle) => Promise<boolean>) {
  const staysOff = useCapabilities().reviveStaysOff;
  const { ask, dialog } = useConfirm<Toggle>((toggle) => ({
    title: `Revive ${toggle.name}`,
    body: 'The toggle will be off in every environment.',
    confirmLabel: 'Revive',
    action: async () => {
      if (!(await revive(toggle))) throw new Error('The toggle could not be revived.');
    },
  }));
  const start = async (toggle: Toggle) => (staysOff ? (await ask(toggle)) === true : revive(toggle));
  return { revive: start, dialog };
}
