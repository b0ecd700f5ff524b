// What becomes of a definition that two people edited at the same time.
import type { StrategyDraft } from '@/api/endpoints';
import type { StrategyDefinition } from '@/api/generated/types';
import { jsonDiff } from '@/lib/jsonDiff';
import { draftOf, inputOf } from './definition';

type Edited = Pick<StrategyDraft, 'description' | 'parameters'>;

export interface Merge {
  /** What is stored, with what was edited here; also where somebody else edited the same. */
  mine: StrategyDefinition;
  /** Whether saving it would undo somebody else's edit. */
  collides: boolean;
}

/** `base`: what the edit began with. `stored`: what the server has now. */
export function mergeDefinition(base: StrategyDefinition, edited: Edited, stored: StrategyDefinition): Merge {
  const before = draftOf(inputOf(base));
  const theirs = draftOf(inputOf(stored));
  const collides = (part: keyof Edited) =>
    !same(edited[part], before[part]) && !same(theirs[part], before[part]) && !same(theirs[part], edited[part]);
  const keep = (part: keyof Edited) => same(edited[part], before[part]);
  return {
    mine: {
      ...stored,
      ...(!keep('description') && { description: edited.description }),
      ...(!keep('parameters') && { parameters: edited.parameters }),
    },
    collides: collides('description') || collides('parameters'),
  };
}

export function same(one: unknown, other: unknown): boolean {
  return jsonDiff(one, other).length === 0;
}
