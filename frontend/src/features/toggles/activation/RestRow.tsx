import type { Toggle } from '@/api/generated/types';
import type { Impact } from '@/domain/impact/estimateImpact';
import { formatNumber, roundCount } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { useUsage } from '../page/useToggle';
import { describeRest } from './restOfUsers';
import { plainEdgeClass, ruleRowClass } from './ruleRowClass';

interface Props {
  /** The toggle with the unsaved edits. */
  toggle: Toggle;
  impact: Impact | undefined;
}

/** The last row of the rules: the users that no strategy selects. Nothing if that is clear without it. */
export function RestRow({ toggle, impact }: Props) {
  const rest = describeRest(toggle);
  const calls = useCallsOfRest(toggle, impact);
  if (!rest) return null;
  const { subject, result, reason } = rest;
  return (
    <div
      data-testid="rest"
      className={`${ruleRowClass} ${plainEdgeClass} rounded-b-card border-line border-t bg-bg text-muted`}
    >
      <span
        aria-hidden="true"
        className="mt-1 grid size-5 place-items-center rounded-full bg-sunken font-semibold text-label"
      >
        –
      </span>
      <p className="wrap-anywhere leading-[28px] max-sm:col-start-2 max-sm:col-end-4">
        {subject}
        {result && (
          <>
            : <b className="font-semibold text-text">{result}</b>
          </>
        )}
        {reason && (result ? ` (${reason})` : `: ${reason}`)}
      </p>
      {result === 'off' && calls && (
        <p className="pr-1.5 text-secondary leading-[28px] tabular-nums max-sm:col-start-2 max-sm:col-end-4 max-sm:leading-5">
          {calls}
        </p>
      )}
    </div>
  );
}

/** Describes the number of calls that are off; undefined if it is unknown. */
function useCallsOfRest({ name }: Toggle, impact: Impact | undefined): string | undefined {
  const locale = useLocale();
  const { lastHour } = useUsage(name);
  const level = impact?.after ?? impact?.now;
  if (!lastHour || !level || level.min !== level.max) return undefined;
  const count = roundCount((1 - level.max) * (lastHour.yes + lastHour.no));
  return `≈ ${formatNumber(count, locale)} checks per hour`;
}
