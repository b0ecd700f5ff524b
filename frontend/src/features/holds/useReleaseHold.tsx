import { holds, releaseHold } from '@/api/endpoints';
import type { ListedHold } from '@/api/generated/types';
import { useWrite } from '@/api/useWrite';
import { pushInfo } from '@/api/notices';
import { useHolds } from '@/domain/holds/holds';
import { useConfirm } from '@/ui/useConfirm';

/** Describes which SDKs get a held toggle as off. */
export function describeHold({ toggle, environment }: ListedHold): string {
  return `${toggle} is held off for SDKs${environment === null ? '' : ` in ${environment}`}`;
}

/** Asks before it releases the holds of a toggle; with null as the environment, those of all environments. */
export function useReleaseHold() {
  const { send } = useWrite();
  const all = useHolds()?.holds ?? [];
  return useConfirm(({ toggle, environment }: Pick<ListedHold, 'toggle' | 'environment'>) => {
    const own = all.filter((hold) => hold.toggle === toggle);
    const ending = own.filter((hold) => environment === null || hold.environment === environment);
    const staysOff = environment !== null && own.some((hold) => hold.environment === null);
    return {
      title: `Release ${toggle}`,
      body: (
        <>
          {ending.length > 1 && (
            <>
              <p>This ends {ending.length} holds:</p>
              <ul className="my-2 grid list-disc gap-1 pl-5">
                {ending.map((hold) => (
                  <li key={`${hold.environment}/${hold.start}`} className="wrap-anywhere">
                    {describeHold(hold)}: {hold.reason} ({hold.person})
                  </li>
                ))}
              </ul>
            </>
          )}
          {staysOff ? (
            <p>
              SDKs still get <b className="wrap-anywhere text-text">{toggle}</b> as it is held in all environments.
            </p>
          ) : (
            <p>
              SDKs get <b className="wrap-anywhere text-text">{toggle}</b> from the flag service again
              {environment !== null && ` in ${environment}`}, so that the feature may be on at once.
            </p>
          )}
        </>
      ),
      confirmLabel: ending.length > 1 ? `Release ${ending.length} holds` : 'Release',
      action: async () => {
        await send(releaseHold(toggle, environment), { refreshes: [holds], inline: true });
        pushInfo(`${toggle} was released`);
      },
    };
  });
}
