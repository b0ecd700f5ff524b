import { useCallback, useState } from 'react';
import type { EditedStrategy } from './strategyDrafts';

/** Which strategies show their fields. `isOpenAtFirst` decides until the user opens or closes them. */
export function useOpenRules(isOpenAtFirst: (draft: EditedStrategy) => boolean) {
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const setOpen = useCallback(
    (key: number, isOpen: boolean) => setChosen((before) => new Map(before).set(key, isOpen)),
    [],
  );
  return { isOpen: (draft: EditedStrategy) => chosen.get(draft.key) ?? isOpenAtFirst(draft), setOpen };
}
