import type { Toggle } from '@/api/generated/types';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { Card } from '@/ui/Card';
import { useUsage } from '../page/useToggle';
import { estimateImpact } from './estimateImpact';

interface Props {
  before: Toggle;
  after: Toggle;
}

/** Estimated share and number of checks that are on, before and after a change. */
export function ImpactEstimate({ before, after }: Props) {
  const locale = useLocale();
  const { lastHour } = useUsage(after.name);
  const { percentage, checks, caveat } = estimateImpact(before, after, lastHour, (value) =>
    formatNumber(value, locale),
  );
  return (
    <p className="wrap-anywhere text-muted text-secondary tabular-nums">
      {percentage && <b className="font-semibold text-text">{percentage}: </b>}
      {percentage ? checks : checks.charAt(0).toUpperCase() + checks.slice(1)}
      {caveat && ` (${caveat.replace(/\.$/u, '')})`}
    </p>
  );
}

/** Card with the impact of the strategies. It is always present, so that the first edit does not move the page. */
export function ImpactCard(props: Props) {
  return (
    <section aria-labelledby="impact-heading">
      <Card>
        <h2 id="impact-heading" className="mb-1.5 font-semibold text-secondary">
          Impact
        </h2>
        {/* Room for two lines, and three on phones: the text of an edit is often one line longer. */}
        <div className="min-h-9 max-sm:min-h-13.5">
          <ImpactEstimate {...props} />
        </div>
      </Card>
    </section>
  );
}
