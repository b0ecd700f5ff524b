import type { ReactNode } from 'react';
import { type ApiError, isNotFound } from '@/api/error';
import type { SeenApp, Toggle } from '@/api/generated/types';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ConnectIcon } from '@/ui/icons';
import { Time } from '@/ui/Time';
import { openConnectDialog } from '../page/UseInCode';
import { useUsage } from '../page/useToggle';

/** Card with the times and applications of a toggle. While no application is known, it offers the instructions to use it. */
export function UsageCard({ toggle, isArchived }: { toggle: Toggle; isArchived: boolean }) {
  const { apps, appsError } = useUsage(toggle.name);
  return (
    <aside aria-labelledby="usage-heading" className="content-start">
      <Card>
        <h2 id="usage-heading" className="mb-3 font-semibold text-secondary">
          Usage
        </h2>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2 text-secondary">
          <Fact term="Applications">{apps ? <Apps apps={apps} /> : appsError && describeUsageError(appsError)}</Fact>
          <Fact term="Last seen">
            <Time value={toggle.lastSeenAt} never="Never reported" />
          </Fact>
          <Fact term="Created">
            <Time value={toggle.createdAt} />
          </Fact>
        </dl>
        {!isArchived && (appsError || apps?.length === 0) && (
          <Button
            size="small"
            icon={<ConnectIcon size={15} />}
            className="mt-3"
            onClick={() => openConnectDialog(toggle.name)}
          >
            Use it
          </Button>
        )}
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
          <TextLink to={paths.application(appName)} tone="accent" className={LINK}>
            {appName}
          </TextLink>
        </li>
      ))}
    </ul>
  );
}

const LINK = 'wrap-anywhere inline-flex items-center touch:min-h-touch';

const NOT_REPORTED = 'not reported by this server';

function describeUsageError(error: ApiError): string {
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

interface CallCountsProps {
  counts: { yes: number; no: number } | undefined;
}

/** Calls of a toggle, such as `14,562 yes · 3 no`. */
export function CallCounts({ counts }: CallCountsProps) {
  const locale = useLocale();
  if (!counts) return 'No metrics available';
  return `${formatNumber(counts.yes, locale)} yes · ${formatNumber(counts.no, locale)} no`;
}
