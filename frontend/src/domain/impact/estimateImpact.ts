// Estimates how many calls a change of strategies turns on, from the calls of the last hour. They count only if the
// strategies are older than that hour and allow them. Pure functions; unknown effects are named.
import type { Counts, Toggle } from '@/api/generated/types';
import { type AudienceRule, getPercent, hasConstraints } from '@/domain/strategies/audience';
import { getBuiltInList, getShareParameter } from '@/domain/strategies/builtInStrategies';
import { withPercentSign } from '@/lib/format';
import { jsonEqual } from '@/lib/json';
import { splitList } from '@/lib/text';

/** Bounds of the share of calls that are on, 0 to 1. */
interface ShareBounds {
  min: number;
  max: number;
}

/** An effect on the calls of one hour. */
export interface Impact {
  /** Percentage before and after the change, such as `50 → 25 %`. Undefined if it is unknown. */
  percentage: string | undefined;
  /** Number of calls that are on after the change, such as `about 9,000 of 36,000 checks per hour`. */
  checks: string;
  /** Sentence about the source of the numbers, or the reason why they are not exact. */
  note: string | undefined;
  /** The calls that are on now; undefined without calls. */
  now: Level | undefined;
  /** The calls that are on after the change; undefined without a change or calls. */
  after: Level | undefined;
}

/** Share of calls that are on, and its text. */
export interface Level extends ShareBounds {
  text: string;
}

type RatedToggle = Pick<Toggle, 'enabled' | 'strategies'>;

interface Options {
  /** Calls of the last hour; undefined without metrics. */
  counts: Counts | undefined;
  /** The strategies changed within the last hour, so that its calls measure older ones. */
  isRecent?: boolean;
  formatNumber: (value: number) => string;
}

/** Estimates the effect of a change of the strategies. */
export function estimateImpact(before: RatedToggle, after: RatedToggle, options: Options): Impact {
  const { counts, isRecent = false, formatNumber } = options;
  const total = counts ? counts.yes + counts.no : 0;
  const format = (value: number) => formatNumber(roundCount(value));
  const ofTotal = `of ${format(total)} checks per hour`;
  const none = { percentage: undefined, note: undefined, now: undefined, after: undefined };
  if (!after.enabled) {
    const text = `${counts ? `0 ${ofTotal}. ` : ''}The toggle is off.`;
    return { ...none, checks: text, now: counts && { min: 0, max: 0, text } };
  }
  const [from, to] = [getShareBounds(before.strategies), getShareBounds(after.strategies)];
  const percentage = describeChange(from, to, formatNumber);
  const unknown = describeUnknown(after.strategies, to);
  if (!counts) return { ...none, percentage, checks: 'No metrics available.', note: unknown };
  if (total === 0) return { ...none, percentage, checks: 'No checks in the last hour.', note: unknown };

  const describeLevel = (share: ShareBounds) => {
    const text = describeBounds({ min: share.min * total, max: share.max * total }, total, format);
    return text ? `${text} ${ofTotal}` : `an unknown share ${ofTotal}`;
  };
  const isChanged = !jsonEqual(before, after);
  const isMeasured = before.enabled && !isRecent && fits(counts.yes / total, from);
  const now = isMeasured ? exactly(counts.yes / total) : from;
  const nowText = isMeasured
    ? `${format(counts.yes)} ${ofTotal} are yes (${withPercentSign(formatNumber(roundPercent(counts.yes / total)))})`
    : describeLevel(from);
  const scaled = isMeasured ? scaleMeasured(before.strategies, after.strategies, counts.yes / total, to) : undefined;
  const whole = isExact(to) ? to.max : scaled;
  const unchanged = isMeasured ? now.max : undefined;
  const estimate = isChanged ? whole : unchanged;
  const share = estimate === undefined ? to : exactly(estimate);
  return {
    percentage,
    checks: describeLevel(share),
    note: describeSource({ isChanged, isMeasured, isExact: isExact(to), isEstimated: scaled !== undefined, unknown }),
    now: { ...now, text: nowText },
    after: isChanged ? { ...share, text: describeAfter(share, total, format, formatNumber) } : undefined,
  };
}

/** The measurement of an hour differs from the configured share, because users send different numbers of calls. */
const TOLERANCE = 0.05;

/** Returns whether a measured share is possible with these bounds. */
function fits(share: number, { min, max }: ShareBounds): boolean {
  return share >= min - TOLERANCE && share <= max + TOLERANCE;
}

function exactly(share: number): ShareBounds {
  return { min: share, max: share };
}

function isExact({ min, max }: ShareBounds): boolean {
  return min === max;
}

function roundPercent(share: number): number {
  return Number((share * 100).toFixed(share < 0.1 ? 1 : 0));
}

/** Describes the level after saving, such as `≈ 14,300 (52 %)` or `at most 9,000`. */
function describeAfter(
  share: ShareBounds,
  total: number,
  format: (value: number) => string,
  formatNumber: (value: number) => string,
): string {
  if (isExact(share))
    return `≈ ${format(share.max * total)} (${withPercentSign(formatNumber(roundPercent(share.max)))})`;
  return describeBounds({ min: share.min * total, max: share.max * total }, total, format) ?? 'an unknown number';
}

interface Source {
  isChanged: boolean;
  isMeasured: boolean;
  isExact: boolean;
  isEstimated: boolean;
  unknown: string | undefined;
}

function describeSource(source: Source): string | undefined {
  if (!source.isChanged) {
    if (source.isMeasured) return 'Measured in the last hour.';
    return source.isExact ? undefined : 'Measured when the change is an hour old.';
  }
  if (source.isExact) return undefined;
  return source.isEstimated ? 'Estimated from the last hour.' : source.unknown;
}

/** Rounds to three digits: the counts of one hour do not predict the next one more exactly. */
function roundCount(value: number): number {
  return Number(value.toPrecision(3));
}

function describeChange(
  from: ShareBounds,
  to: ShareBounds,
  formatNumber: (value: number) => string,
): string | undefined {
  const format = (value: number) => formatNumber(Number((value * 100).toFixed(1)));
  const [old, now] = [from, to].map((share) => describeBounds(share, 1, format)?.replace('about ', ''));
  if (now === undefined) return undefined;
  if (old === undefined || old === now) return withPercentSign(now);
  const [prefix] = ['at most ', 'at least '].filter((start) => old.startsWith(start) && now.startsWith(start));
  return `${old} → ${withPercentSign(prefix ? now.slice(prefix.length) : now)}`;
}

/** Returns undefined if everything between none and all is possible. */
function describeBounds({ min, max }: ShareBounds, all: number, format: (value: number) => string): string | undefined {
  const [low, high] = [format(min), format(max)];
  if (low === high) return `about ${low}`;
  if (min === 0) return max >= all ? undefined : `at most ${high}`;
  return max >= all ? `at least ${low}` : `${low} to ${high}`;
}

/**
 * Scales the measured share if only the percentage of one strategy changes. Constraints and other strategies, whose
 * effects are unknown, are then part of the measurement. Undefined if the result is impossible.
 */
function scaleMeasured(
  before: readonly AudienceRule[],
  after: readonly AudienceRule[],
  measured: number,
  bounds: ShareBounds,
): number | undefined {
  const changed = after.flatMap((now, index) => (jsonEqual(before[index], now) ? [] : [{ old: before[index], now }]));
  const [first] = changed;
  if (before.length !== after.length || changed.length !== 1 || !first?.old) return undefined;
  const { old, now } = first;
  if (!jsonEqual(withoutShare(old), withoutShare(now))) return undefined;
  const [from, to] = [getShare(old), getShare(now)];
  const scaled = (measured * to) / from;
  return measured > 0 && from > 0 && scaled <= 1 && fits(scaled, bounds) ? scaled : undefined;
}

function withoutShare({ parameters = {}, ...strategy }: AudienceRule): object {
  const { [getShareParameter(strategy.name) ?? '']: _, ...others } = parameters;
  return { ...strategy, parameters: others };
}

/** Strategies are alternatives. Rollouts with the same groupId and stickiness select the same users. */
function getShareBounds(strategies: readonly AudienceRule[]): ShareBounds {
  const known = strategies.filter((strategy) => getUnknownName(strategy) === undefined);
  const min = combineShares(known.filter((strategy) => !hasConstraints(strategy)));
  return { min, max: known.length === strategies.length ? combineShares(known) : 1 };
}

function combineShares(strategies: readonly AudienceRule[]): number {
  const groups = new Map<string, number>();
  for (const [index, strategy] of strategies.entries()) {
    const group = getSelectionGroup(strategy) ?? `${index}`;
    groups.set(group, Math.max(groups.get(group) ?? 0, getShare(strategy)));
  }
  return 1 - [...groups.values()].reduce((off, share) => off * (1 - share), 1);
}

/** Identifies the strategies that select the same users; undefined if the selection is independent of all others. */
function getSelectionGroup({ name, parameters = {} }: AudienceRule): string | undefined {
  const { stickiness = 'default', groupId = '' } = parameters;
  return name === 'flexibleRollout' && stickiness !== 'random' ? `${stickiness} ${groupId}` : undefined;
}

/** Returns the share of calls of a strategy without its constraints. Empty lists and disabled strategies match none. */
function getShare(strategy: AudienceRule): number {
  if (strategy.disabled) return 0;
  if (strategy.name === 'default') return 1;
  return Math.min(100, Math.max(0, getPercent(strategy) ?? 0)) / 100;
}

/** Returns the name of a strategy whose share is unknown; undefined if it is known. */
function getUnknownName(strategy: AudienceRule): string | undefined {
  const { name, parameters = {} } = strategy;
  const list = getBuiltInList(name);
  if (strategy.disabled || name === 'default' || getPercent(strategy) !== undefined) return undefined;
  return list !== undefined && splitList(parameters[list] ?? '').length === 0 ? undefined : name;
}

const WORDS = new Intl.ListFormat('en');

function describeUnknown(strategies: readonly AudienceRule[], { min, max }: ShareBounds): string | undefined {
  if (min === max) return undefined;
  const names = new Set(strategies.flatMap((strategy) => getUnknownName(strategy) ?? []));
  if (strategies.some(hasConstraints)) names.add('constraints');
  return names.size === 1
    ? `The effect of ${[...names].join()} is unknown.`
    : `The effects of ${WORDS.format(names)} are unknown.`;
}
