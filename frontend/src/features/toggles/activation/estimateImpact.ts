// Estimates how many calls a change of strategies turns on, from the last hour. Pure functions; unknown effects are named.
import type { Counts, Toggle } from '@/api/generated/types';
import { jsonEqual } from '@/lib/json';
import { splitList } from '@/lib/text';
import { type AudienceRule, getBuiltInList, getPercent, hasConstraints } from './audience';

/** Bounds of the share of calls that are on, 0 to 1. */
interface ShareBounds {
  min: number;
  max: number;
}

export interface Impact {
  /** Percentage before and after the change, such as `50 → 25 %`. Undefined if it is unknown. */
  percentage: string | undefined;
  /** Number of calls that are on after the change, such as `about 9,000 of 36,000 checks per hour`. */
  checks: string;
  /** The reason why the estimate is not exact. */
  caveat: string | undefined;
}

type RatedToggle = Pick<Toggle, 'enabled' | 'strategies'>;

/** Estimates the effect of a change. `counts` are the calls of the last hour; undefined without metrics. */
export function estimateImpact(
  before: RatedToggle,
  after: RatedToggle,
  counts: Counts | undefined,
  formatNumber: (value: number) => string,
): Impact {
  if (!after.enabled) {
    const total = counts && `0 of ${formatNumber(roundCount(counts.yes + counts.no))} checks per hour. `;
    return { percentage: undefined, checks: `${total ?? ''}The toggle is off.`, caveat: undefined };
  }
  const [from, to] = [getShareBounds(before.strategies), getShareBounds(after.strategies)];
  const percentage = describeChange(from, to, formatNumber);
  const caveat = describeUnknown(after.strategies, to);
  if (!counts) return { percentage, checks: 'No metrics available.', caveat };
  const total = counts.yes + counts.no;
  if (total === 0) return { percentage, checks: 'No checks in the last hour.', caveat };
  const format = (value: number) => formatNumber(roundCount(value));
  const ofTotal = `of ${format(total)} checks per hour`;
  if (to.min !== to.max && jsonEqual(before, after))
    return { percentage, checks: `about ${format(counts.yes)} ${ofTotal}`, caveat: 'Measured in the last hour.' };
  const measured = before.enabled ? scaleMeasured(before.strategies, after.strategies, counts) : undefined;
  if (measured !== undefined)
    return { percentage, checks: `about ${format(measured)} ${ofTotal}`, caveat: 'Estimated from the last hour.' };
  const count = describeBounds({ min: to.min * total, max: to.max * total }, total, format);
  return { percentage, checks: count ? `${count} ${ofTotal}` : `an unknown share ${ofTotal}`, caveat };
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
  if (old === undefined || old === now) return `${now} %`;
  const [prefix] = ['at most ', 'at least '].filter((start) => old.startsWith(start) && now.startsWith(start));
  return `${old} → ${prefix ? now.slice(prefix.length) : now} %`;
}

/** Returns undefined if everything between none and all is possible. */
function describeBounds({ min, max }: ShareBounds, all: number, format: (value: number) => string): string | undefined {
  const [low, high] = [format(min), format(max)];
  if (low === high) return `about ${low}`;
  if (min === 0) return max >= all ? undefined : `at most ${high}`;
  return max >= all ? `at least ${low}` : `${low} to ${high}`;
}

/**
 * Scales the measured calls if only the percentage of a single strategy changes: its constraints, whose effect is
 * unknown, are then part of the measurement. Undefined if the measurement contradicts the strategy, for example because
 * it was changed within the last hour.
 */
function scaleMeasured(
  [old, ...moreOld]: readonly AudienceRule[],
  [now, ...moreNow]: readonly AudienceRule[],
  { yes, no }: Counts,
): number | undefined {
  if (!old || !now || moreOld.length + moreNow.length > 0 || !hasConstraints(now)) return undefined;
  if (old.name !== now.name || !jsonEqual(old.constraints, now.constraints)) return undefined;
  const [from, to] = [getShareBounds([old]).max, getShareBounds([now]).max];
  const isPlausible = yes > 0 && from > 0 && yes <= (yes + no) * from && getUnknownName(now) === undefined;
  return isPlausible ? (yes * to) / from : undefined;
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
