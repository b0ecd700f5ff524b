// The estimated impact of a change of a toggle, from the calls of the last hour.
import type { Toggle } from '@/api/generated/types';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { capitalise } from '@/lib/text';
import { estimateImpact, type Impact } from './estimateImpact';
import { isMeasured, useIsChangeRecent, useLastHour } from './useIsChangeRecent';

export interface Versions {
  before: Toggle;
  after: Toggle;
}

/** Returns a function that estimates the effect of an edit. `stored` is the toggle on the server. */
export function useEstimate(stored: Toggle): (versions: Versions) => Impact {
  const locale = useLocale();
  const lastHour = useLastHour(stored.name);
  const isRecent = useIsChangeRecent(stored, isMeasured(stored, lastHour));
  return ({ before, after }) =>
    estimateImpact(before, after, {
      counts: lastHour,
      isRecent,
      formatNumber: (value) => formatNumber(value, locale),
    });
}

/** Describes an estimate in one line, such as `25 → 50 %: about 18,000 of 36,000 checks per hour`. */
function describeImpact({ percentage, checks, note }: Impact): string {
  const text = capitalise(percentage ? `${percentage}: ${checks}` : checks);
  return note ? `${text}${text.endsWith('.') ? '' : '.'} ${note}` : text;
}

/** Describes the calls that are on before and after a save, as far as they are known. */
export function describeSaveEffect(impact: Impact): string {
  const { now, after, note } = impact;
  if (!now || !after) return describeImpact(impact);
  return `Now: ${now.text}. After saving: ${after.text}.${note ? ` ${note}` : ''}`;
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
