// Progress of a bulk action, and its remaining toggles if some failed.
import { andMore } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Count, CountOf } from '@/ui/Count';
import { Dialog } from '@/ui/Dialog';
import { IconButton } from '@/ui/IconButton';
import { CloseIcon } from '@/ui/icons';
import { countToggles } from './bulkActions';
import { type BulkState, bulkState, type EndedBulk } from './bulkState';
import { startBulkAction } from './startBulkAction';

export function BulkProgress({ bulk }: { bulk: BulkState }) {
  if (bulk.phase === 'ended') return <Remaining bulk={bulk} />;
  const { action, total, done, failed, stop } = bulk;
  const label = `${action.progressLabel} ${countToggles(total)}`;
  return (
    <>
      <div className="grid min-w-0 flex-1 gap-1.5 sm:w-72">
        <p className="wrap-anywhere font-semibold">{label}</p>
        <progress
          aria-label={label}
          value={done + failed}
          max={total}
          className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
        />
        <p className="text-muted text-secondary tabular-nums">
          <CountOf value={done} total={total} />
          {failed > 0 && (
            <span className="text-danger">
              , <Count value={failed} /> failed
            </span>
          )}
        </p>
      </div>
      <Button size="small" onClick={stop}>
        Stop
      </Button>
    </>
  );
}

function Remaining({ bulk }: { bulk: EndedBulk }) {
  const { action, changed, failures, left } = bulk;
  const showFailures = (areFailuresOpen: boolean) => bulkState.set({ ...bulk, areFailuresOpen });
  const close = () => bulkState.set(undefined);
  const retry = () => {
    showFailures(false);
    // A refused toggle is probably refused again.
    void startBulkAction(action, [...left, ...failures.map(({ name }) => name)], changed);
  };
  return (
    <>
      <p role="status" className="wrap-anywhere min-w-0 flex-1 px-1">
        <b className="font-semibold">
          {countToggles(changed.length)} {action.doneLabel}
        </b>
        {failures.length > 0 && <span className="text-danger">, {failures.length} failed</span>}
        {left.length > 0 && `, ${left.length} not tried`}
      </p>
      {failures.length > 0 && (
        <Button size="small" onClick={() => showFailures(true)}>
          Show errors
        </Button>
      )}
      <Button size="small" variant="primary" onClick={retry}>
        {failures.length > 0 ? 'Retry' : 'Continue'}
      </Button>
      <IconButton label="Close" icon={<CloseIcon size={17} />} onClick={close} />
      <Failures bulk={bulk} onRetry={retry} onClose={() => showFailures(false)} />
    </>
  );
}

/** Maximum number of failures listed; most have the same reason. */
const MAX_LISTED = 100;

interface FailuresProps {
  bulk: EndedBulk;
  onRetry: () => void;
  onClose: () => void;
}

function Failures({ bulk: { action, failures, areFailuresOpen }, onRetry, onClose }: FailuresProps) {
  const more = andMore(failures, MAX_LISTED);
  return (
    <Dialog
      open={areFailuresOpen}
      title={`${countToggles(failures.length)} could not be ${action.doneLabel}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={onRetry}>
            Retry
          </Button>
        </>
      }
    >
      <ul className="max-h-[50dvh] divide-y divide-line overflow-y-auto">
        {failures.slice(0, MAX_LISTED).map(({ name, reason }) => (
          <li key={name} className="py-2">
            <p className="wrap-anywhere font-semibold">{name}</p>
            <p className="wrap-anywhere text-muted">{reason}</p>
          </li>
        ))}
      </ul>
      {more && <p className="text-muted">{more}</p>}
    </Dialog>
  );
}
