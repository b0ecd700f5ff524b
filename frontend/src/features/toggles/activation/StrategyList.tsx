// The strategies of a toggle, each in a card that edits it, with controls that move them.
import type { RefObject } from 'react';
import type { ContextField, StrategyDefinition } from '@/api/generated/types';
import type { NewerToggle } from '@/api/newerTypes';
import { getStrategyLabel } from '@/domain/strategies/describeStrategy';
import { cx } from '@/lib/cx';
import { useConfirm } from '@/ui/useConfirm';
import { LabStrategy } from '../lab/LabResults';
import { OrDivider } from './OrDivider';
import { OrderControls, useReorder } from './OrderControls';
import { StrategyEditor } from './StrategyEditor';
import { type EditedStrategy, getStrategyIndexes } from './strategyDrafts';
import type { useActivation } from './useActivation';

interface Props {
  /** The element whose children are the cards. */
  list: RefObject<HTMLOListElement | null>;
  activation: ReturnType<typeof useActivation>;
  /** Undefined while loading and after a failure. */
  definitions: readonly StrategyDefinition[] | undefined;
  isLoading: boolean;
  context: readonly ContextField[] | undefined;
  segmentNames: NewerToggle['segmentNames'];
  /** Reason why nothing can be saved now. */
  blockedReason: string | undefined;
}

export function StrategyList({ list, activation, blockedReason, ...shared }: Props) {
  const { drafts, dirty, saving, savedKeys } = activation;
  const removal = useConfirm<EditedStrategy>((draft) => ({
    title: `Remove ${draft.now.name}`,
    body: (
      <>
        Are you sure you want to remove this activation strategy?
        {activation.removalConflict}
      </>
    ),
    confirmLabel: 'Remove',
    tone: 'danger',
    action: () => activation.remove(draft),
  }));
  const reorder = useReorder(list, (from, to) => void activation.move(from, to));
  const strategies = drafts.map(({ now }) => now);
  const indexes = getStrategyIndexes(drafts);
  return (
    <>
      <ol ref={list} className="grid min-w-0 gap-3">
        {drafts.map((draft, index) => (
          <li
            key={draft.key}
            style={{ transform: reorder.isDragging ? `translateY(${reorder.offset(index)}px)` : undefined }}
            className={cx('grid min-w-0 gap-3', reorder.isDragging && BLOCK, reorder.isHeld(index) && HELD)}
          >
            {index > 0 && (
              <span className={cx(reorder.isDragging && 'invisible')}>
                <OrDivider />
              </span>
            )}
            <LabStrategy {...indexes[index]}>
              <StrategyEditor
                {...shared}
                draft={draft}
                label={getStrategyLabel(strategies, index)}
                saving={savedKeys.includes(draft.key)}
                blockedReason={blockedReason}
                order={
                  <OrderControls
                    label={getStrategyLabel(strategies, index)}
                    at={index}
                    count={drafts.length}
                    disabledReason={blockedReason ?? getMoveDisabledReason(dirty, saving)}
                    handle={reorder.handle(index)}
                    onMove={(to) => void activation.move(index, to)}
                  />
                }
                onChange={activation.edit}
                onSave={() => void activation.save([draft.key])}
                onDiscard={() => activation.discard([draft.key])}
                onRemove={() => void removal.ask(draft)}
              />
            </LabStrategy>
          </li>
        ))}
      </ol>
      {removal.dialog}
    </>
  );
}

function getMoveDisabledReason(dirty: readonly number[], saving: boolean): string | undefined {
  if (dirty.length > 0)
    return 'Save or clear unsaved changes first: moving a strategy saves the new order immediately.';
  return saving ? 'The last change is still being saved.' : undefined;
}

const BLOCK = 'relative transition-transform duration-120';
/** The held block follows the pointer without transition, above the others. */
const HELD = 'z-10 transition-none! opacity-90';
