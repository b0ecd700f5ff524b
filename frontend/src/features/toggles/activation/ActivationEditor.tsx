import { type FocusEvent, useRef } from 'react';
import { context as contextFields, strategies } from '@/api/endpoints';
import { useAnnouncedRead } from '@/api/useRead';
import type { NewerToggle } from '@/api/newerTypes';
import { usePermission } from '@/api/permissions';
import { describeToggleChanges } from '@/domain/changes/describeChanges';
import { describeHalves } from '@/domain/impact/describeHalves';
import { describeSaveEffect, useEstimate } from '@/domain/impact/ImpactEstimate';
import { getEffect, mayWiden } from '@/domain/impact/effect';
import { findWordOfConstraint } from '@/domain/strategies/ConstraintsEditor';
import { useSegmentName } from '@/domain/strategies/useSegmentName';
import { confirmWidening } from '@/domain/toggles/confirmSwitch';
import { useLocale } from '@/lib/locale';
import { LabCard } from '../lab/LabCard';
import { ResultsContext, type StrategyKey } from '../lab/reasons';
import { applyRemedy, type Remedy } from '../lab/remedies';
import { useLab } from '../lab/useLab';
import { ActivationLayout } from './ActivationLayout';
import { AddStrategyMenu } from './AddStrategyMenu';
import { ImpactCard } from './Impact';
import { NoStrategies } from './NoStrategies';
import { RestRow } from './RestRow';
import { StrategyList } from './StrategyList';
import { type EditedStrategy, editDraft, getStoredKeys } from './strategyDrafts';
import { ChangeAnnouncement, TheirChangeNote, useDescribedChanges } from './TheirChange';
import { UnsavedChanges } from './UnsavedChanges';
import { useActivation } from './useActivation';
import { useEditShortcut } from './useEditShortcut';
import { useOpenRules } from './useOpenRules';
import { useStrategyEdits } from './useStrategyEdits';

/** Strategies that show their fields until the user closes them. */
const isNewOrReplaced = ({ base, now }: EditedStrategy) => base === undefined || base.name !== now.name;

interface Props {
  toggle: NewerToggle;
  /** Reason why nothing can be saved now. */
  blockedReason: string | undefined;
}

export function ActivationEditor({ toggle, blockedReason }: Props) {
  const known = useAnnouncedRead(strategies);
  const definitions = known.data?.strategies;
  const context = useAnnouncedRead(contextFields).data;
  const list = useRef<HTMLOListElement>(null);
  const activation = useActivation(toggle);
  const { drafts, dirty } = activation;
  const rules = useOpenRules(isNewOrReplaced);
  const edits = useStrategyEdits({ toggle, model: activation, definitions, context, openRule: rules.setOpen });
  const [before, after] = activation.preview(dirty);
  const versions = { saved: toggle, edited: after };
  const lab = useLab(versions, { keys: getStoredKeys(drafts) });
  const segmentName = useSegmentName([...before.strategies, ...after.strategies]);
  const changes = describeToggleChanges(before, after, { definitions, locale: useLocale(), segmentName });
  const estimate = useEstimate(toggle);
  const impact = estimate({ before, after });
  const addReason = usePermission('CREATE_FEATURE_STRATEGY');
  const theirChanges = useDescribedChanges(toggle.name, activation.theirChanges, definitions);
  const focus = useEditedField(list);
  useEditShortcut({ drafts, isReady: definitions !== undefined, openRule: rules.setOpen, onFocus: activation.focus });

  /** Saves drafts. Those that are open stay open, and a field that had the focus gets it back. */
  async function save(keys: readonly number[]): Promise<boolean> {
    // Before the dialog takes the focus.
    const restore = focus.remember();
    for (const draft of drafts) if (keys.includes(draft.key)) rules.setOpen(draft.key, rules.isOpen(draft));
    const [stored, edited] = activation.preview(keys);
    // Servers with environments switch toggles off that lose their last strategy; the others refuse that.
    const isKeptOn = toggle.enabled && edited.strategies.length > 0;
    const effect = getEffect(stored, edited);
    if (isKeptOn && mayWiden(effect)) {
      const halves = describeHalves(stored, edited, segmentName);
      const text = [halves, describeSaveEffect(estimate({ before: stored, after: edited }))].filter(Boolean).join(' ');
      if (!(await confirmWidening(toggle.name, effect, text))) return false;
    }
    const isSaved = await activation.save(keys);
    restore();
    return isSaved;
  }

  function applyToDraft(key: StrategyKey, remedy: Remedy) {
    if (typeof key !== 'number') return;
    rules.setOpen(key, true);
    activation.update((state) => {
      const draft = state.drafts.find((one) => one.key === key);
      return draft ? editDraft(state, key, applyRemedy(draft.now, remedy)) : state;
    });
  }

  const noteOf = ({ key }: EditedStrategy) => {
    const change = theirChanges.find((one) => one.key === key);
    return change && <TheirChangeNote toggleName={toggle.name} change={change} onDecide={activation.decide} />;
  };

  return (
    <ResultsContext value={lab}>
      <ActivationLayout
        toggle={toggle}
        isEdited={dirty.length > 0}
        impact={<ImpactCard before={before} after={after} impact={impact} isEditing={drafts.some(rules.isOpen)} />}
        lint={edits.warnings}
        onFix={blockedReason === undefined ? edits.fix : undefined}
        lab={
          <LabCard lab={lab} versions={versions} onRemedy={blockedReason === undefined ? applyToDraft : undefined} />
        }
        actions={
          <div>
            <AddStrategyMenu
              {...edits.choices}
              definitions={definitions ?? []}
              context={context}
              toggleName={toggle.name}
              failure={known.error}
              onRetry={known.reload}
              disabledReason={known.isLoading ? 'Strategies are still loading.' : addReason}
            />
          </div>
        }
      >
        <div className="contents" onFocusCapture={focus.note}>
          <StrategyList
            list={list}
            model={activation}
            removalConflict={activation.removalConflict}
            noteOf={noteOf}
            toggleName={toggle.name}
            definitions={definitions}
            isLoading={known.isLoading}
            context={context}
            blockedReason={blockedReason}
            isOpen={rules.isOpen}
            onOpenChange={rules.setOpen}
            onSave={(keys) => void save(keys)}
            rest={<RestRow toggle={after} impact={impact} />}
            empty={<NoStrategies />}
          />
        </div>
        <ChangeAnnouncement changes={theirChanges} />
        <UnsavedChanges
          activation={activation}
          definitions={definitions}
          before={before}
          after={after}
          changes={changes}
          impact={impact}
          blockedReason={blockedReason}
          onSave={save}
        />
        {activation.conflict}
      </ActivationLayout>
    </ResultsContext>
  );
}

/**
 * Remembers the last edited field: the focus returns to it when a save has ended. A save closes the editors of constraints; the
 * focus then moves to the word that opens the editor.
 */
function useEditedField(list: { readonly current: HTMLElement | null }) {
  const field = useRef<HTMLElement>(undefined);
  return {
    note({ target }: FocusEvent<HTMLElement>) {
      if (target.matches('input, select, textarea')) field.current = target;
    },
    /** Returns a function that restores the focus, if it is in the list or was moved by the keyboard. */
    remember() {
      const focused = document.activeElement;
      const isInList = list.current?.contains(focused) && focused?.matches('input, select, textarea');
      const findWord = findWordOfConstraint(focused);
      return () => {
        if (!isInList || !(document.activeElement === document.body || document.activeElement?.matches('h1'))) return;
        const target = field.current?.isConnected ? field.current : findWord();
        target?.focus({ preventScroll: true });
      };
    },
  };
}
