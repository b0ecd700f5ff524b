// Edits of the unsaved strategies by the add menu and by the fixes of warnings. Each moves the focus to its result.
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { ContextField, Strategy, StrategyDefinition, Toggle } from '@/api/generated/types';
import { isUnlimitedDefault } from '@/domain/strategies/audience';
import { getParameterLabel } from '@/domain/strategies/strategyNames';
import { getDefaultParameters } from '../saving/rules';
import { focusStrategy } from './focusStrategy';
import { applyLintFix, canConstrainUsers, limitToUsers, newUserLimit, replaceDefault } from './limitAudience';
import { type LintFix, lintToggle } from './lintToggle';
import { addDraft, type StrategyDrafts } from './strategyDrafts';
import type { useActivation } from './useActivation';
import { useFocusOfFields } from './useFocusOfFields';

interface Options {
  toggle: Toggle;
  activation: ReturnType<typeof useActivation>;
  definitions: readonly StrategyDefinition[] | undefined;
  context: readonly ContextField[] | undefined;
  /** The element whose children are the strategies. */
  list: RefObject<HTMLElement | null>;
  /** Shows the fields of a strategy. */
  openRule: (key: number, isOpen: boolean) => void;
}

export function useStrategyEdits({ toggle, activation, definitions, context, list, openRule }: Options) {
  const { drafts, update } = activation;
  const focusWhenReady = useFocusOfFields(definitions !== undefined);
  const remaining = drafts.filter(({ removed }) => !removed);
  const strategies = remaining.map(({ now }) => now);
  const limit = newUserLimit(definitions ?? [], context, toggle.name);

  function edit(
    change: (state: StrategyDrafts) => StrategyDrafts,
    at: number,
    target?: Parameters<typeof focusStrategy>[2],
  ) {
    flushSync(() => {
      update(change);
      const draft = drafts[at];
      if (draft) openRule(draft.key, true);
    });
    focusWhenReady(() => focusStrategy(list.current, at, target));
  }

  const indexOf = (matches: (strategy: Strategy) => boolean) =>
    drafts.findIndex(({ now, removed }) => !removed && matches(now));

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
        if (replacesDefault) edit((state) => replaceDefault(state, strategy), indexOf(isUnlimitedDefault));
        else edit((state) => addDraft(state, strategy), drafts.length);
      },
      onLimitToUsers:
        limit &&
        (() => {
          const list = indexOf(({ name }) => name === limit.name && limit.constraints === undefined);
          const at = list < 0 ? indexOf(() => true) : list;
          edit((state) => limitToUsers(state, limit), at, limit.constraints ? { constraint: 1 } : {});
        }),
    },
    fix: (fix: LintFix) => {
      const keys = remaining.map(({ key }) => key);
      const at = fix.kind === 'remove' ? fix.strategies[0] : fix.strategy;
      const target = fix.kind === 'constrain' ? (keys.find((_, index) => index !== at) ?? -1) : (keys[at ?? 0] ?? -1);
      edit(
        (state) => applyLintFix(state, keys, fix),
        drafts.findIndex(({ key }) => key === target),
        fix.kind === 'focus' ? { label: getParameterLabel(fix.parameter ?? ''), constraint: fix.constraint } : {},
      );
    },
  };
}
