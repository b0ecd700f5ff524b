// Edits of the unsaved strategies by the add menu and by the fixes of warnings. Each moves the focus to its result.
import { flushSync } from 'react-dom';
import type { ContextField, Strategy, StrategyDefinition, Toggle } from '@/api/generated/types';
import { isUnlimitedDefault } from '@/domain/strategies/audience';
import { getDefaultParameters } from '../saving/rules';
import { applyLintFix, canConstrainUsers, limitToUsers, newUserLimit, replaceDefault } from './limitAudience';
import { type LintFix, lintToggle } from './lintToggle';
import { addDraft, type EditedStrategy, type StrategyDrafts, type StrategyPart } from './strategyDrafts';
import type { useActivation } from './useActivation';

interface Options {
  toggle: Toggle;
  activation: ReturnType<typeof useActivation>;
  definitions: readonly StrategyDefinition[] | undefined;
  context: readonly ContextField[] | undefined;
  /** Shows the fields of a strategy. */
  openRule: (key: number, isOpen: boolean) => void;
}

export function useStrategyEdits({ toggle, activation, definitions, context, openRule }: Options) {
  const { drafts, update, focus } = activation;
  const remaining = drafts.filter(({ removed }) => !removed);
  const strategies = remaining.map(({ now }) => now);
  const limit = newUserLimit(definitions ?? [], context, toggle.name);

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

  const keyOf = (matches: (strategy: Strategy) => boolean) => remaining.find(({ now }) => matches(now))?.key;

  return {
    /** The strategies without removed ones. */
    strategies,
    warnings: lintToggle({ ...toggle, strategies }, definitions, {
      canConstrainUsers: canConstrainUsers(context),
      added: remaining.flatMap(({ base }, at) => (base === undefined ? [at] : [])),
    }),
    choices: {
      hasDefault: strategies.some(isUnlimitedDefault),
      onAdd: ({ name, parameters }: StrategyDefinition, { replacesDefault }: { replacesDefault: boolean }) => {
        const strategy = { name, parameters: getDefaultParameters(parameters, toggle.name) };
        if (replacesDefault) edit((state) => replaceDefault(state, strategy), keyOf(isUnlimitedDefault), 'fields');
        else edit((state) => addDraft(state, strategy), undefined, 'fields');
      },
      onLimitToUsers:
        limit &&
        (() => {
          const list = keyOf(({ name }) => name === limit.name && limit.constraints === undefined);
          const part = limit.constraints ? 'constraint 1' : 'fields';
          edit((state) => limitToUsers(state, limit), list ?? remaining[0]?.key, part);
        }),
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
