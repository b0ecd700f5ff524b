import type { ReactNode } from 'react';
import type { StrategyDefinition } from '@/api/generated/types';
import { useConfirm } from '@/ui/useConfirm';
import { StrategyUsage } from './StrategyUsage';
import { useStrategyWrites } from './useStrategyWrites';

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

/** Asks for confirmation before a definition is deprecated, reactivated or deleted, and lists its usage. */
export function useStrategyActions(onRemoved?: () => void) {
  const { setDeprecated, remove } = useStrategyWrites();
  return useConfirm<PendingAction>(({ action, definition }) => {
    const { verb, prompt, consequence } = ACTION_TEXTS[action];
    const { name } = definition;
    return {
      title: `${verb} ${name}`,
      body: (
        <div className="grid gap-4">
          <p className="font-semibold text-text">{prompt}</p>
          <p>
            <b className="wrap-anywhere text-text">{name}</b> {consequence}
          </p>
          {action !== 'reactivate' && <StrategyUsage name={name} level={3} />}
        </div>
      ),
      confirmLabel: verb,
      ...(action === 'remove' && { tone: 'danger' }),
      action: async () => {
        if (action !== 'remove') return setDeprecated(definition, action === 'deprecate');
        await remove(definition);
        onRemoved?.();
      },
    };
  });
}
