// The strategies of a toggle as rows of one card: each is a sentence that can be edited and moved.
import { type ReactNode, type RefObject, useState } from 'react';
import type { ContextField, StrategyDefinition } from '@/api/generated/types';
import { getStrategyLabel } from '@/domain/strategies/strategyNames';
import { cx } from '@/lib/cx';
import { RequestedFocus } from '@/lib/requestedFocus';
import { useConfirm } from '@/ui/useConfirm';
import { OrDivider } from './OrDivider';
import { OrderControl, useReorder } from './OrderControls';
import { StrategyEditor } from './StrategyEditor';
import type { EditedStrategy } from './strategyDrafts';
import { type DescribedChange, TheirChangeNote } from './TheirChange';
import type { useActivation } from './useActivation';

interface Props {
  /** The element whose children are the cards. */
  list: RefObject<HTMLOListElement | null>;
  activation: ReturnType<typeof useActivation>;
  theirChanges: readonly DescribedChange[];
  /** Undefined while loading and after a failure. */
  definitions: readonly StrategyDefinition[] | undefined;
  isLoading: boolean;
  context: readonly ContextField[] | undefined;
  /** Reason why nothing can be saved now. */
  blockedReason: string | undefined;
  toggleName: string;
  isOpen: (draft: EditedStrategy) => boolean;
  onOpenChange: (key: number, isOpen: boolean) => void;
  onSave: (keys: readonly number[]) => void;
  /** The row below the strategies. */
  rest: ReactNode;
}

export function StrategyList({
  list,
  activation,
  theirChanges,
  blockedReason,
  isOpen,
  onSave,
  rest,
  ...shared
}: Props) {
  const { drafts, dirty, focusRequest } = activation;
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
    action: () => activation.remove(draft.key, draft.base),
  }));
  const keys = drafts.map(({ key }) => key);
  const reorder = useReorder(list, keys, (key, beforeKey) => void activation.move(key, beforeKey));
  const [steppedKey, setSteppedKey] = useState<number>();
  const strategies = drafts.map(({ now }) => now);
  const steppedTo = steppedKey === undefined ? -1 : keys.indexOf(steppedKey);
  const noteOf = ({ key }: EditedStrategy) => {
    const change = theirChanges.find((one) => one.key === key);
    return change && <TheirChangeNote toggleName={shared.toggleName} change={change} onDecide={activation.decide} />;
  };
  return (
    <div className={RULES}>
      <ol ref={list} className="relative min-w-0">
        {drafts.map((draft, index) => (
          <li
            key={draft.key}
            style={{ transform: reorder.isDragging ? `translateY(${reorder.offset(index)}px)` : undefined }}
            className={cx(ITEM, reorder.isDragging && BLOCK, reorder.isHeld(index) && HELD)}
          >
            {index > 0 && !reorder.isDragging && <OrDivider />}
            <RequestedFocus value={focusRequest?.key === draft.key ? focusRequest : undefined}>
              <StrategyEditor
                {...shared}
                draft={draft}
                label={getStrategyLabel(strategies, index)}
                isOpen={isOpen(draft)}
                blockedReason={blockedReason}
                note={noteOf(draft)}
                order={
                  <OrderControl
                    label={getStrategyLabel(strategies, index)}
                    at={index}
                    count={drafts.length}
                    disabledReason={blockedReason ?? getMoveDisabledReason(dirty)}
                    handle={reorder.handle(index)}
                    onStep={(by) => {
                      setSteppedKey(draft.key);
                      void activation.step(draft.key, by);
                    }}
                  />
                }
                onChange={activation.edit}
                onFocus={activation.focus}
                onSave={() => onSave([draft.key])}
                onDiscard={() => activation.discard([draft.key])}
                onRemove={() => void removal.ask(draft)}
              />
            </RequestedFocus>
          </li>
        ))}
        {reorder.targetTop !== undefined && (
          <li
            aria-hidden="true"
            className="pointer-events-none absolute inset-x-0 z-20 border-accent border-t-2"
            style={{ top: reorder.targetTop }}
          />
        )}
      </ol>
      {rest}
      {/* Always on the page: screen readers do not announce a live region that appears together with its text. */}
      <p role="status" className="sr-only">
        {steppedTo >= 0 && `${getStrategyLabel(strategies, steppedTo)} is rule ${steppedTo + 1} of ${keys.length}.`}
      </p>
      {removal.dialog}
    </div>
  );
}

function getMoveDisabledReason(dirty: readonly number[]): string | undefined {
  return dirty.length > 0
    ? 'Save or clear unsaved changes first: moving a strategy saves the new order immediately.'
    : undefined;
}

const RULES = 'min-w-0 rounded-card border border-line bg-surface shadow-card';
const ITEM =
  'relative border-line bg-surface not-first:border-t first:rounded-t-card *:first:rounded-t-card first:*:rounded-t-card';
const BLOCK = 'transition-transform duration-120';
/** The held block follows the pointer without transition, above the others. */
const HELD = 'z-10 rounded-card transition-none! shadow-overlay';
