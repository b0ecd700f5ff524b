// Estimates how many calls a change of a toggle turns on, from the calls of the last hour, and how many are on now. Pure functions;
// unknown effects are named.
import type { Counts } from '@/api/generated/types';
import { type AudienceRule, getPercent, hasConstraints } from '@/domain/strategies/audience';
import { getBuiltInList, getShareParameter } from '@/domain/strategies/builtInStrategies';
import { roundCount, withPercentSign } from '@/lib/format';
import { jsonEqual } from '@/lib/json';
import { splitList } from '@/lib/text';
import { getEffect } from './effect';
import { HOUR_MS, type RatedToggle, type RecentChange, type TimedVersion } from './recentChange';

/** Bounds of the share of calls that are on, 0 to 1. */
interface ShareBounds {
  min: number;
  max: number;
  /** The bounds follow from percentages of strategies, and not from counts. */
  isConfigured?: boolean;
}

/** An effect on the calls of one hour. */
export interface Impact {
  /** Percentage before and after the change, such as `50 → 25 %`. Undefined if it is unknown. */
  percentage: string | undefined;
  /** Number of calls that are on before and after the change, such as `18,000 → 9,000 of 36,000 checks per hour`. */
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

interface Options {
  /** Calls of the last hour; undefined without metrics. */
  counts: Counts | undefined;
  /** Text without calls. */
  noCalls?: string;
  /** Changes within the last hour, so that its calls measure older versions, too. */
  recent?: RecentChange | undefined;
  /** Time in ms. */
  now?: number;
  formatNumber: (value: number) => string;
  /** Formats a time of day. */
  formatTime?: (at: number) => string;
}

/** The calls that are on with the stored version, and how that is known. */
interface StoredShare {
  share: ShareBounds;
  source: 'measured' | 'estimated' | 'configured';
}

/** Estimates the effect of a change of a toggle. */
export function estimateImpact(before: RatedToggle, after: RatedToggle, options: Options): Impact {
  const { counts, noCalls = 'no calls yet' } = options;
  const total = counts ? counts.yes + counts.no : 0;
  const texts = createTexts(total, options);
  const none = { percentage: undefined, note: undefined, now: undefined, after: undefined };
  const isChanged = !jsonEqual(before, after);
  const stored = findStoredShare(before, options);
  if (!after.enabled) {
    if (before.enabled && counts && total > 0) {
      const off = { min: 0, max: 0 };
      const checks = `${texts.count(stored.share)} ${texts.ofTotal} become no`;
      return { ...none, checks, now: describeNow(stored, texts), after: { ...off, text: texts.level(off) } };
    }
    const text = `${counts ? `0 ${texts.ofTotal}. ` : ''}The toggle is off.`;
    return { ...none, checks: text, now: counts && { min: 0, max: 0, text } };
  }
  const to = getShareBounds(after.strategies);
  const unknown = describeUnknown(after.strategies, to);
  if (total === 0) {
    const percentage = texts.change(isChanged ? getShareBounds(before.strategies) : to, to);
    return { ...none, percentage, checks: noCalls, note: isChanged ? unknown : undefined };
  }
  const now = describeNow(stored, texts);
  if (!isChanged) return { ...none, checks: now.text, note: describeSource(stored, options), now };
  const scaled = scaleMeasured(before.strategies, after.strategies, stored.share, to);
  const share = isExact(to) ? to : (scaled ?? limit(to, stored.share, before, after));
  const isEstimated = scaled !== undefined && !isExact(to);
  return {
    percentage: texts.change(stored.share, share),
    checks: `${texts.count(stored.share)} → ${texts.count(share)} ${texts.ofTotal}`,
    note: isEstimated ? 'Estimated from the last hour.' : unknown,
    now,
    after: { ...share, text: texts.level(share) },
  };
}

/** A change that gives nobody anything new turns no call on, and one that takes nothing away turns none off. */
function limit(to: ShareBounds, stored: ShareBounds, before: RatedToggle, after: RatedToggle): ShareBounds {
  const effect = before.enabled ? getEffect(before, after) : 'widens';
  if (effect === 'narrows' || effect === 'neither')
    return { min: Math.min(to.min, stored.max), max: Math.min(to.max, stored.max) };
  return effect === 'widens' ? { min: Math.max(to.min, stored.min), max: Math.max(to.max, stored.min) } : to;
}

/** Returns the share of calls that are on with the stored version. */
function findStoredShare(stored: RatedToggle, { counts, recent, now = 0 }: Options): StoredShare {
  const total = counts ? counts.yes + counts.no : 0;
  const configured = stored.enabled ? getShareBounds(stored.strategies) : { min: 0, max: 0, isConfigured: true };
  if (!counts || total === 0 || !stored.enabled) return { share: configured, source: 'configured' };
  const measured = counts.yes / total;
  if (!recent && fits(measured, configured)) return { share: exactly(measured), source: 'measured' };
  const estimated = recent?.versions && estimateLast(recent.versions, measured, now);
  if (isExact(configured) || !estimated || !fits(estimated.max, configured))
    return { share: configured, source: 'configured' };
  return { share: estimated, source: 'estimated' };
}

/** Parts of the hour below this say nothing about the rest. */
const MIN_PART = 0.1;
/** Applications get a change, and report its calls, up to this later. */
const DELAY_MS = 60_000;

/**
 * Estimates the share of the last version from the calls of the last hour, of which each version decided a part. Undefined if
 * the versions cannot be compared.
 */
function estimateLast(versions: readonly TimedVersion[], measured: number, now: number): ShareBounds | undefined {
  const start = Math.max(now - HOUR_MS, versions[0]?.since ?? 0);
  // A toggle can be younger than the minute of `now`.
  const end = Math.max(now, start + 1);
  // Share of the current version in the loop, relative to the first one.
  let ratio = 1;
  let sum = 0;
  let canGain = false;
  const starts = versions.map(({ since }, index) => (index === 0 ? start : Math.max(start, since + DELAY_MS)));
  for (const [index, { toggle }] of versions.entries()) {
    const earlier = versions[index - 1]?.toggle;
    if (earlier) {
      ratio *= getRatio(earlier.strategies, toggle.strategies) ?? Number.NaN;
      canGain ||= !['neither', 'narrows'].includes(getEffect(earlier, toggle));
    }
    const length = Math.min(end, starts[index + 1] ?? end) - Math.min(end, starts[index] ?? end);
    if (toggle.enabled) sum += (length / (end - start)) * ratio;
  }
  if (sum >= MIN_PART) return exactly((measured / sum) * ratio);
  // The calls of wider versions are counted, too.
  return canGain ? undefined : { min: 0, max: measured };
}

/** Joins a text about calls and a note: a sentence, or words that continue the text. */
export function withNote(text: string, note: string | undefined): string {
  if (note === undefined) return text;
  if (/^[a-z]/.test(note)) return `${text}, ${note}`;
  return `${text}${text.endsWith('.') ? '' : '.'} ${note}`;
}

/** How the stored version is known, as the end of a sentence about its calls. */
function describeSource({ share, source }: StoredShare, { recent, formatTime = String }: Options): string | undefined {
  if (source === 'measured') return 'Measured in the last hour.';
  if (!recent) return isExact(share) ? undefined : 'Measured when the change is an hour old.';
  if (recent.at === undefined) return 'Measured when the change is an hour old.';
  const measured = `easured from ${formatTime(recent.at + HOUR_MS)} on.`;
  return isUnlimited(share) ? `M${measured}` : `estimated at ${formatTime(recent.at)}; m${measured}`;
}

type Texts = ReturnType<typeof createTexts>;

function createTexts(total: number, { formatNumber }: Options) {
  const format = (value: number) => formatNumber(roundCount(value));
  const percent =
    ({ isConfigured = false }: ShareBounds) =>
    (share: number) =>
      formatNumber(isConfigured ? Number((share * 100).toFixed(1)) : roundPercent(share));
  const scale = ({ min, max }: ShareBounds) => ({ min: min * total, max: max * total });
  const bounds = (share: ShareBounds) => describeBounds(scale(share), total, format);
  const inPercent = (share: ShareBounds) =>
    describeBounds(share, 1, percent(share))?.replace(/^(at most|at least|about) /, '');
  return {
    ofTotal: `of ${format(total)} checks per hour`,
    /** Number of calls, such as `18,000` or `at most 9,000`. */
    count: (share: ShareBounds) => bounds(share)?.replace('about ', '') ?? 'an unknown number',
    /** Number and share of calls, such as `≈ 14,300 (52 %)` or `at most 9,000 (25 %)`. */
    level(share: ShareBounds): string {
      const shown = inPercent(share);
      if (shown === undefined) return 'an unknown number';
      return `${bounds(share)?.replace('about ', '≈ ')} (${withPercentSign(shown)})`;
    },
    /** Percentages before and after a change, such as `50 → 25 %`; undefined if the second is unknown. */
    change(from: ShareBounds, to: ShareBounds): string | undefined {
      const [old, now] = [from, to].map((share) => describeBounds(share, 1, percent(share))?.replace('about ', ''));
      if (now === undefined) return undefined;
      if (old === undefined || old === now) return withPercentSign(now);
      const [prefix] = ['at most ', 'at least '].filter((start) => old.startsWith(start) && now.startsWith(start));
      return `${old} → ${withPercentSign(prefix ? now.slice(prefix.length) : now)}`;
    },
    measured: (share: number) =>
      `${format(share * total)} of ${format(total)} checks per hour are yes (${withPercentSign(formatNumber(roundPercent(share)))})`,
  };
}

function describeNow({ share, source }: StoredShare, texts: Texts): Level {
  if (source === 'measured') return { ...share, text: texts.measured(share.max) };
  const text = isUnlimited(share) ? `an unknown share ${texts.ofTotal}` : `${texts.level(share)} ${texts.ofTotal}`;
  return { ...share, text };
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

function isUnlimited({ min, max }: ShareBounds): boolean {
  return min <= 0 && max >= 1;
}

function roundPercent(share: number): number {
  return Number((share * 100).toFixed(share < 0.1 ? 1 : 0));
}

/** Returns undefined if everything between none and all is possible. */
function describeBounds({ min, max }: ShareBounds, all: number, format: (value: number) => string): string | undefined {
  const [low, high] = [format(min), format(max)];
  if (low === high) return `about ${low}`;
  if (min === 0) return max >= all ? undefined : `at most ${high}`;
  return max >= all ? `at least ${low}` : `${low} to ${high}`;
}

/** Scales the share of the stored version; undefined if that is impossible. */
function scaleMeasured(
  before: readonly AudienceRule[],
  after: readonly AudienceRule[],
  stored: ShareBounds,
  bounds: ShareBounds,
): ShareBounds | undefined {
  const ratio = getRatio(before, after);
  if (ratio === undefined || !isExact(stored) || stored.max === 0) return undefined;
  const scaled = stored.max * ratio;
  return scaled <= 1 && fits(scaled, bounds) ? exactly(scaled) : undefined;
}

/**
 * Returns the factor of the calls that are on if only the percentage of one strategy changes, or nothing. Constraints and other
 * strategies, whose effects are unknown, are then part of the measurement.
 */
function getRatio(before: readonly AudienceRule[], after: readonly AudienceRule[]): number | undefined {
  const pairs = after.map((now, index) => ({ old: before[index], now }));
  const changed = pairs.filter(({ old, now }) => !old || getShare(old) !== getShare(now) || !haveSameRest(old, now));
  if (before.length !== after.length || changed.length > 1) return undefined;
  const [first] = changed;
  if (!first) return 1;
  const { old, now } = first;
  const from = old && haveSameRest(old, now) ? getShare(old) : 0;
  return from > 0 ? getShare(now) / from : undefined;
}

/** Compares everything except percentages. Stored strategies and those of logs also have ids and positions. */
function haveSameRest(one: AudienceRule, other: AudienceRule): boolean {
  return jsonEqual(toRest(one), toRest(other));
}

function toRest({ name, parameters = {}, constraints, segments, disabled }: AudienceRule): object {
  const { [getShareParameter(name) ?? '']: _, ...others } = parameters;
  return {
    name,
    parameters: others,
    constraints: constraints ?? [],
    segments: segments ?? [],
    disabled: disabled ?? false,
  };
}

/** Strategies are alternatives. Rollouts with the same groupId and stickiness select the same users. */
function getShareBounds(strategies: readonly AudienceRule[]): ShareBounds {
  const known = strategies.filter((strategy) => getUnknownName(strategy) === undefined);
  const min = combineShares(known.filter((strategy) => !hasConstraints(strategy)));
  return { min, max: known.length === strategies.length ? combineShares(known) : 1, isConfigured: true };
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
