import { useState } from 'react';
import { flushSync } from 'react-dom';
import { context as contextFields, strategies } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { describeToggleChanges } from '@/domain/changes/describeChanges';
import { getStrategyLabel } from '@/domain/strategies/describeStrategy';
import { toJson } from '@/lib/copyFormats';
import { cx } from '@/lib/cx';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { Button } from '@/ui/Button';
import { AddIcon, JsonIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { UnsavedBar } from '@/ui/UnsavedBar';
import { useConfirm } from '@/ui/useConfirm';
import { omitDeprecated, validateStrategy } from '../saving/rules';
import { ActivationLayout } from './ActivationLayout';
import { lintToggle } from './lintToggle';
import { OrDivider } from './OrDivider';
import { OrderControls } from './OrderControls';
import { PendingChangesCard } from './PendingChangesCard';
import { ReviewDialog } from './ReviewDialog';
import { StrategyEditor } from './StrategyEditor';
import type { StrategyEdit } from './strategyDrafts';
import { useActivation } from './useActivation';
import { useReorder } from './useReorder';

interface Props {
  toggle: Toggle;
  /** Reason why nothing can be saved now. */
  blockedReason: string | undefined;
}

export function ActivationEditor({ toggle, blockedReason }: Props) {
  const known = useRead(strategies);
  const definitions = known.data?.strategies;
  const context = useRead(contextFields).data;
  const activation = useActivation(toggle);
  const { drafts, dirty, saving, savedKeys } = activation;
  const [reviewing, setReviewing] = useState(false);
  const removal = useConfirm<StrategyEdit>((draft) => ({
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
  const { list, ...reorder } = useReorder((from, to) => void activation.move(from, to));
  const shown = drafts.map(({ now }) => now);
  const [before, after] = activation.preview(dirty);
  const errors = drafts.map(({ key, now }, index) => {
    const error = dirty.includes(key) ? validateStrategy(now, definitions ?? []) : undefined;
    return error && `${getStrategyLabel(shown, index)}: ${error}`;
  });
  const saveDisabledReason = blockedReason ?? errors.find((error) => error !== undefined);
  const changes = describeToggleChanges(before, after, definitions);
  useLeaveGuard(dirty.length > 0, { save: () => activation.save(dirty), saveDisabledReason });
  return (
    <ActivationLayout
      toggle={toggle}
      lint={lintToggle({ ...toggle, strategies: shown }, definitions)}
      aside={<PendingChangesCard changes={changes} />}
      actions={
        <Menu
          label="Add strategy"
          trigger={{
            icon: <AddIcon size={15} />,
            text: 'Add strategy',
            size: 'small',
          }}
          items={omitDeprecated(definitions ?? []).map((definition) => ({
            id: definition.name,
            label: definition.name,
            onSelect: () => {
              flushSync(() => activation.add(definition));
              focusLast(list.current);
            },
          }))}
          disabledReason={definitions ? undefined : 'Strategies are still loading.'}
        />
      }
    >
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
            <StrategyEditor
              draft={draft}
              label={getStrategyLabel(shown, index)}
              definitions={definitions}
              isLoading={known.isLoading}
              context={context}
              saving={savedKeys.includes(draft.key)}
              blockedReason={blockedReason}
              order={
                <OrderControls
                  label={getStrategyLabel(shown, index)}
                  at={index}
                  count={drafts.length}
                  disabledReason={blockedReason ?? getMoveDisabledReason(dirty, saving)}
                  handle={reorder.handle(index)}
                  onMove={(to) => void activation.move(index, to)}
                />
              }
              onChange={(strategy) => activation.change(draft.key, strategy)}
              onSave={() => void activation.save([draft.key])}
              onDiscard={() => activation.discard([draft.key])}
              onRemove={() => void removal.ask(draft)}
            />
          </li>
        ))}
      </ol>
      <UnsavedBar
        count={dirty.length}
        saving={saving}
        saveDisabledReason={saveDisabledReason}
        onClear={() => activation.discard(dirty)}
        onReview={() => setReviewing(true)}
        onSave={() => void activation.save(dirty)}
      >
        {blockedReason !== undefined && (
          <Button
            variant="ghost"
            size="small"
            icon={<JsonIcon size={15} />}
            onClick={() => void copyAndNotify(toJson(after))}
          >
            Copy as JSON
          </Button>
        )}
      </UnsavedBar>
      {removal.dialog}
      <ReviewDialog
        open={reviewing}
        before={before}
        after={after}
        changes={changes}
        saveDisabledReason={saveDisabledReason}
        onSave={() => {
          setReviewing(false);
          void activation.save(dirty);
        }}
        onClose={() => setReviewing(false)}
      />
      {activation.conflict}
    </ActivationLayout>
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

/** Focuses the first field of the added strategy. */
function focusLast(list: HTMLElement | null): void {
  const item = list?.lastElementChild;
  const field =
    item?.querySelector<HTMLElement>('input, select') ?? item?.querySelector<HTMLElement>('[aria-label^="Save "]');
  field?.focus();
}
