// The estimated impact of a change of a toggle, from the calls of the last hour.
import type { Toggle } from '@/api/generated/types';
import { useMetrics } from '@/api/reads';
import { getCounts } from '@/domain/toggles/toggleList';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { estimateImpact, type Impact } from './estimateImpact';
import { useIsChangeRecent } from './useIsChangeRecent';

export interface Versions {
  before: Toggle;
  after: Toggle;
}

/** Returns the estimated effect of an edit. `stored` is the toggle on the server. */
export function useImpact(stored: Toggle, { before, after }: Versions): Impact {
  const locale = useLocale();
  const lastHour = getCounts(useMetrics(true)?.lastHour, stored.name);
  const hasCalls = lastHour !== undefined && lastHour.yes + lastHour.no > 0;
  const isRecent = useIsChangeRecent(stored, hasCalls && stored.enabled);
  return estimateImpact(before, after, {
    counts: lastHour,
    isRecent,
    formatNumber: (value) => formatNumber(value, locale),
  });
}

/** Estimated share and number of checks that are on, before and after a change. */
export function ImpactEstimate({ impact: { percentage, checks, note } }: { impact: Impact }) {
  return (
    <p className="wrap-anywhere text-muted text-secondary tabular-nums">
      {percentage && <b className="font-semibold text-text">{percentage}: </b>}
      {percentage ? checks : checks.charAt(0).toUpperCase() + checks.slice(1)}
      {note && `${checks.endsWith('.') ? '' : '.'} ${note}`}
    </p>
  );
}
