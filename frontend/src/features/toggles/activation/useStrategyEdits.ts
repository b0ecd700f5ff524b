// Edits of the unsaved strategies by the add menu and by the fixes of warnings. Each moves the focus to its result.
import { flushSync } from 'react-dom';
import type { ContextField, Strategy, StrategyDefinition, Toggle } from '@/api/generated/types';
import { isUnlimitedDefault } from '@/domain/strategies/audience';
import { applyLintFix, canConstrainUsers, findReplaced, replaceRules } from './limitAudience';
import { type LintFix, lintToggle } from './lintToggle';
import type { StrategyListModel } from './StrategyList';
import { addDraft, type EditedStrategy, type StrategyDrafts, type StrategyPart } from './strategyDrafts';

interface Options {
  toggle: Pick<Toggle, 'enabled' | 'variants'>;
  model: Pick<StrategyListModel, 'drafts' | 'focus'> & {
    /** Applies an edit to the drafts. */
    readonly update: (edit: (state: StrategyDrafts) => StrategyDrafts) => void;
  };
  definitions: readonly StrategyDefinition[] | undefined;
  context: readonly ContextField[] | undefined;
  /** Returns whether a strategy is new: its effect is explained. */
  isAdded?: (draft: EditedStrategy) => boolean;
  /** Shows the fields of a strategy. */
  openRule: (key: number, isOpen: boolean) => void;
}

const isNew = ({ base }: EditedStrategy) => base === undefined;

export function useStrategyEdits({ toggle, model, definitions, context, isAdded = isNew, openRule }: Options) {
  const { drafts, update, focus } = model;
  const remaining = drafts.filter(({ removed }) => !removed);
  const strategies = remaining.map(({ now }) => now);

  /** Edits the drafts, and moves the focus to a part of the draft with this key, or of the one that takes its place. */
  function edit(change: (state: StrategyDrafts) => StrategyDrafts, key: number | undefined, part: StrategyPart) {
    flushSync(() => {
      let target: EditedStrategy | undefined;
      update((state) => {
        const next = change(state);
        const at = state.drafts.findIndex((draft) => draft.key === key);
        // A new strategy is the last one.
        target = next.drafts.find((draft) => draft.key === key) ?? next.drafts[at] ?? next.drafts.at(-1);
        return next;
      });
      if (!target) return;
      openRule(target.key, true);
      focus(target.key, part);
    });
  }

  return {
    warnings: lintToggle({ ...toggle, strategies }, definitions, {
      canConstrainUsers: canConstrainUsers(context),
      added: remaining.flatMap((draft, at) => (isAdded(draft) ? [at] : [])),
    }),
    choices: {
      canReplace: strategies.length > 0,
      replacesByDefault: strategies.every(isUnlimitedDefault),
      onAdd: (strategy: Strategy, { replaces }: { replaces: boolean }) => {
        const part = strategy.constraints ? 'constraint 1' : 'fields';
        if (!replaces) return edit((state) => addDraft(state, strategy), undefined, part);
        edit((state) => replaceRules(state, strategy), findReplaced(remaining, strategy)?.key, part);
      },
    },
    fix: (fix: LintFix) => {
      const keys = remaining.map(({ key }) => key);
      const at = fix.kind === 'remove' ? fix.strategies[0] : fix.strategy;
      const target = fix.kind === 'constrain' ? keys.find((_, index) => index !== at) : keys[at ?? 0];
      edit((state) => applyLintFix(state, keys, fix), target, getFixedPart(fix));
    },
  };
}

function getFixedPart(fix: LintFix): StrategyPart {
  if (fix.kind !== 'focus') return 'fields';
  if (fix.constraint !== undefined) return `constraint ${fix.constraint}`;
  return fix.parameter ? `parameter ${fix.parameter}` : 'fields';
}
