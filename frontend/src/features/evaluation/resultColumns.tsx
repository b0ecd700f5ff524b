// Columns of the evaluation page. The whole row is a link to the toggle. On phones a row is a card: name and result, then
// the variant and the reason.
import type { Explanation, SegmentReason, StrategyReason, Toggle } from '@/api/generated/types';
import { areStrategiesKnown } from '@/api/newerTypes';
import {
  describeConstraintReason,
  describeDecision,
  describeResult,
  describeRule,
} from '@/domain/evaluation/describeReason';
import { ResultChip } from '@/domain/evaluation/ResultChip';
import { findNearestMiss } from '@/domain/evaluation/nearestMiss';
import { getStrategyLabel } from '@/domain/strategies/strategyNames';
import { LANGUAGE } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { joinFirst } from '@/lib/text';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import type { GridColumn } from '@/ui/GridColumn';
import { Skeleton } from '@/ui/Skeleton';
import type { EvaluatedToggle } from './useEvaluatedToggles';

/** In pixels. */
export const rowHeight = { wide: 60, narrow: 116 };
export const resultPhoneColumns = 'minmax(0,1fr) auto';

const resultNameColumn: GridColumn<EvaluatedToggle> = {
  header: 'Toggle',
  width: 'minmax(0,2fr)',
  isHeading: true,
  className: 'flex min-w-0 items-center gap-2 pr-4 text-left font-semibold',
  cell: ({ toggle, href }) => (
    <>
      <TextLink to={href} className="truncate after:absolute after:inset-0">
        {toggle.name}
      </TextLink>
      {toggle.stale && <Chip tone="warn">Stale</Chip>}
    </>
  ),
  copy: ({ toggle }) => toggle.name,
  href: ({ href }) => href,
  skeleton: (width) => <Skeleton width={Math.min(width, 180)} height={12} />,
};

const resultColumn: GridColumn<EvaluatedToggle> = {
  header: 'Result',
  width: '128px',
  className: 'flex min-w-0 pr-3 max-sm:pr-2',
  cell: ({ result }) => result && <ResultChip result={result} />,
  copy: ({ result }) => result && describeResult(result, LANGUAGE),
  skeleton: () => <Skeleton width={60} height={20} />,
};

const variantColumn: GridColumn<EvaluatedToggle> = {
  header: 'Variant',
  width: 'minmax(0,1fr)',
  className: 'min-w-0 pr-3 text-secondary empty:max-sm:hidden max-sm:col-span-2 max-sm:flex max-sm:gap-x-2',
  cell: (row) => isServed(row) && <VariantCell {...row} />,
  copy: (row) => (isServed(row) ? row.result?.variant : ''),
};

/** Returns whether the toggle can be on, so that an application gets the variant. */
function isServed({ result }: EvaluatedToggle): boolean {
  return result !== undefined && result.result !== 'off';
}

function VariantCell({ result, oldVariant }: EvaluatedToggle) {
  const isRandom = result?.reasons?.variant?.selection.code === 'random';
  const text = result?.variant ?? (isRandom ? 'at random' : undefined);
  if (text === undefined) return null;
  return (
    <>
      <span className="block truncate">
        <span className="text-muted sm:hidden">Variant </span>
        {text}
      </span>
      {oldVariant !== undefined && <span className="block truncate text-warn">{oldVariant} in old libraries</span>}
    </>
  );
}

const reasonColumn: GridColumn<EvaluatedToggle> = {
  header: 'Reason',
  width: 'minmax(0,4fr)',
  className: 'min-w-0 text-muted text-secondary max-sm:col-span-2 max-sm:pr-2',
  cell: (row) => <Reason {...row} />,
  copy: (row) => getReason(row, LANGUAGE),
  skeleton: (width) => (
    <div className="max-sm:col-span-2">
      <Skeleton width={width} height={10} />
    </div>
  ),
};

function Reason(row: EvaluatedToggle) {
  const reason = getReason(row, useLocale());
  return (
    <span title={reason} className="wrap-anywhere line-clamp-2 max-sm:line-clamp-3">
      {reason}
    </span>
  );
}

function getReason({ toggle, result, error }: EvaluatedToggle, locale: string): string {
  if (error) return `Not evaluated. ${error.message}`;
  if (!areStrategiesKnown(toggle)) return 'Not evaluated. The server has not sent the strategies of this toggle.';
  return result?.reasons ? describeCause(result.reasons, getLabels(toggle), locale) : '';
}

function getLabels({ strategies }: Toggle): string[] {
  return strategies.map((_, index) => getStrategyLabel(strategies, index));
}

const withoutVariants = [resultNameColumn, resultColumn, reasonColumn];
const withVariants = [resultNameColumn, resultColumn, variantColumn, reasonColumn];

export function getColumns(options: { hasVariants: boolean }): readonly GridColumn<EvaluatedToggle>[] {
  return options.hasVariants ? withVariants : withoutVariants;
}

/** Constraints that the sentence describes. */
const MAX_CONSTRAINTS = 2;

/** Describes the decision with the cause of the deciding strategy. `labels` are the names of the strategies. */
export function describeCause(reasons: Explanation, labels: readonly string[], locale: string): string {
  const { decision, strategies, strategy: index } = reasons;
  const sentence = describeDecision(reasons, labels);
  if (decision === 'noStrategyMatches') return describeNoMatch(reasons, labels, locale);
  const deciding = decision === 'strategyMatches' && index !== undefined ? strategies[index] : undefined;
  const cause = deciding && describeMatch(deciding, locale);
  return cause ? `${sentence.slice(0, -1)}: ${cause}.` : sentence;
}

function describeNoMatch({ strategies }: Explanation, labels: readonly string[], locale: string): string {
  const enabled = strategies.flatMap((strategy, index) => (strategy.disabled ? [] : [{ strategy, index }]));
  const [only, ...others] = enabled;
  if (!only || others.length > 0) {
    const none = `None of the ${enabled.length} strategies matches.`;
    const nearest = findNearestMiss(strategies);
    const missed = nearest === undefined ? undefined : strategies[nearest];
    if (nearest === undefined || !missed) return none;
    return `${none} Nearest: "${labels[nearest] ?? missed.name}", ${describeMismatch(missed, locale)}.`;
  }
  const label = labels[only.index] ?? only.strategy.name;
  return `Strategy "${label}" does not match: ${describeMismatch(only.strategy, locale)}.`;
}

/** Describes why a strategy matches; undefined if the sentence about the decision says it. */
function describeMatch({ result, rule, constraints, segments }: StrategyReason, locale: string): string | undefined {
  if (result !== 'on') return undefined;
  if (rule.code !== 'always') return describeRule(rule, locale);
  const conditions = [...constraints.map(describeConstraintReason), ...segments.map(describeSegment)];
  return conditions.length > 0 ? joinFirst(conditions, MAX_CONSTRAINTS) : 'it is on for everyone';
}

function describeMismatch({ rule, constraints, segments }: StrategyReason, locale: string): string {
  const constraint = constraints.find(({ matches }) => !matches);
  if (constraint) return describeConstraintReason(constraint);
  const segment = segments.find(({ matches }) => !matches);
  return segment ? describeSegment(segment) : describeRule(rule, locale);
}

function describeSegment({ id, name = id, missing, matches }: SegmentReason): string {
  if (missing) return `segment ${name} does not exist`;
  return matches ? `segment ${name} matches` : `segment ${name} does not match`;
}
