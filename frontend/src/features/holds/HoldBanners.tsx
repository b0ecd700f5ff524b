import { useEffect } from 'react';
import { useSelectedEnvironment, useServerEnvironment } from '@/api/environment';
import { heldToggles, useHoldAction, useHolds } from '@/domain/holds/holds';
import { Button } from '@/ui/Button';
import { HoldIcon } from '@/ui/icons';
import { findHeldToggles } from './findHeldToggles';
import { describeHold, useReleaseHold } from './useReleaseHold';

/** The held toggles, on every page, with their reason and a button that ends each hold. */
export function HoldBanners() {
  const list = useHolds();
  const { disabledReason } = useHoldAction();
  const release = useReleaseHold();
  const here = useServerEnvironment()?.name;
  // During an outage, the environments of the server may not be known.
  const inUrl = useSelectedEnvironment();
  const environment = here ?? inUrl;
  // The rows of lists and the headers of toggles are elsewhere on the page.
  useEffect(() => {
    heldToggles.set(findHeldToggles(list, environment));
    return () => heldToggles.set([]);
  }, [list, environment]);
  if (!list) return null;
  return (
    <>
      {list.storageFault !== null && (
        <p role="status" className={BANNER}>
          <HoldIcon size={18} className="mt-0.5 shrink-0" />
          <span className="wrap-anywhere min-w-0 flex-1">
            Holds are active, but cannot be stored: {list.storageFault}.
          </span>
        </p>
      )}
      {list.holds.map((held) => (
        <section
          key={`${held.toggle}/${held.environment}/${held.start}`}
          aria-label={`Hold of ${held.toggle}`}
          className={BANNER}
        >
          <HoldIcon size={18} className="mt-0.5 shrink-0" />
          <div className="wrap-anywhere min-w-0 flex-1 basis-60">
            <p className="font-semibold">{describeHold(held)}</p>
            <p>
              {held.reason} ({held.person}). {describeRest(held.secondsLeft)}
            </p>
          </div>
          <Button size="small" disabledReason={disabledReason} onClick={() => void release.ask(held)}>
            Release…
          </Button>
        </section>
      ))}
      {release.dialog}
    </>
  );
}

function describeRest(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `Ends in ${hours > 0 ? `${hours} h ` : ''}${rest} min.`;
}

const BANNER = 'mb-4 flex flex-wrap items-start gap-3 rounded-card border border-line bg-warn-soft px-4 py-3 text-warn';
