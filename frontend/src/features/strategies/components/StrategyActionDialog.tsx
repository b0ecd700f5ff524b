import type { ReactNode } from 'react';
import type { StrategyDefinition } from '@/api/generated/types';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { useStrategyWrites } from '../useStrategyWrites';
import { StrategyUsage } from './StrategyUsage';

type StrategyAction = 'deprecate' | 'reactivate' | 'remove';

/** A deed that somebody is about to do to a definition. */
export interface PendingAction {
  deed: StrategyAction;
  definition: StrategyDefinition;
}

interface ActionTexts {
  verb: string;
  question: string;
  consequence: ReactNode;
}

const ACTION_TEXTS: { [key in StrategyAction]: ActionTexts } = {
  deprecate: {
    verb: 'Deprecate',
    question: 'Are you sure you want to deprecate this strategy?',
    consequence: 'is no longer offered when a strategy is added to a toggle. Toggles that use it keep it.',
  },
  reactivate: {
    verb: 'Reactivate',
    question: 'Are you sure you want to reactivate this strategy?',
    consequence: 'is offered again when a strategy is added to a toggle.',
  },
  remove: {
    verb: 'Delete',
    question: 'Are you sure you want to remove this strategy?',
    consequence:
      'is no longer offered, and nothing explains its parameters. Toggles that use it keep it, and applications that implement it go on with it.',
  },
};

interface Props {
  intent: PendingAction | undefined;
  open: boolean;
  onClose: () => void;
  onRemoved?: () => void;
}

/** Asks before a definition is deprecated, reactivated or deleted, with everything that uses it in sight. */
export function StrategyActionDialog({ intent, open, onClose, onRemoved }: Props) {
  const { setDeprecated, remove } = useStrategyWrites();
  const words = ACTION_TEXTS[intent?.deed ?? 'remove'];
  const name = intent?.definition.name ?? 'strategy';

  async function confirm() {
    if (!intent) return;
    if (intent.deed !== 'remove') return setDeprecated(intent.definition, intent.deed === 'deprecate');
    await remove(intent.definition);
    onRemoved?.();
  }

  return (
    <ConfirmDialog
      open={open}
      title={`${words.verb} ${name}`}
      body={
        <div className="grid gap-4">
          <p className="font-semibold text-text">{words.question}</p>
          <p>
            <b className="wrap-anywhere text-text">{name}</b> {words.consequence}
          </p>
          {intent && intent.deed !== 'reactivate' && <StrategyUsage name={intent.definition.name} level={3} />}
        </div>
      }
      confirmLabel={words.verb}
      {...(intent?.deed === 'remove' && { tone: 'danger' as const })}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
