import { segments } from '@/api/endpoints';
import type { Strategy } from '@/api/generated/types';
import { useRead } from '@/api/hooks';

/** Returns the name of a segment; its id if it is not known. */
export type SegmentName = (id: number) => string;

/** Returns a function that names segments. Reads them only if one of the strategies uses a segment. */
export function useSegmentName(strategies: readonly Pick<Strategy, 'segments'>[]): SegmentName {
  const isUsed = strategies.some((strategy) => strategy.segments && strategy.segments.length > 0);
  const listed = useRead(isUsed ? segments : null, { handlesFailure: true }).data?.segments;
  return (id) => listed?.find((segment) => segment.id === id)?.name ?? `${id}`;
}
