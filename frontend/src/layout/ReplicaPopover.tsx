import type { MouseEvent, ReactNode } from 'react';
import type { ReplicaSummary } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { Button } from '@/ui/Button';
import { Count } from '@/ui/Count';
import { RemoveIcon } from '@/ui/icons';
import { Popover } from '@/ui/Popover';
import { ReadOnlyNote } from '@/ui/ReadOnlyNote';
import { Time } from '@/ui/Time';
import { useReplicaRemoval } from './useReplicaRemoval';

/** Button with the number of SDK instances and the age of their toggles. Its panel removes the copies of toggles. */
export function ReplicaPopover({ state }: { state: ReplicaSummary }) {
  const { confirmedAt, failingSince, instances, hasMoreInstances, age } = state;
  const more = hasMoreInstances && 'more than ';
  const { removal, disabledReason } = useReplicaRemoval(state);
  const remove = ({ currentTarget }: MouseEvent) => {
    // A popover is in front of dialogs. It returns the focus to its button, to which the dialog returns it too.
    currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
    void removal.ask();
  };
  return (
    <>
      <Popover
        label="Toggles for SDKs"
        text={
          <span className={cx(TEXT, failingSince !== null && 'text-warn')}>
            SDKs:{' '}
            {confirmedAt ? (
              <>
                {more}
                <Count value={instances} noun="instance" />, from memory, <Count value={age} /> s old
              </>
            ) : (
              'no toggles in memory'
            )}
          </span>
        }
        variant="ghost"
        size="small"
        className="-mx-2.5 -my-0.5"
      >
        {() => (
          <div className="grid gap-3">
            <h2 className="font-semibold text-body">Toggles for SDKs</h2>
            <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
              <Fact name="Instances">
                {more}
                <Count value={instances} />
              </Fact>
              <Fact name="Copies in memory">
                <Count value={state.copies} />
              </Fact>
              <Fact name="Confirmed by the flag service">
                <Time value={confirmedAt} />
              </Fact>
              {failingSince && (
                <Fact name="No response since">
                  <Time value={failingSince} />
                </Fact>
              )}
            </dl>
            <p className="text-muted">
              SDKs get toggles from these copies, also while the flag service does not respond. Remove them if SDKs must
              not use outdated toggles.
            </p>
            {disabledReason && <ReadOnlyNote reason={disabledReason} />}
            <Button
              variant="danger"
              icon={<RemoveIcon />}
              disabledReason={disabledReason}
              onClick={remove}
              className="justify-self-start"
            >
              Remove copies…
            </Button>
          </div>
        )}
      </Popover>
      {removal.dialog}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="text-right tabular-nums">{children}</dd>
    </>
  );
}

/** Looks like the other texts of the footer. */
const TEXT = 'font-normal text-label underline decoration-dotted underline-offset-2';
