import { useSyncExternalStore } from 'react';
import { useCapabilities } from '@/api/capabilities';
import { featureHistory, polledApplications } from '@/api/endpoints';
import type { SeenApp } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useMetrics } from '@/api/reads';
import { getCounts } from '@/domain/toggles/toggleList';
import { clockNow, subscribeClock } from '@/lib/clock';
import { cx } from '@/lib/cx';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Time } from '@/ui/Time';

interface Props {
  app: string;
  toggle: string;
}

/** SDKs report about once a minute. An application that is silent for longer is not connected. */
const SILENT_MS = 5 * 60_000;

/** States whether the application has connected, and how often it has checked the toggle. Polled while it is shown. */
export function ConnectionStatus({ app, toggle }: Props) {
  const locale = useLocale();
  const { data, error } = useRead(polledApplications, { polls: true });
  const checks = useChecks(app, toggle);
  const found = data?.applications.find(({ appName }) => appName === app);
  const isActive = useIsActive(found);
  const isConnected = checks > 0 || isActive;
  if (!data && error) {
    return <p className="text-muted text-secondary">The connection of applications is unknown. {error.message}</p>;
  }
  return (
    <p className="flex items-baseline gap-2 text-secondary">
      <span
        aria-hidden="true"
        className={cx(
          'size-2 shrink-0 rounded-full',
          isConnected ? 'bg-on' : 'animate-pulse bg-off motion-reduce:animate-none',
        )}
      />
      <span className="wrap-anywhere min-w-0">
        {/* Without the number, so that screen readers do not announce each poll. */}
        <span role="status" className={cx('font-semibold', isConnected && 'text-on')}>
          {isConnected ? 'Connected' : `Waiting for ${app}…`}
        </span>
        {checks > 0 &&
          `, ${formatNumber(checks, locale)} ${checks === 1 ? 'check' : 'checks'} of ${toggle} in the last hour. `}
        {checks === 0 && isActive && `. No checks of ${toggle} yet: SDKs report them about once a minute. `}
        {!isConnected && found && (
          <>
            {' '}
            Its last report was <Time value={lastReport(found)} />.{' '}
          </>
        )}
        {isConnected && found && (
          <TextLink to={paths.application(app)} tone="accent" className="underline">
            {app}
          </TextLink>
        )}
      </span>
    </p>
  );
}

function lastReport({ updatedAt, createdAt }: SeenApp): string {
  return updatedAt ?? createdAt;
}

function useIsActive(app: SeenApp | undefined): boolean {
  return useSyncExternalStore(
    subscribeClock,
    () => app !== undefined && clockNow() - Date.parse(lastReport(app)) < SILENT_MS,
  );
}

/** Number of checks of the last hour: of the application, or of all applications on servers that do not count by application. */
function useChecks(app: string, toggle: string): number {
  const countsByApp = useCapabilities().counts === 'minutes';
  const history = useRead(countsByApp ? featureHistory(toggle, 'minutes') : null, {
    polls: true,
  });
  const sum = getCounts(useMetrics(history.data === undefined)?.lastHour, toggle);
  if (!history.data) return sum ? sum.yes + sum.no : 0;
  return history.data.data.filter(({ appName }) => appName === app).reduce((total, { yes, no }) => total + yes + no, 0);
}
