import { purgeReplica, replica } from '@/api/endpoints';
import type { ReplicaSummary } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { pushInfo } from '@/api/notices';
import { useOutage } from '@/api/outage';
import { usePermission } from '@/api/permissions';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { Count } from '@/ui/Count';
import { useConfirm } from '@/ui/useConfirm';

const OUTAGE =
  'The flag service must respond, because it knows your permissions. Without it, run "flagdeck replica purge" on the machine of Flagdeck.';

/** The confirmation before the copies of toggles for SDKs are removed, and the reason why they cannot be removed now. */
export function useReplicaRemoval({ copies, instances, hasMoreInstances }: ReplicaSummary) {
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
