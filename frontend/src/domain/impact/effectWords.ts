// A separate module, because the first page contains it.
import type { Effect } from '@/api/generated/types';
import effectWords from './effectWords.json';

/** The effects in words: the predicate of a sentence about a change. `flagdeck plan` prints the same words. */
export const EFFECT_WORDS: Readonly<Record<Effect, string>> = effectWords;

/** Why a change may widen. */
export const UNDECIDED =
  'Client libraries read the rules in different ways, or only the application knows whom they select.';
