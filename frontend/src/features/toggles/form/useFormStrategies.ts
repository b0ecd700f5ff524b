import { useState } from 'react';
import type { Strategy } from '@/api/generated/types';
import { useLatestCallback } from '@/lib/useLatestCallback';
import type { StrategyListModel } from '../activation/StrategyList';
import {
  editDraft,
  moveBefore,
  type StrategyDrafts,
  type StrategyFocus,
  type StrategyPart,
} from '../activation/strategyDrafts';

type Edit = (state: StrategyDrafts) => StrategyDrafts;

/** The strategies of a form, for the editor of the activation tab. The form saves them. */
export function useFormStrategies(state: StrategyDrafts, update: (edit: Edit) => void) {
  const { drafts } = state;
  const [focusRequest, setFocusRequest] = useState<StrategyFocus>();

  const edit = useLatestCallback((key: number, strategy: Strategy) => update((now) => editDraft(now, key, strategy)));
  const focus = useLatestCallback((key: number, part: StrategyPart) => {
    const request = { key, part, from: document.activeElement, end: () => setFocusRequest(undefined) };
    setFocusRequest(request);
  });
  const omit = (keys: readonly number[]) =>
    update((now) => ({ ...now, drafts: now.drafts.filter(({ key }) => !keys.includes(key)) }));
  const move = (key: number, beforeKey: number | undefined) =>
    update((now) => ({ ...now, drafts: moveBefore(now.drafts, key, beforeKey) ?? now.drafts }));

  const model: StrategyListModel & { update: typeof update } = {
    drafts,
    dirty: [],
    focusRequest,
    edit,
    focus,
    update,
    remove: async (key) => omit([key]),
    discard: omit,
    move,
    step(key, by) {
      const to = drafts.findIndex((draft) => draft.key === key) + by;
      if (to >= 0 && to < drafts.length) move(key, drafts.filter((draft) => draft.key !== key)[to]?.key);
    },
  };
  return model;
}
