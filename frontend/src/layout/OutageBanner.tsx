import { CloudOff } from 'lucide-react';
import { useEffect } from 'react';
import { read } from '@/api/client';
import { uiConfig } from '@/api/endpoints';
import { refreshAllData } from '@/api/hooks';
import type { Outage, OutageHop } from '@/api/outage';
import { Button } from '@/ui/Button';
import { Time } from '@/ui/Time';

const PROBE_INTERVAL_MS = 3000;

const TITLES: { [hop in OutageHop]: string } = {
  network: 'The console cannot be reached from this browser',
  gateway: 'Something in front of the console does not reach it',
  upstream: 'The flag service cannot be reached',
};

/** While nothing can be read or changed: says where the way ends and how old the page is, and asks until it is over. */
export function OutageBanner({ outage: { hop, reason, lastAnswerAt } }: { outage: Outage }) {
  return (
    <div role="alert" className={BANNER}>
      <CloudOff size={18} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">{TITLES[hop]}</p>
        <p className="wrap-anywhere">{reason}</p>
        <p>
          {lastAnswerAt !== undefined && (
            <>
              Last read: <Time value={new Date(lastAnswerAt).toISOString()} />.{' '}
            </>
          )}
          Nothing can be changed until it answers again; this page goes on by itself.
        </p>
      </div>
      <ReconnectPoller />
    </div>
  );
}

/** Its end is the end of the outage: all that is on the page is then read anew. */
function ReconnectPoller() {
  // A timer, which nothing of React's stands for.
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
      Try now
    </Button>
  );
}

/** Whatever comes of it, all calls tell whether there was an answer. */
function probe(): void {
  void read(uiConfig, { skipSignInPrompt: true }).catch(() => undefined);
}

const BANNER =
  'top-below-header z-15 mb-4 sm:sticky flex flex-wrap items-start gap-3 rounded-card border border-danger bg-danger-soft px-4 py-3 text-danger';
