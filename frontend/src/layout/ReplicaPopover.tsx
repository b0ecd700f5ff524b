import type { MouseEvent, ReactNode } from 'react';
import { purgeReplica, replica } from '@/api/endpoints';
import type { ReplicaSummary } from '@/api/generated/types';
import { useWrite } from '@/api/useWrite';
import { pushInfo } from '@/api/notices';
import { useOutage } from '@/api/outage';
import { usePermission } from '@/api/permissions';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { Button } from '@/ui/Button';
import { Count } from '@/ui/Count';
import { RemoveIcon } from '@/ui/icons';
import { ReadOnlyNote } from '@/ui/ReadOnlyNote';
import { Time } from '@/ui/Time';
import { useConfirm } from '@/ui/useConfirm';
import { FooterPopover } from './FooterPopover';

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
      <FooterPopover
        label="Toggles for SDKs"
        isWarning={(failingSince ?? state.fault) !== null}
        text={
          <>
            SDKs:{' '}
            {confirmedAt ? (
              <>
                {more}
                <Count value={instances} noun="instance" />, from memory, <Count value={age} /> s old
              </>
            ) : (
              'no toggles in memory'
            )}
          </>
        }
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
            {state.fault !== null && (
              <p className="text-warn">These copies are not kept for a restart of Flagdeck: {state.fault}.</p>
            )}
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
      </FooterPopover>
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
const OUTAGE =
  'The flag service must respond, because it knows your permissions. Without it, run "flagdeck replica purge" on the machine of Flagdeck.';

/** The confirmation before the copies of toggles for SDKs are removed, and the reason why they cannot be removed now. */
function useReplicaRemoval({ copies, instances, hasMoreInstances }: ReplicaSummary) {
  const { send } = useWrite();
  const locale = useLocale();
  const isUpstreamDown = useOutage()?.hop === 'upstream';
  const permissionReason = usePermission('ADMIN', { ignoresOutage: isUpstreamDown });
  const removal = useConfirm(() => ({
    title: 'Remove copies of toggles',
    body: (
      <>
        <p className="font-semibold text-text">
          Remove the toggles for {hasMoreInstances && 'more than '}
          <Count value={instances} noun="SDK instance" /> from memory?
        </p>
        <p className="mt-2">
          SDKs get the toggles from the flag service again. If it does not respond, they get errors instead of older
          toggles, and applications that start get no toggles.
        </p>
      </>
    ),
    confirmLabel: 'Remove copies',
    tone: 'danger',
    action: async () => {
      const removed = (await send(purgeReplica, { refreshes: [replica], inline: true }))?.copies ?? 0;
      pushInfo(`Removed ${formatNumber(removed, locale)} ${removed === 1 ? 'copy' : 'copies'}`);
    },
  }));
  const emptyReason = copies === 0 ? 'There are no copies.' : undefined;
  return { removal, disabledReason: permissionReason ?? (isUpstreamDown ? OUTAGE : emptyReason) };
}
