// Responses with toggles as SDKs get them, such as those of the flight recorder; `normalise.ts` fills in the other fields.
import type { ListedSegment, PastChange, PastChanges, PastState, SdkToggles, Toggle } from './generated/types';

export interface RecordedState extends Omit<PastState, 'features' | 'segments'> {
  features: Toggle[];
  segments: ListedSegment[];
}

export interface SdkToggleState extends Omit<SdkToggles, 'features' | 'segments'> {
  features: Toggle[];
  segments: ListedSegment[];
}

export interface RecordedChanges extends Omit<PastChanges, 'changes'> {
  changes: RecordedChange[];
}

export type RecordedChange =
  | (Omit<PastChange, 'kind' | 'before' | 'after'> & { kind: 'toggle'; before: Toggle | null; after: Toggle | null })
  | (PastChange & { kind: 'segment' });
