import { Link } from 'react-router-dom';
import { useCapabilities } from '@/api/capabilities';
import { inEnvironment } from '@/api/environment';
import { isNotFound } from '@/api/error';
import type { Counts, Toggle } from '@/api/generated/types';
import { areStrategiesKnown } from '@/api/newerTypes';
import { describeRule } from '@/domain/strategies/ruleSentence';
import { useSegmentName } from '@/domain/strategies/useSegmentName';
import { useIsHourly } from '@/domain/toggles/useShownCounts';
import { YesRateRing } from '@/domain/toggles/YesRateRing';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import { Skeleton } from '@/ui/Skeleton';
import { Time } from '@/ui/Time';
import { type Usage, useUsage } from '../page/useToggle';
import { UnsupportedMetricsNote } from '../unsupported/UnsupportedServerPanel';
import { CallHistory } from './CallHistory';
import { Section } from './Section';
import { CallCounts } from './UsageCard';

export function MetricsPanel({ toggle }: { toggle: Toggle }) {
  const segmentName = useSegmentName(toggle.strategies);
  const usage = useUsage(toggle.name);
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      <div className="lg:col-span-3">
        <Section title="Calls">
          <AllCalls {...usage} />
          {!usage.absent && (
            <div className="mt-4 border-line border-t pt-4">
              <CallHistory toggle={toggle.name} />
            </div>
          )}
        </Section>
      </div>
      <Section title="Applications">
        <Apps apps={usage.apps} error={usage.appsError} />
      </Section>
      <Section title="Times">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
          <dt className="text-muted">Created</dt>
          <dd>
            <Time value={toggle.createdAt} />
          </dd>
          <dt className="text-muted">Last seen</dt>
          <dd>
            <Time value={toggle.lastSeenAt} never="Never reported" />
          </dd>
        </dl>
      </Section>
      <Section title="Strategies">
        {toggle.strategies.length === 0 && (
          <p className="text-muted">
            {areStrategiesKnown(toggle)
              ? `No strategies${inEnvironment()}.`
              : 'This server lists archived toggles without their strategies.'}
          </p>
        )}
        <ul className="grid gap-2">
          {toggle.strategies.map((strategy, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a toggle may have the same strategy twice.
            <li key={index} className="flex flex-wrap items-baseline gap-x-2.5">
              <TextLink
                to={paths.strategy(strategy.name)}
                className="wrap-anywhere inline-flex items-center font-semibold touch:min-h-touch"
              >
                {strategy.name}
              </TextLink>
              <span className="text-muted text-secondary">
                {describeRule(strategy, { toggleName: toggle.name, segmentName })}
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

function AllCalls({ lastMinute, lastHour, isLoading, absent }: Usage) {
  const isHourly = useIsHourly();
  if (absent) return <UnsupportedMetricsNote />;
  if (isLoading) return <Skeleton width={180} height={44} />;
  if (!lastMinute && !lastHour) return <p className="text-muted">No metrics available</p>;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {!isHourly && <Calls when="Last minute" counts={lastMinute} />}
      <Calls when="Last hour" counts={lastHour} />
    </div>
  );
}

function Apps({ apps, error }: { apps: Usage['apps']; error: Usage['appsError'] }) {
  const { hasEnvironments } = useCapabilities();
  if (!apps) {
    if (error && isNotFound(error)) return <p className="text-muted">This server does not report applications.</p>;
    return error ? (
      <p role="alert" className="text-danger">
        The applications could not be loaded. {error.message}
      </p>
    ) : (
      <Skeleton width={180} height={20} />
    );
  }
  const period = hasEnvironments ? `last 24 hours${inEnvironment()}` : 'last hour';
  if (apps.length === 0) return <p className="text-muted">Not used in an app in the {period}.</p>;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {apps.map(({ appName }) => (
        <li key={appName}>
          <Link to={paths.application(appName)} className={CHIP_LINK}>
            <Chip>{appName}</Chip>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const CHIP_LINK = 'inline-flex max-w-full items-center rounded-chip hover:underline touch:min-h-touch';

function Calls({ when, counts }: { when: string; counts: Counts | undefined }) {
  return (
    <div className="flex items-center gap-3">
      {/* The texts of both periods start in one column, also where they are below each other. */}
      <span className="min-w-19 shrink-0">
        <YesRateRing counts={counts} isLarge />
      </span>
      <p>
        <span className="block text-muted text-secondary">{when}</span>
        <span className="tabular-nums">
          <CallCounts counts={counts} />
        </span>
      </p>
    </div>
  );
}
