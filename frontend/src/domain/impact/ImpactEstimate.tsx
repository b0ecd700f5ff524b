// The estimated impact of a change of a toggle, from the calls of the last hour.
import type { Toggle } from '@/api/generated/types';
import { useMetrics } from '@/api/reads';
import { getCounts } from '@/domain/toggles/toggleList';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { capitalise } from '@/lib/text';
import { formatClock } from '@/ui/DayTime';
import { estimateImpact, type Impact, withNote } from './estimateImpact';
import { isMeasured, useMinute, useRecentChange } from './useRecentChange';

export interface Versions {
  before: Toggle;
  after: Toggle;
}

/** Returns a function that estimates the effect of an edit. `stored` is the toggle on the server. */
export function useEstimate(stored: Toggle): (versions: Versions) => Impact {
  const locale = useLocale();
  const metrics = useMetrics(true);
  const counts = getCounts(metrics?.lastHour, stored.name);
  const recent = useRecentChange(stored, isMeasured(stored, counts));
  const now = useMinute();
  return ({ before, after }) =>
    estimateImpact(before, after, {
      counts,
      noCalls: metrics ? describeNoCalls(stored) : 'no metrics available',
      recent,
      now,
      formatNumber: (value) => formatNumber(value, locale),
      formatTime: (at) => formatClock(at, locale),
    });
}

function describeNoCalls({ lastSeenAt }: Toggle): string {
  return lastSeenAt ? 'no calls in the last hour' : 'no calls yet';
}

/** Describes an estimate in one line, such as `40 → 52 %: 19,400 → 25,200 of 48,600 checks per hour`. */
function describeImpact({ percentage, checks, note }: Impact): string {
  return withNote(capitalise(percentage ? `${percentage}: ${checks}` : checks), note);
}

/** Describes the calls that are on before and after a save, as far as they are known. */
export function describeSaveEffect(impact: Impact): string {
  const { now, after, note } = impact;
  if (!now || !after) return describeImpact(impact);
  return `Now: ${now.text}. After saving: ${withNote(`${after.text}.`, note)}`;
}

/** Estimated share and number of checks that are on, before and after a change. */
export function ImpactEstimate({ impact }: { impact: Impact }) {
  const share = impact.percentage ? capitalise(`${impact.percentage}: `) : '';
  return (
    <p className="wrap-anywhere text-muted text-secondary tabular-nums">
      {share && <b className="font-semibold text-text">{share}</b>}
      {describeImpact(impact).slice(share.length)}
    </p>
  );
}
