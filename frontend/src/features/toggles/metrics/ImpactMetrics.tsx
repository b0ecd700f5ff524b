import type { ReactNode } from 'react';
import { impactMetrics } from '@/api/endpoints';
import { useServerEnvironment } from '@/api/environment';
import type { ImpactMetric, ImpactResult } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useSettings } from '@/api/settings';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useShowMore } from '@/ui/useShowMore';
import type { Usage } from '../page/useToggle';
import { formatValue, ImpactChart, impactScale } from './ImpactChart';
import { countValues, summarise, toImpactPeriods } from './impactPeriods';
import { Section } from './Section';
import { useCurrentMinute } from './useCallHistory';

/** Number of applications whose metrics without a toggle are read: they are part of the URL. */
const MAX_APPLICATIONS = 20;

interface Props {
  toggle: string;
  usage: Pick<Usage, 'apps' | 'appsError'>;
}

/**
 * Metrics that applications report for a toggle. Nothing is shown without any, and until they are loaded: most applications report
 * none, and a section that disappears would move the page.
 */
export function ImpactMetrics({ toggle, usage: { apps, appsError } }: Props) {
  const settings = useSettings();
  const here = useServerEnvironment();
  // Only reports that pass through this program are known.
  const isRecorded = settings?.mode === 'embedded' || settings?.replica === true;
  const areAppsKnown = apps !== undefined || appsError !== undefined;
  const names = apps?.slice(0, MAX_APPLICATIONS).map(({ appName }) => appName) ?? [];
  const { data, error, reload } = useRead(isRecorded && areAppsKnown ? impactMetrics(toggle, names) : null, {
    polls: true,
    handlesFailure: true,
  });
  const metrics = data?.metrics.filter(({ environment }) => !here || environment === here.name || environment === '');
  if (error) {
    return (
      <ImpactSection>
        <ErrorPanel title="The impact metrics could not be loaded" error={error} onRetry={reload} />
      </ImpactSection>
    );
  }
  if (!metrics?.length) return null;
  return (
    <ImpactSection>
      <MetricList metrics={metrics} />
      {data && data.droppedSamples > 0 && <DroppedNote count={data.droppedSamples} />}
    </ImpactSection>
  );
}

function ImpactSection({ children }: { children: ReactNode }) {
  return (
    <div className="lg:col-span-3">
      <Section title="Impact metrics">{children}</Section>
    </div>
  );
}

function MetricList({ metrics }: { metrics: readonly ImpactMetric[] }) {
  const { shown, showMore } = useShowMore(metrics);
  return (
    <>
      <p className="mb-4 text-muted text-secondary">
        Values per minute of the last hour, reported by applications to this instance of Flagdeck.
      </p>
      <ul className="grid gap-5">
        {shown.map((metric) => (
          <Metric key={`${metric.name} ${metric.type} ${metric.appName} ${metric.environment}`} metric={metric} />
        ))}
      </ul>
      {showMore}
    </>
  );
}

function DroppedNote({ count }: { count: number }) {
  const locale = useLocale();
  return (
    <p className="mt-4 text-muted text-secondary">
      {formatNumber(count, locale)} samples were dropped since Flagdeck started, because they are not valid or exceed
      the number of series. Labels with many values, such as user IDs, are the usual cause.
    </p>
  );
}

const KINDS = { counter: 'Counter', gauge: 'Gauge', histogram: 'Histogram, mean' } as const;

function Metric({ metric }: { metric: ImpactMetric }) {
  const now = useCurrentMinute();
  const { name, help, type, appName, environment, results } = metric;
  const charts = results.map((result) => ({ result, periods: toImpactPeriods(metric, result.minutes, now) }));
  // One scale, so that the results can be compared.
  const scale = impactScale(charts.flatMap(({ periods }) => periods));
  return (
    <li className="grid gap-2 border-line border-t pt-4">
      <div>
        <h3 className="wrap-anywhere font-semibold">{name}</h3>
        {help && <p className="wrap-anywhere text-secondary">{help}</p>}
        <p className="wrap-anywhere flex flex-wrap items-baseline gap-x-1.5 text-muted text-secondary">
          <span>{KINDS[type]}</span>
          {appName && (
            <>
              <span aria-hidden="true">·</span>
              <TextLink to={paths.application(appName)} className="inline-flex items-center touch:min-h-touch">
                {appName}
              </TextLink>
            </>
          )}
          {environment && (
            <>
              <span aria-hidden="true">·</span>
              <span>{environment}</span>
            </>
          )}
        </p>
      </div>
      <ul className="grid gap-4 lg:grid-cols-2">
        {charts.map(({ result, periods }) => (
          <li key={result.result ?? ''} className="grid min-w-0 content-start gap-3">
            <ResultHeading metric={metric} result={result} />
            <ImpactChart label={describeResult(metric, result)} periods={periods} scale={scale} />
          </li>
        ))}
      </ul>
    </li>
  );
}

interface ResultProps {
  metric: ImpactMetric;
  result: ImpactResult;
}

function ResultHeading({ metric, result }: ResultProps) {
  return (
    <p className="flex flex-wrap items-center gap-2 tabular-nums">
      {result.result === null ? (
        <span className="text-muted text-secondary">{WITHOUT_TOGGLE}</span>
      ) : (
        <Chip>{result.result}</Chip>
      )}
      <Summary metric={metric} result={result} />
    </p>
  );
}

const WITHOUT_TOGGLE = 'Reported without this toggle';

function Summary({ metric, result }: ResultProps) {
  return <span className="text-secondary">{useSummary(metric, result)}</span>;
}

function useSummary(metric: ImpactMetric, { minutes }: ImpactResult): string {
  const locale = useLocale();
  const value = summarise(metric, minutes);
  if (value === undefined) return 'no values';
  const number = formatValue(value, locale);
  if (metric.type === 'counter') return `${number} in the last hour`;
  if (metric.type === 'gauge') return `${number}, last value`;
  return `${number}, mean of ${formatNumber(countValues(minutes), locale)} values`;
}

function describeResult({ name }: ImpactMetric, { result }: ImpactResult): string {
  return result === null ? `${name} per minute, ${WITHOUT_TOGGLE.toLowerCase()}` : `${name} per minute, ${result}`;
}
