import { useEffect } from 'react';
import { refreshAllData } from '@/api/useRead';
import type { Outage, OutageHop } from '@/api/outage';
import { useSettings } from '@/api/settings';
import { Button } from '@/ui/Button';
import { OutageIcon } from '@/ui/icons';
import { Time } from '@/ui/Time';
import { probe } from './probe';
import { ReplicaState } from './replica';

const PROBE_INTERVAL_MS = 3000;

const TITLES: { [hop in OutageHop]: string } = {
  network: 'This browser cannot reach Flagdeck',
  gateway: 'A proxy in front of Flagdeck cannot reach it',
  upstream: 'Flagdeck cannot reach the flag service',
};

/** Shown during an outage: where the connection fails and how old the data is. Polls until the outage is over. */
export function OutageBanner({ outage: { hop, reason, lastResponseAt } }: { outage: Outage }) {
  const hasReplica = useSettings()?.replica ?? false;
  return (
    <div role="alert" className={BANNER}>
      <OutageIcon size={18} className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">{TITLES[hop]}</p>
        <p className="wrap-anywhere">{reason}</p>
        <p>
          {lastResponseAt !== undefined && (
            <>
              Last updated: <Time value={new Date(lastResponseAt).toISOString()} />.{' '}
            </>
          )}
          Changes are disabled. This page reconnects automatically.
        </p>
        <ReplicaState open={hop === 'upstream' && hasReplica} isOutage />
      </div>
      <ReconnectPoller />
    </div>
  );
}

/** Polls while it is mounted. Unmounting means that the outage is over, and reads all data again. */
function ReconnectPoller() {
  // A timer is outside React.
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) probe();
    }, PROBE_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      void refreshAllData();
    };
  }, []);
  return (
    <Button size="small" onClick={probe}>
      Retry now
    </Button>
  );
}

const BANNER =
  'top-below-header z-15 mb-4 sm:sticky flex flex-wrap items-start gap-3 rounded-card border border-danger bg-danger-soft px-4 py-3 text-danger';
