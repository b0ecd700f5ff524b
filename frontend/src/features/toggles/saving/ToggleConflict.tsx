// Descriptions of the conflicts of a toggle.
import { strategies } from '@/api/endpoints';
import type { Strategy, StrategyDefinition, Variant } from '@/api/generated/types';
import { useAnnouncedRead } from '@/api/useRead';
import { describeStrategyChanges, describeVariantChanges } from '@/domain/changes/describeChanges';
import { type SegmentName, useSegmentName } from '@/domain/strategies/useSegmentName';
import { isJsonObject } from '@/lib/json';
import { useLocale } from '@/lib/locale';
import type { MergeConflict, Side } from '@/lib/merge';
import { ChangeLines, type ChangesProps, describeSide, describeValue } from '@/shared/ConflictDialog';

export function ToggleConflict({ conflict, side }: ChangesProps) {
  const definitions = useAnnouncedRead(strategies).data?.strategies ?? [];
  const lines = describeConflictSide(conflict, side, {
    definitions,
    locale: useLocale(),
    segmentName: useSegmentName([conflict.base, conflict[side]].filter(isStrategy)),
  });
  return <ChangeLines lines={lines} value={conflict[side]} />;
}

/** No limit of listed values: truncated descriptions of the two sides could be equal. */
const ALL = Number.POSITIVE_INFINITY;

function isStrategy(value: unknown): value is Strategy {
  return isJsonObject(value) && Array.isArray(value['segments']);
}

interface Options {
  definitions: readonly StrategyDefinition[];
  /** Formats numbers. */
  locale: string;
  segmentName?: SegmentName;
}

/** Describes the changes of one side; undefined if both descriptions are equal and only the values differ. */
export function describeConflictSide(conflict: MergeConflict, side: Side, options: Options) {
  const { definitions, locale, segmentName } = options;
  return describeSide(conflict, side, (value, { kind, base }) => {
    if (value === undefined && kind !== 'field') return ['removed'];
    if (kind === 'order') return (value as string[]).map((name, index) => `${index + 1}. ${name}`);
    if (kind === 'strategy' && base)
      return describeStrategyChanges(base as Strategy, value as Strategy, { definitions, segmentName, maxValues: ALL });
    if (kind === 'variant' && base) return describeVariants([base as Variant], [value as Variant], locale);
    if (kind === 'variants') return describeVariants(base as Variant[], value as Variant[], locale);
    return describeValue(value, { base });
  });
}

function describeVariants(before: readonly Variant[], after: readonly Variant[], locale: string): string[] {
  return describeVariantChanges(before, after, { maxValues: ALL, locale }).flatMap(({ subject, changes }) =>
    changes.map((change) => (before.length === 1 && after.length === 1 ? change : `${subject}: ${change}`)),
  );
}
