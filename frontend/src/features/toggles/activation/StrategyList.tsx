// The strategies of a toggle as rows of one card: each is a sentence that can be edited and moved.
import { type ReactNode, type RefObject, useState } from 'react';
import type { ContextField, Strategy, StrategyDefinition } from '@/api/generated/types';
import { getStrategyLabel } from '@/domain/strategies/strategyNames';
import { cx } from '@/lib/cx';
import { RequestedFocus } from '@/lib/requestedFocus';
import { useConfirm } from '@/ui/useConfirm';
import { OrDivider } from './OrDivider';
import { OrderControl, useReorder } from './OrderControls';
import { StrategyEditor } from './StrategyEditor';
import type { EditedStrategy, StrategyFocus, StrategyPart } from './strategyDrafts';

/** Strategies that can be edited: those of a toggle, or of the form for a new one. */
export interface StrategyListModel {
  readonly drafts: readonly EditedStrategy[];
  /** Keys of the unsaved drafts. While there are some, nothing can be moved. */
  readonly dirty: readonly number[];
  readonly focusRequest: StrategyFocus | undefined;
  /** Edits the draft with this key. The same function in each render. */
  readonly edit: (key: number, strategy: Strategy) => void;
  /** Requests the focus for a part of a draft. The same function in each render. */
  readonly focus: (key: number, part: StrategyPart) => void;
  readonly remove: (key: number, seen: Strategy | undefined) => Promise<void>;
  readonly move: (key: number, beforeKey: number | undefined) => unknown;
  readonly step: (key: number, by: -1 | 1) => unknown;
  readonly discard: (keys: readonly number[]) => void;
}

interface Props {
  /** The element whose children are the cards. */
  list: RefObject<HTMLOListElement | null>;
  model: StrategyListModel;
  /** Dialog about a conflict of a removal. */
  removalConflict?: ReactNode;
  /** Note in the row of a strategy. */
  noteOf?: (draft: EditedStrategy) => ReactNode;
  /** Undefined while loading and after a failure. */
  definitions: readonly StrategyDefinition[] | undefined;
  isLoading: boolean;
  context: readonly ContextField[] | undefined;
  /** Reason why nothing can be saved now. */
  blockedReason: string | undefined;
  toggleName: string;
  isOpen: (draft: EditedStrategy) => boolean;
  onOpenChange: (key: number, isOpen: boolean) => void;
  /** Undefined in a form, which saves all strategies. */
  onSave?: (keys: readonly number[]) => void;
  /** The row below the strategies. */
  rest?: ReactNode;
  /** Shown without strategies. */
  empty?: ReactNode;
}

export function StrategyList({
  list,
  model,
  removalConflict,
  noteOf,
  blockedReason,
  isOpen,
  onSave,
  rest,
  empty,
  ...shared
}: Props) {
  const { drafts, dirty, focusRequest } = model;
  const removal = useConfirm<EditedStrategy>((draft) => ({
    title: `Remove ${draft.now.name}`,
    body: (
      <>
        Are you sure you want to remove this activation strategy?
        {removalConflict}
      </>
    ),
    confirmLabel: 'Remove',
    tone: 'danger',
    action: () => model.remove(draft.key, draft.base),
  }));
  const keys = drafts.map(({ key }) => key);
  const reorder = useReorder(list, keys, (key, beforeKey) => void model.move(key, beforeKey));
  const [steppedKey, setSteppedKey] = useState<number>();
  const strategies = drafts.map(({ now }) => now);
  const steppedTo = steppedKey === undefined ? -1 : keys.indexOf(steppedKey);
  return (
    <div className={RULES}>
      {drafts.length === 0 && empty}
      <ol ref={list} className="relative min-w-0">
        {drafts.map((draft, index) => (
          <li
            key={draft.key}
            style={{ transform: reorder.isDragging ? `translateY(${reorder.offset(index)}px)` : undefined }}
            className={cx(ITEM, LAST_ITEM, reorder.isDragging && BLOCK, reorder.isHeld(index) && HELD)}
          >
            {index > 0 && !reorder.isDragging && <OrDivider />}
            <RequestedFocus value={focusRequest?.key === draft.key ? focusRequest : undefined}>
              <StrategyEditor
                {...shared}
                draft={draft}
                label={getStrategyLabel(strategies, index)}
                isOpen={isOpen(draft)}
                blockedReason={blockedReason}
                note={noteOf?.(draft)}
                order={
                  <OrderControl
                    label={getStrategyLabel(strategies, index)}
                    at={index}
                    count={drafts.length}
                    disabledReason={blockedReason ?? getMoveDisabledReason(dirty)}
                    handle={reorder.handle(index)}
                    onStep={(by) => {
                      setSteppedKey(draft.key);
                      void model.step(draft.key, by);
                    }}
                  />
                }
                onChange={model.edit}
                onFocus={model.focus}
                onSave={onSave && (() => onSave([draft.key]))}
                onDiscard={() => model.discard([draft.key])}
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
const LAST_ITEM = 'last:rounded-b-card last:*:rounded-b-card';
const BLOCK = 'transition-transform duration-120';
/** The held block follows the pointer without transition, above the others. */
const HELD = 'z-10 rounded-card transition-none! shadow-overlay';
