// Columns of the evaluation page. The whole row is a link to the toggle. On phones a row is a card: name and result, then
// the variant and the reason.
import type { Explanation, Strategy, StrategyReason } from '@/api/generated/types';
import { areStrategiesKnown } from '@/api/newerTypes';
import { describeDecision, describeVerdict } from '@/domain/evaluation/describeReason';
import { findNearestMiss } from '@/domain/evaluation/nearestMiss';
import { ResultChip } from '@/domain/evaluation/ResultChip';
import { getStrategyLabel } from '@/domain/strategies/strategyNames';
import { describePastHold } from '@/domain/past/describeRecording';
import { useLocale } from '@/lib/locale';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import type { GridColumn } from '@/ui/GridColumn';
import { Skeleton } from '@/ui/Skeleton';
import type { EvaluatedToggle } from './useEvaluatedToggles';

/** In pixels; on phones, an estimate. */
export const rowHeight = { wide: 60, narrow: 84 };
export const resultPhoneColumns = 'minmax(0,1fr) auto';

const resultNameColumn: GridColumn<EvaluatedToggle> = {
  header: 'Toggle',
  width: 'minmax(184px,2fr)',
  isHeading: true,
  className: 'flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 pr-4 text-left font-semibold',
  cell: ({ toggle, href }) => (
    <>
      <TextLink to={href} className="wrap-anywhere line-clamp-2 after:absolute after:inset-0">
        {toggle.name}
      </TextLink>
      {toggle.stale && <Chip tone="warn">Stale</Chip>}
    </>
  ),
  skeleton: (width) => <Skeleton width={Math.min(width, 180)} height={12} />,
};

const resultColumn: GridColumn<EvaluatedToggle> = {
  header: 'Result',
  width: '132px',
  className: 'flex min-w-0 pr-3 max-sm:pr-2',
  cell: ({ result }) => result && <ResultChip result={result} />,
  skeleton: () => <Skeleton width={60} height={20} />,
};

const OLD_LIBRARIES = 'Client libraries before October 2023 hash the id in another way.';

const variantColumn: GridColumn<EvaluatedToggle> = {
  header: 'Variant',
  width: 'minmax(0,1fr)',
  className: 'min-w-0 pr-3 text-secondary empty:max-sm:hidden max-sm:col-span-2 max-sm:flex max-sm:gap-x-2',
  cell: (row) => isServed(row) && <VariantCell {...row} />,
};

/** Returns whether the toggle can be on, so that an application gets the variant. */
function isServed({ result }: EvaluatedToggle): boolean {
  return result !== undefined && result.result !== 'off';
}

/** Returns whether the column of variants has a text for the row. */
export function hasVariant(row: EvaluatedToggle): boolean {
  return isServed(row) && getVariantText(row) !== undefined;
}

/** Returns whether old client libraries select another variant than the row shows. */
export function hasOtherVariant(row: EvaluatedToggle): boolean {
  return isServed(row) && row.oldVariant !== undefined;
}

function getVariantText({ result }: EvaluatedToggle): string | undefined {
  const isRandom = result?.reasons?.variant?.selection.code === 'random';
  return result?.variant ?? (isRandom ? 'at random' : undefined);
}

function VariantCell(row: EvaluatedToggle) {
  const { oldVariant } = row;
  const text = getVariantText(row);
  if (text === undefined) return null;
  return (
    <>
      <span className="block truncate">
        <span className="text-muted sm:hidden">Variant </span>
        {text}
      </span>
      {oldVariant !== undefined && (
        <span data-tip={OLD_LIBRARIES} className="block truncate text-warn">
          {oldVariant} in old libraries
        </span>
      )}
    </>
  );
}

const reasonColumn: GridColumn<EvaluatedToggle> = {
  header: 'Reason',
  width: 'minmax(0,4fr)',
  className: 'min-w-0 text-muted text-secondary max-sm:col-span-2 max-sm:pr-2',
  cell: (row) => <Reason {...row} />,
  skeleton: (width) => (
    <div className="max-sm:col-span-2">
      <Skeleton width={width} height={10} />
    </div>
  ),
};

function Reason(row: EvaluatedToggle) {
  const reason = getReason(row, useLocale());
  return (
    <span data-tip={reason} className="wrap-anywhere sm:line-clamp-3">
      {reason}
    </span>
  );
}

function getReason({ toggle, result, error }: EvaluatedToggle, locale: string): string {
  if (error) return `Not evaluated. ${error.message}`;
  if (!areStrategiesKnown(toggle)) return 'Not evaluated. The server has not sent the strategies of this toggle.';
  return result?.reasons ? describeCause(result.reasons, toggle.strategies, locale) : '';
}

const withoutVariants = [resultNameColumn, resultColumn, reasonColumn];
const withVariants = [resultNameColumn, resultColumn, variantColumn, reasonColumn];

export function getColumns(options: { hasVariants: boolean }): readonly GridColumn<EvaluatedToggle>[] {
  return options.hasVariants ? withVariants : withoutVariants;
}

/** Describes the decision with the cause of the deciding strategy, and the hold that SDKs got. */
export function describeCause(reasons: Explanation, strategies: readonly Strategy[], locale: string): string {
  const cause = describeStrategies(reasons, strategies, locale);
  return reasons.hold ? `${cause} ${describePastHold(reasons.hold, locale)}` : cause;
}

function describeStrategies(reasons: Explanation, strategies: readonly Strategy[], locale: string): string {
  const { decision, strategy: index } = reasons;
  const labels = strategies.map((_, at) => getStrategyLabel(strategies, at));
  const sentence = describeDecision(reasons, labels);
  const describeAt = (at: number, reason: StrategyReason) =>
    describeVerdict(reason, strategies[at]?.constraints, locale);
  if (decision === 'noStrategyMatches') return describeNoMatch(reasons, labels, describeAt);
  const deciding = decision === 'strategyMatches' && index !== undefined ? reasons.strategies[index] : undefined;
  if (index === undefined || deciding?.result !== 'on') return sentence;
  return `${sentence.slice(0, -1)}: ${describeAt(index, deciding)}.`;
}

type DescribeAt = (index: number, reason: StrategyReason) => string;

function describeNoMatch({ strategies }: Explanation, labels: readonly string[], describeAt: DescribeAt): string {
  const enabled = strategies.flatMap((strategy, index) => (strategy.disabled ? [] : [{ strategy, index }]));
  const nearest = findNearestMiss(strategies);
  const missed = nearest === undefined ? undefined : strategies[nearest];
  const none = `None of the ${enabled.length} strategies matches.`;
  if (nearest === undefined || !missed) return none;
  const label = labels[nearest] ?? missed.name;
  const reason = describeAt(nearest, missed);
  if (enabled.length === 1) return `Strategy "${label}" does not match: ${reason}.`;
  return `${none} Nearest: "${label}", ${reason}.`;
}
