import type { ReactNode } from 'react';
import type { StrategyDefinition } from '@/api/generated/types';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { useStrategyWrites } from '../useStrategyWrites';
import { StrategyUsage } from './StrategyUsage';

type StrategyAction = 'deprecate' | 'reactivate' | 'remove';

/** An action on a definition that waits for confirmation. */
export interface PendingAction {
  action: StrategyAction;
  definition: StrategyDefinition;
}

interface ActionTexts {
  verb: string;
  prompt: string;
  consequence: ReactNode;
}

const ACTION_TEXTS: { [key in StrategyAction]: ActionTexts } = {
  deprecate: {
    verb: 'Deprecate',
    prompt: 'Are you sure you want to deprecate this strategy?',
    consequence: 'can no longer be added to toggles. Toggles that use it keep it.',
  },
  reactivate: {
    verb: 'Reactivate',
    prompt: 'Are you sure you want to reactivate this strategy?',
    consequence: 'can be added to toggles again.',
  },
  remove: {
    verb: 'Delete',
    prompt: 'Are you sure you want to remove this strategy?',
    consequence:
      'can no longer be added to toggles, and its parameters can no longer be edited. Toggles and applications that use it keep it.',
  },
};

interface Props {
  pending: PendingAction | undefined;
  open: boolean;
  onClose: () => void;
  onRemoved?: () => void;
}

/** Asks for confirmation before a definition is deprecated, reactivated or deleted, and lists its usage. */
export function StrategyActionDialog({ pending, open, onClose, onRemoved }: Props) {
  const { setDeprecated, remove } = useStrategyWrites();
  const texts = ACTION_TEXTS[pending?.action ?? 'remove'];
  const name = pending?.definition.name ?? 'strategy';

  async function confirm() {
    if (!pending) return;
    if (pending.action !== 'remove') return setDeprecated(pending.definition, pending.action === 'deprecate');
    await remove(pending.definition);
    onRemoved?.();
  }

  return (
    <ConfirmDialog
      open={open}
      title={`${texts.verb} ${name}`}
      body={
        <div className="grid gap-4">
          <p className="font-semibold text-text">{texts.prompt}</p>
          <p>
            <b className="wrap-anywhere text-text">{name}</b> {texts.consequence}
          </p>
          {pending && pending.action !== 'reactivate' && <StrategyUsage name={pending.definition.name} level={3} />}
        </div>
      }
      confirmLabel={texts.verb}
      {...(pending?.action === 'remove' && { tone: 'danger' as const })}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
