import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type ApiError, isNotFound } from '@/api/error';
import type { Counts, SeenApp, Toggle } from '@/api/generated/types';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { Card } from '@/ui/Card';
import { Time } from '@/ui/Time';
import { useUsage } from '../page/useToggle';

/** Card with the calls and applications of a toggle. */
export function UsageCard({ toggle }: { toggle: Toggle }) {
  const { lastMinute, lastHour, apps, appsError, absent } = useUsage(toggle.name);
  return (
    <aside aria-labelledby="usage-heading" className="content-start">
      <Card>
        <h2 id="usage-heading" className="mb-3 font-semibold text-secondary">
          Usage
        </h2>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-secondary">
          <Fact term="Last minute">
            <CallCount counts={lastMinute} absent={absent} />
          </Fact>
          <Fact term="Last hour">
            <CallCount counts={lastHour} absent={absent} />
          </Fact>
          <Fact term="Last seen">
            <Time value={toggle.lastSeenAt} never="Never reported" />
          </Fact>
          <Fact term="Applications">{apps ? <Apps apps={apps} /> : appsError && describeError(appsError)}</Fact>
        </dl>
      </Card>
    </aside>
  );
}

function Apps({ apps }: { apps: readonly SeenApp[] }) {
  if (apps.length === 0) return 'none';
  return (
    <ul className="flex flex-wrap justify-end gap-x-2 gap-y-0.5">
      {apps.map(({ appName }) => (
        <li key={appName} className="min-w-0">
          <Link to={paths.application(appName)} className={LINK}>
            {appName}
          </Link>
        </li>
      ))}
    </ul>
  );
}

const LINK = 'wrap-anywhere inline-flex items-center text-accent hover:underline touch:min-h-touch';

const NOT_REPORTED = 'not reported by this server';

function describeError(error: ApiError): string {
  return isNotFound(error) ? NOT_REPORTED : 'could not be loaded';
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{term}</dt>
      <dd className="wrap-anywhere text-right tabular-nums">{children}</dd>
    </div>
  );
}

function CallCount({ counts, absent }: { counts: Counts | undefined; absent: boolean }) {
  const locale = useLocale();
  if (!counts) return absent ? NOT_REPORTED : 'no data';
  return `${formatNumber(counts.yes, locale)} yes · ${formatNumber(counts.no, locale)} no`;
}
