// The strategy cards of a toggle while they are edited: what is stored, what was made of it, and what is sent for it.
import type { Strategy } from '@/api/generated/types';
import { jsonEqual } from '@/lib/jsonDiff';
import { matchStrategies } from '@/lib/matchStrategies';

export interface EditedCard {
  /** Tells cards apart: a toggle may have the same strategy twice. */
  readonly key: number;
  /** Its place among the stored ones; undefined for one that is new, or that somebody else removed meanwhile. */
  readonly at: number | undefined;
  /** As it was stored when editing began; undefined for a new one. */
  readonly base: Strategy | undefined;
  readonly now: Strategy;
}

export interface Cards {
  readonly stored: readonly Strategy[];
  readonly cards: readonly EditedCard[];
  readonly nextKey: number;
}

export function toCards(stored: readonly Strategy[]): Cards {
  const cards = stored.map((card, at): EditedCard => ({ key: at, at, base: card, now: card }));
  return { stored, cards, nextKey: stored.length };
}

export function isDirty({ base, now }: EditedCard): boolean {
  return base === undefined || !jsonEqual(base, now);
}

/** Follows what is stored now: what is being edited stays, and remembers what it was made of. */
export function follow(state: Cards, stored: readonly Strategy[]): Cards {
  if (stored === state.stored || jsonEqual(stored, state.stored)) return state;
  const origins = matchStrategies(state.stored, stored);
  const added = state.cards.filter(({ base }) => base === undefined);
  let { nextKey } = state;
  const kept = stored.map((card, at): EditedCard => {
    const known =
      origins[at] === undefined
        ? takeAlike(added, card)
        : state.cards.find((one) => one.at !== undefined && one.at === origins[at]);
    if (known && known.base !== undefined && isDirty(known) && !jsonEqual(known.now, card)) return { ...known, at };
    if (!known) nextKey += 1;
    return { key: known?.key ?? nextKey - 1, at, base: card, now: card };
  });
  const keys = new Set(kept.map(({ key }) => key));
  const left = state.cards.filter((card) => isDirty(card) && !keys.has(card.key));
  return { stored, cards: [...kept, ...left.map((card) => ({ ...card, at: undefined }))], nextKey };
}

/** The new card that has become this stored one. */
function takeAlike(added: EditedCard[], stored: Strategy): EditedCard | undefined {
  const { id: _, ...sent } = stored;
  const at = added.findIndex(({ now }) => jsonEqual(trimmed(now), sent));
  return at < 0 ? undefined : added.splice(at, 1)[0];
}

/** After these were saved: whatever is stored now is what they are. */
export function settle(state: Cards, keys: readonly number[], stored: readonly Strategy[]): Cards {
  const followed = follow(state, stored);
  const isSaved = ({ key }: EditedCard) => keys.includes(key);
  const cards = followed.cards
    .filter((card) => !isSaved(card) || card.at !== undefined)
    .map((card): EditedCard => {
      const is = card.at === undefined || !isSaved(card) ? undefined : stored[card.at];
      return is ? { ...card, base: is, now: is } : card;
    });
  return { ...followed, cards };
}

export function edit(state: Cards, key: number, now: Strategy): Cards {
  return { ...state, cards: state.cards.map((card) => (card.key === key ? { ...card, now } : card)) };
}

export function add(state: Cards, now: Strategy): Cards {
  const card: EditedCard = { key: state.nextKey, at: undefined, base: undefined, now };
  return { ...state, cards: [...state.cards, card], nextKey: state.nextKey + 1 };
}

/** Back to what is stored; what is not stored goes. */
export function discard(state: Cards, keys: readonly number[]): Cards {
  return settle(state, keys, state.stored);
}

export function dirtyKeys({ cards }: Cards): number[] {
  return cards.filter(isDirty).map(({ key }) => key);
}

/** The strategies before and after: of the cards named, as they were and as they are; of all others, as stored. */
export function versions({ stored, cards }: Cards, keys: readonly number[]): { base: Strategy[]; mine: Strategy[] } {
  const saved = cards.filter(({ key }) => keys.includes(key));
  const inPlace = (pick: (card: EditedCard) => Strategy | undefined) =>
    stored.map((card, at) => {
      const own = saved.find((one) => one.at === at);
      return (own && pick(own)) ?? card;
    });
  const loose = saved.filter(({ at }) => at === undefined);
  return {
    base: [...inPlace(({ base }) => base), ...loose.flatMap(({ base }) => base ?? [])],
    mine: [...inPlace(({ now }) => trimmed(now)), ...loose.map(({ now }) => trimmed(now))],
  };
}

export function without<T>(list: readonly T[], at: number): T[] {
  return list.filter((_, index) => index !== at);
}

export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = without(list, from);
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)];
}

/** White space around values never reaches the server. */
function trimmed(card: Strategy): Strategy {
  if (!card.parameters) return card;
  const parameters = Object.entries(card.parameters).map(([name, value]) => [name, trim(value)]);
  return { ...card, parameters: Object.fromEntries(parameters) };
}

/** Text by contract; a server that keeps a number there gets it back as it was. */
function trim(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}
