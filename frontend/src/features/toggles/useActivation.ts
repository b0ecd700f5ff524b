// The strategy cards of a toggle on their way from what is stored to what will be.
import { useState } from 'react';
import type { Strategy, StrategyDefinition, Toggle } from '@/api/generated/types';
import { useLeaveGuard } from '@/lib/leaveGuard';
import {
  add,
  type Cards,
  dirtyKeys,
  discard,
  type EditedCard,
  edit,
  follow,
  moved,
  settle,
  toCards,
  versions,
  without,
} from './cards';
import { defaultParameters } from './rules';
import { useToggleSave } from './useToggleSave';

interface Move {
  from: number;
  to: number;
  /** What it moves within: as soon as another order is known, it has been done. */
  stored: Cards['stored'];
}

export function useActivation(toggle: Toggle) {
  const [state, setState] = useState(() => toCards(toggle.strategies));
  const [moving, setMoving] = useState<Move>();
  const [savedKeys, setSavedKeys] = useState<readonly number[]>([]);
  const { store, saving, conflict } = useToggleSave(toggle);
  const removal = useToggleSave(toggle);
  const current = follow(state, toggle.strategies);
  if (current !== state) setState(current);
  const dirty = dirtyKeys(current);
  useLeaveGuard(dirty.length > 0);

  const change = (how: (cards: Cards) => Cards) => setState((cards) => how(cards));
  const withStrategies = (strategies: Strategy[]): Toggle => ({ ...toggle, strategies });

  async function save(keys: readonly number[]) {
    const { base, mine } = versions(current, keys);
    setSavedKeys((under) => [...under, ...keys]);
    const stored = await store(withStrategies(base), () => withStrategies(mine));
    if (stored) change((cards) => settle(cards, keys, stored.strategies));
    setSavedKeys((under) => under.filter((key) => !keys.includes(key)));
  }

  /** Throws: the dialog that asked shows why. */
  async function remove({ key, at, base }: EditedCard) {
    if (at === undefined) return change((cards) => discard(cards, [key]));
    const strategies = current.stored.map((stored, index) => (index === at ? (base ?? stored) : stored));
    const stored = await removal.store(
      withStrategies(strategies),
      (known) => ({ ...known, strategies: without(strategies, at) }),
      {
        inline: true,
      },
    );
    if (stored) change((cards) => settle(cards, [key], stored.strategies));
  }

  async function move(from: number, to: number) {
    setMoving({ from, to, stored: current.stored });
    const stored = await store(withStrategies([...current.stored]), (known) => ({
      ...known,
      strategies: moved(known.strategies, from, to),
    }));
    if (stored) change((cards) => follow(cards, stored.strategies));
    setMoving(undefined);
  }

  return {
    /** In the order of a move that is under way. */
    cards: moving && moving.stored === current.stored ? moved(current.cards, moving.from, moving.to) : current.cards,
    dirty,
    saving,
    savedKeys,
    conflict,
    removalConflict: removal.conflict,
    /** What saving these would make of the toggle as it is known here. */
    preview: (keys: readonly number[]): [Toggle, Toggle] => {
      const { base, mine } = versions(current, keys);
      return [withStrategies(base), withStrategies(mine)];
    },
    change: (key: number, strategy: Strategy) => change((cards) => edit(cards, key, strategy)),
    add: ({ name, parameters }: StrategyDefinition) =>
      change((cards) => add(cards, { name, parameters: defaultParameters(parameters, toggle.name) })),
    discard: (keys: readonly number[]) => change((cards) => discard(cards, keys)),
    save,
    remove,
    move,
  };
}
