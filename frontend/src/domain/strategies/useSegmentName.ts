import { createContext, useContext } from 'react';
import { segments } from '@/api/endpoints';
import type { ListedSegment, Strategy } from '@/api/generated/types';
import { useRead } from '@/api/useRead';

/** Returns the name of a segment; its id if it is not known. */
export type SegmentName = (id: number) => string;

/** The segments of a page that shows the past, instead of the current ones. */
export const RecordedSegments = createContext<readonly ListedSegment[] | undefined>(undefined);

/** Returns a function that names segments. Reads them only if one of the strategies uses a segment. */
export function useSegmentName(strategies: StrategySegments): SegmentName {
  const recorded = useContext(RecordedSegments);
  const isRead = !recorded && usesSegments(strategies);
  const listed = useRead(isRead ? segments : null).data?.segments;
  return toSegmentName(recorded ?? listed);
}

type StrategySegments = readonly Pick<Strategy, 'segments'>[];

function usesSegments(strategies: StrategySegments): boolean {
  return strategies.some((strategy) => strategy.segments && strategy.segments.length > 0);
}

function toSegmentName(listed: readonly ListedSegment[] | undefined): SegmentName {
  return (id) => listed?.find((segment) => segment.id === id)?.name ?? `${id}`;
}
