// A deed for many toggles under way, and what is left of it when not all of it could be done.
import { X } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { IconButton } from '@/ui/IconButton';
import { confirmDeed, startBulk } from '../bulk';
import { type Bulk, bulkState, type Ended } from '../bulkState';
import { countOf } from '../bulkWords';

export function BulkProgress({ bulk }: { bulk: Bulk }) {
  const locale = useLocale();
  if (bulk.phase === 'ended') return <Rest bulk={bulk} />;
  const { deed, total, done, failed, stop } = bulk;
  const doing = `${deed.doing} ${countOf(total)}`;
  return (
    <>
      <div className="grid min-w-0 flex-1 gap-1.5 sm:w-72">
        <p className="wrap-anywhere font-semibold">{doing}</p>
        <progress
          aria-label={doing}
          value={done + failed}
          max={total}
          className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
        />
        <p className="text-muted text-secondary tabular-nums">
          {formatNumber(done, locale)} of {formatNumber(total, locale)}
          {failed > 0 && <span className="text-danger">, {formatNumber(failed, locale)} failed</span>}
        </p>
      </div>
      <Button size="small" onClick={stop}>
        Stop
      </Button>
    </>
  );
}

function Rest({ bulk }: { bulk: Ended }) {
  const { deed, changed, failures, left } = bulk;
  const [lists, setLists] = useState(failures.length > 0);
  const close = () => bulkState.set(undefined);
  const again = async () => {
    const rest = [...failures.map(({ toggle }) => toggle), ...left];
    setLists(false);
    if (await confirmDeed(deed, rest)) void startBulk(deed, rest, changed);
  };
  return (
    <>
      <p role="status" className="wrap-anywhere min-w-0 flex-1 px-1">
        <b className="font-semibold">
          {countOf(changed.length)} {deed.did}
        </b>
        {failures.length > 0 && <span className="text-danger">, {failures.length} failed</span>}
        {left.length > 0 && `, ${left.length} not tried`}
      </p>
      {failures.length > 0 && (
        <Button size="small" onClick={() => setLists(true)}>
          Show why
        </Button>
      )}
      <Button size="small" variant="primary" onClick={() => void again()}>
        {failures.length > 0 ? 'Try again' : 'Continue'}
      </Button>
      <IconButton label="Close" icon={<X size={17} strokeWidth={1.75} aria-hidden="true" />} onClick={close} />
      <Failures bulk={bulk} open={lists} onAgain={() => void again()} onClose={() => setLists(false)} />
    </>
  );
}

/** Nobody reads thousands, and they mostly say the same. */
const LISTED = 100;

interface FailuresProps {
  bulk: Ended;
  open: boolean;
  onAgain: () => void;
  onClose: () => void;
}

function Failures({ bulk: { deed, failures }, open, onAgain, onClose }: FailuresProps) {
  const more = failures.length - LISTED;
  return (
    <Dialog
      open={open}
      title={`${countOf(failures.length)} could not be ${deed.did}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={onAgain}>
            Try again
          </Button>
        </>
      }
    >
      <ul className="max-h-[50dvh] divide-y divide-line overflow-y-auto">
        {failures.slice(0, LISTED).map(({ toggle, reason }) => (
          <li key={toggle.name} className="py-2">
            <p className="wrap-anywhere font-semibold">{toggle.name}</p>
            <p className="wrap-anywhere text-muted">{reason}</p>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-muted">and {more} more</p>}
    </Dialog>
  );
}
