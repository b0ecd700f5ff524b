// Responses of the flight recorder. It stores toggles as SDKs get them; `normalise.ts` fills in the other fields.
import type { ListedSegment, PastChange, PastChanges, PastState, Toggle } from './generated/types';

export interface RecordedState extends Omit<PastState, 'features' | 'segments'> {
  features: Toggle[];
  segments: ListedSegment[];
}

export interface RecordedChanges extends Omit<PastChanges, 'changes'> {
  changes: RecordedChange[];
}

export type RecordedChange =
  | (Omit<PastChange, 'kind' | 'before' | 'after'> & { kind: 'toggle'; before: Toggle | null; after: Toggle | null })
  | (PastChange & { kind: 'segment' });
