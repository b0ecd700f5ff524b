// The key e on the activation tab, and on the row of a toggle: opens the first rollout with its number selected.

import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { getShareParameter } from '@/domain/strategies/builtInStrategies';
import { isPageKey, isSecondOfChord, useDocumentKeys, useSingleKeys } from '@/lib/keyboard';
import { useReplaceUrl } from '@/shared/navigation';
import { isEditState } from '../page/editState';
import type { EditedStrategy, StrategyPart } from './strategyDrafts';

interface Options {
  drafts: readonly EditedStrategy[];
  /** The definitions of the strategies are loaded, so that their fields can be rendered. */
  isReady: boolean;
  /** Shows the fields of a strategy. */
  openRule: (key: number, isOpen: boolean) => void;
  onFocus: (key: number, part: StrategyPart) => void;
}

export function useEditShortcut({ drafts, isReady, openRule, onFocus }: Options): void {
  const location = useLocation();
  const replace = useReplaceUrl();
  const hasSingleKeys = useSingleKeys();
  const isOpenedToEdit = isEditState(location.state);
  const [isRequested, setRequested] = useState(false);
  const isDue = (isRequested || isOpenedToEdit) && isReady;
  const edit = useEffectEvent(() => {
    setRequested(false);
    // Reload and Back must not open it again.
    if (isOpenedToEdit) replace({});
    const remaining = drafts.filter(({ removed }) => !removed);
    const rollout = remaining.find(({ now }) => getShareParameter(now.name) !== undefined);
    const draft = rollout ?? remaining[0];
    if (!draft) return;
    const parameter = getShareParameter(draft.now.name);
    openRule(draft.key, true);
    onFocus(draft.key, parameter === undefined ? 'fields' : `parameter ${parameter}`);
  });
  // An effect, because the field exists only after the definitions are loaded, and after the page has taken the focus.
  useEffect(() => {
    if (isDue) queueMicrotask(edit);
  }, [isDue]);
  useDocumentKeys((event) => {
    if (event.key !== 'e' || !hasSingleKeys || !isPageKey(event) || isSecondOfChord(event)) return;
    event.preventDefault();
    setRequested(true);
  });
}
