import { type RefObject, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Constraint, Strategy } from '@/api/generated/types';
import { showNewConstraint } from '@/domain/strategies/ConstraintsEditor';
import { setConstraints } from '@/domain/strategies/constraints';
import { type Schedule, setSchedule } from '@/domain/strategies/schedule';
import { useSchedule } from '@/domain/strategies/useSchedule';
import type { RuleTarget } from './RuleSentence';
import { setSegments } from './StrategyProperties';
import { type EditedStrategy, removeAt, type StrategyPart } from './strategyDrafts';

interface OpenPartsActions {
  onOpenChange: (key: number, isOpen: boolean) => void;
  onChange: (key: number, strategy: Strategy) => void;
  onFocus: (key: number, part: StrategyPart) => void;
}

export type Parts = ReturnType<typeof useOpenParts>;

/** Which parts of an open strategy are shown, and the focus after they are opened. The actions are the same in each render. */
export function useOpenParts(draft: EditedStrategy, row: RefObject<HTMLElement | null>, actions: OpenPartsActions) {
  const { onOpenChange, onChange, onFocus } = actions;
  // Another stored version, for example after a save, closes the editors of constraints, except those opened during the save.
  const [constraints, setConstraintsOpen] = useState<{ version: number; open: readonly number[] }>();
  const [hasDetails, setDetails] = useState(false);
  const [hasSegments, setHasSegments] = useState(false);
  const { prompt, ask } = useSchedule(draft.now.constraints ?? [], (next: Schedule) => {
    const { key, now, base } = draft;
    const before = now.constraints ?? [];
    const after = setSchedule(before, next);
    flushSync(() => {
      if (constraints) setConstraintsOpen({ ...constraints, open: follow(constraints.open, before, after) });
      onChange(key, setConstraints(now, after, base));
      // Its word may have disappeared.
      if (after.length < before.length) onFocus(key, 'edit');
    });
  });
  // The fields are rendered again only if the strategy or what it shows changes.
  return useMemo(() => {
    const { key, now, base, submitted } = draft;
    const version = submitted ? draft.version + 1 : draft.version;
    const open = constraints && constraints.version >= draft.version ? constraints.open : [];
    const setConstraintOpen = (index: number, isOpen: boolean) => {
      if (open.includes(index) === isOpen) return;
      setConstraintsOpen({ version, open: isOpen ? [...open, index] : open.filter((other) => other !== index) });
    };
    return {
      isConstraintOpen: (index: number) => open.includes(index),
      setConstraintOpen,
      hasDetails,
      setDetails,
      hasSegments,
      schedulePrompt: prompt,
      askSchedule: ask,
      /** Opens a part of the sentence, and focuses its field. */
      open(target: RuleTarget) {
        if (target === 'schedule') return ask();
        flushSync(() => {
          onOpenChange(key, true);
          onFocus(key, toPart(target));
          if (target === 'segments') setHasSegments(true);
          if (target === 'rule' || target === 'segments') return;
          if ('constraint' in target) setConstraintOpen(target.constraint, true);
          else if (DETAILS.includes(target.parameter)) setDetails(true);
        });
      },
      addConstraint(constraint: Constraint) {
        const before = now.constraints ?? [];
        flushSync(() => {
          setConstraintOpen(before.length, true);
          onChange(key, setConstraints(now, [...before, constraint], base));
        });
        showNewConstraint(row.current, before.length + 1, constraint);
      },
      removeConstraint(index: number) {
        flushSync(() => {
          const others = open.filter((other) => other !== index).map((other) => (other > index ? other - 1 : other));
          setConstraintsOpen({ version, open: others });
          onChange(key, setConstraints(now, removeAt(now.constraints ?? [], index), base));
          onFocus(key, 'addConstraint');
        });
      },
      addSegment: (id: number) => onChange(key, setSegments(now, [...(now.segments ?? []), id], base)),
      removeSegment(id: number) {
        flushSync(() => {
          const others = (now.segments ?? []).filter((other) => other !== id);
          onChange(key, setSegments(now, others, base));
          onFocus(key, 'addConstraint');
        });
      },
      /** Hides all fields. */
      close() {
        flushSync(() => {
          onOpenChange(key, false);
          onFocus(key, 'edit');
        });
      },
    };
  }, [draft, row, onOpenChange, onChange, onFocus, prompt, ask, constraints, hasDetails, hasSegments]);
}

/** Returns the indexes of the same constraints in another list. */
function follow(indexes: readonly number[], before: readonly Constraint[], after: readonly Constraint[]): number[] {
  return indexes.flatMap((index) => {
    const one = before[index];
    return one && after.includes(one) ? [after.indexOf(one)] : [];
  });
}

/** Parameters that are rarely changed, in one line until they are. */
export const DETAILS = ['stickiness', 'groupId'];

/** Returns the part of a strategy with the field of a word. */
function toPart(target: Exclude<RuleTarget, 'schedule'>): StrategyPart {
  if (target === 'rule') return 'fields';
  if (target === 'segments') return target;
  return 'constraint' in target ? `constraint ${target.constraint + 1}` : `parameter ${target.parameter}`;
}
