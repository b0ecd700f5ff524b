import { useState } from 'react';
import { context as contextFields, strategies } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import type { NewerToggle } from '@/api/newerTypes';
import { usePermission } from '@/api/permissions';
import { type ChangeGroup, describeToggleChanges } from '@/domain/changes/describeChanges';
import { getStrategyLabel } from '@/domain/strategies/describeStrategy';
import { toJson } from '@/lib/copyFormats';
import { cx } from '@/lib/cx';
import { useLocale } from '@/lib/locale';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { JsonIcon } from '@/ui/icons';
import { UnsavedBar } from '@/ui/UnsavedBar';
import { useConfirm } from '@/ui/useConfirm';
import { LabCard } from '../lab/LabCard';
import { LabResults, LabStrategy } from '../lab/LabResults';
import { useLab } from '../lab/useLab';
import { ChangeList } from '../saving/DiffList';
import { validateStrategy } from '../saving/rules';
import { ActivationLayout } from './ActivationLayout';
import { AddStrategyMenu } from './AddStrategyMenu';
import { ImpactCard } from './Impact';
import { NoStrategies } from './NoStrategies';
import { OrDivider } from './OrDivider';
import { OrderControls, useReorder } from './OrderControls';
import { ReviewDialog } from './ReviewDialog';
import { StrategyEditor } from './StrategyEditor';
import { type EditedStrategy, getStrategyIndexes } from './strategyDrafts';
import { useActivation } from './useActivation';
import { useStrategyEdits } from './useStrategyEdits';

interface Props {
  toggle: NewerToggle;
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
  const addReason = usePermission('CREATE_FEATURE_STRATEGY');
  const { list, ...reorder } = useReorder((from, to) => void activation.move(from, to));
  const shown = drafts.map(({ now }) => now);
  const edits = useStrategyEdits({ toggle, activation, definitions, context, list });
  const [before, after] = activation.preview(dirty);
  const versions = { saved: toggle, edited: after };
  const lab = useLab(versions);
  const indexes = getStrategyIndexes(drafts);
  const errors = drafts.map(({ key, now, base, removed }, index) => {
    const error = dirty.includes(key) && !removed ? validateStrategy(now, definitions ?? [], base) : undefined;
    return error && `${getStrategyLabel(shown, index)}: ${error}`;
  });
  const saveDisabledReason = blockedReason ?? errors.find((error) => error !== undefined);
  const changes = describeToggleChanges(before, after, definitions, useLocale());
  useLeaveGuard(dirty.length > 0, { save: () => activation.save(dirty), saveDisabledReason });
  return (
    <LabResults lab={lab}>
      <ActivationLayout
        toggle={toggle}
        isEdited={dirty.length > 0}
        impact={<ImpactCard before={before} after={after} />}
        lint={edits.warnings}
        onFix={blockedReason === undefined ? edits.fix : undefined}
        lab={<LabCard lab={lab} versions={versions} />}
        aside={<PendingChangesCard changes={changes} />}
        actions={
          <AddStrategyMenu
            {...edits.choices}
            size="small"
            definitions={definitions ?? []}
            failure={known.error}
            onRetry={known.reload}
            disabledReason={known.isLoading ? 'Strategies are still loading.' : addReason}
          />
        }
      >
        {drafts.length === 0 && <NoStrategies />}
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
                  draft={draft}
                  label={getStrategyLabel(shown, index)}
                  definitions={definitions}
                  isLoading={known.isLoading}
                  context={context}
                  saving={savedKeys.includes(draft.key)}
                  blockedReason={blockedReason}
                  segmentNames={toggle.segmentNames}
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
              </LabStrategy>
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
          versions={versions}
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
    </LabResults>
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

/** Card with the unsaved changes of the activation. */
function PendingChangesCard({ changes }: { changes: readonly ChangeGroup[] }) {
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby="changes-heading">
      <Card>
        <h2 id="changes-heading" className="mb-3 font-semibold text-secondary">
          Pending changes
        </h2>
        <ChangeList changes={changes} />
      </Card>
    </section>
  );
}
