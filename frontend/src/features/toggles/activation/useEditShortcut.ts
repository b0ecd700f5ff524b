// The key e on the activation tab, and on the row of a toggle: opens the first rollout with its number selected.
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate } from 'react-router-dom';
import { getShareParameter } from '@/domain/strategies/builtInStrategies';
import { isPageKey, isSecondOfChord, useDocumentKeys, useSingleKeys } from '@/lib/keyboard';
import { isEditState } from '../page/editState';
import { focusTarget } from './focusStrategy';
import type { EditedStrategy } from './strategyDrafts';

interface Options {
  drafts: readonly EditedStrategy[];
  /** The definitions of the strategies are loaded, so that their fields can be rendered. */
  isReady: boolean;
  /** The element whose children are the strategies. */
  list: RefObject<HTMLElement | null>;
  /** Shows the fields of a strategy. */
  openRule: (key: number, isOpen: boolean) => void;
}

export function useEditShortcut({ drafts, isReady, list, openRule }: Options): void {
  const location = useLocation();
  const navigate = useNavigate();
  const hasSingleKeys = useSingleKeys();
  const isOpenedToEdit = isEditState(location.state);
  const [isRequested, setRequested] = useState(false);
  const isDue = (isRequested || isOpenedToEdit) && isReady;
  const edit = useEffectEvent(() => {
    setRequested(false);
    // Reload and Back must not open it again.
    if (isOpenedToEdit) void navigate({ search: location.search, hash: location.hash }, { replace: true });
    const remaining = drafts.filter(({ removed }) => !removed);
    const rollout = remaining.find(({ now }) => getShareParameter(now.name) !== undefined);
    const draft = rollout ?? remaining[0];
    if (!draft) return;
    flushSync(() => openRule(draft.key, true));
    const row = list.current?.children[drafts.indexOf(draft)];
    const parameter = getShareParameter(draft.now.name);
    if (row) focusTarget(row, parameter === undefined ? 'rule' : { parameter });
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
