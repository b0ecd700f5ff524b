// The end of a history: older events, or the reason why there are none.

import { useSettings } from '@/api/settings';
import type { EventPages } from '@/api/useEventPages';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { Button } from '@/ui/Button';

/** Number of events that a server sends at once. Servers without pages send no more. */
const SERVER_LIMIT = 100;

/** Returns whether the server has older events, but cannot list them. */
export function useIsLimitedHistory({ events = [], hasOlder }: Pick<EventPages, 'events' | 'hasOlder'>): boolean {
  const isUpstream = useSettings()?.mode === 'upstream';
  return isUpstream && !hasOlder && events.length >= SERVER_LIMIT;
}

/** Number of events beside the title, such as `newest 100`. */
export function EventCount({ pages }: { pages: EventPages }) {
  const locale = useLocale();
  const isLimited = useIsLimitedHistory(pages);
  if (!pages.events) return null;
  const count = formatNumber(pages.events.length, locale);
  return (
    <span className="text-body text-faint tabular-nums">{pages.hasOlder || isLimited ? `newest ${count}` : count}</span>
  );
}

interface Props {
  pages: EventPages;
  /** The events of one toggle. */
  isLog: boolean;
  /** Number of shown events; by default, all that were read. */
  shown?: number;
  /** Reads pages until one of them is enough. By default reads one page. */
  isEnough?: Parameters<EventPages['loadOlder']>[0];
}

export function OlderEvents({ pages, isLog, shown = pages.events?.length ?? 0, isEnough }: Props) {
  const isLimited = useIsLimitedHistory(pages);
  const locale = useLocale();
  const count = formatNumber(pages.events?.length ?? 0, locale);
  return (
    <footer className="mt-4 grid justify-items-center gap-2 text-center text-faint text-secondary">
      <LoadOlderButton pages={pages} isEnough={isEnough}>
        Show older events
      </LoadOlderButton>
      <p aria-live="polite" className="tabular-nums">
        {pages.hasOlder && shown > 0 && `Newest ${formatNumber(shown, locale)} events`}
        {isLimited &&
          `The server sends only the newest ${count} events.${isLog ? '' : ' The log of a toggle reaches further back.'}`}
        {!pages.hasOlder && !isLimited && 'No older events'}
      </p>
    </footer>
  );
}

interface LoadOlderButtonProps {
  pages: EventPages;
  /** Reads pages until one of them is enough. By default reads one page. */
  isEnough?: Parameters<EventPages['loadOlder']>[0] | undefined;
  children: string;
}

/** Button that reads older events, and the error of the last attempt; nothing if there are none. */
export function LoadOlderButton({ pages, isEnough, children }: LoadOlderButtonProps) {
  const { hasOlder, isLoadingOlder, olderError, loadOlder } = pages;
  if (!hasOlder) return null;
  return (
    <>
      {olderError && (
        <p role="alert" className="text-danger">
          Older events could not be loaded: {olderError.message}
        </p>
      )}
      <Button busy={isLoadingOlder} onClick={() => loadOlder(isEnough)}>
        {olderError ? 'Retry' : children}
      </Button>
    </>
  );
}
