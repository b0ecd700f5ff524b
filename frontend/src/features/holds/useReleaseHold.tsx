import { holds, releaseHold } from '@/api/endpoints';
import type { ListedHold } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { pushInfo } from '@/api/notices';
import { useConfirm } from '@/ui/useConfirm';

/** Asks before it releases the holds of a toggle; with null as the environment, those of all environments. */
export function useReleaseHold() {
  const { send } = useWrite();
  return useConfirm(({ toggle, environment }: Pick<ListedHold, 'toggle' | 'environment'>) => ({
    title: `Release ${toggle}`,
    body: (
      <p>
        SDKs get <b className="wrap-anywhere text-text">{toggle}</b> from the flag service again
        {environment !== null && ` in ${environment}`}, so that the feature may be on at once.
      </p>
    ),
    confirmLabel: 'Release',
    action: async () => {
      await send(releaseHold(toggle, environment), { refreshes: [holds], inline: true });
      pushInfo(`${toggle} was released`);
    },
  }));
}
