import { removeUser, resetPassword, sessions, setUserDisabled, users } from '@/api/endpoints';
import type { AccountWithPassword } from '@/api/generated/types';
import { pushInfo } from '@/api/notices';
import { useProfile } from '@/api/permissions';
import { useWrite } from '@/api/useWrite';
import { useIsMounted } from '@/lib/useIsMounted';
import type { Confirmation } from '@/ui/ConfirmDialog';
import { describeRemoval } from '@/ui/describeRemoval';
import { useConfirm } from '@/ui/useConfirm';
import { describeKeptPassword, newPasswords } from './newPasswords';

/** An action on an account. */
export interface AccountAction {
  kind: 'password' | 'disable' | 'enable' | 'remove';
  username: string;
}

/** Returns a function that asks before an action on an account, and its dialog. `onPassword` receives a new one-time password. */
export function useAccountActions(onPassword: (account: AccountWithPassword) => void) {
  const { send } = useWrite();
  const isMounted = useIsMounted();
  const ownName = useProfile()?.username;
  const options = { refreshes: [users, sessions], inline: true };

  async function reset(username: string) {
    const account = await newPasswords.keep(send(resetPassword(username), options));
    if (!account) return;
    if (isMounted.current) onPassword(account);
    else pushInfo(describeKeptPassword(account));
  }

  async function setDisabled(username: string, isDisabled: boolean) {
    await send(setUserDisabled(username, isDisabled), options);
    pushInfo(`${username} was ${isDisabled ? 'disabled' : 'enabled'}.`);
  }

  async function remove(username: string) {
    await send(removeUser(username), options);
    pushInfo(`User ${username} removed.`);
  }

  function describe({ kind, username }: AccountAction): Confirmation {
    const person = <b className="wrap-anywhere text-text">{username}</b>;
    const own = username === ownName ? ' This is your own account: you are signed out too.' : '';
    switch (kind) {
      case 'password':
        return {
          title: 'New one-time password',
          body: (
            <p>
              The password of {person} is replaced, and {username} is signed out everywhere.{own}
            </p>
          ),
          confirmLabel: 'Replace password',
          action: () => reset(username),
        };
      case 'disable':
        return {
          title: 'Disable user',
          body: (
            <p>
              {person} is signed out everywhere, and cannot sign in until the account is enabled again. Permissions stay
              as they are.{own}
            </p>
          ),
          confirmLabel: 'Disable',
          tone: 'danger',
          action: () => setDisabled(username, true),
        };
      case 'enable':
        return {
          title: 'Enable user',
          body: <p>{person} can sign in again, with the permissions as before.</p>,
          confirmLabel: 'Enable',
          action: () => setDisabled(username, false),
        };
      case 'remove':
        return describeRemoval({
          noun: 'user',
          name: username,
          consequences: `is signed out everywhere and cannot sign in any more. The event history keeps the name.${own}`,
          action: () => remove(username),
        });
    }
  }

  return useConfirm<AccountAction>(describe);
}
