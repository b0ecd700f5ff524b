import type { AccountWithPassword } from '@/api/generated/types';
import { formatExact } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { SecretField } from '@/shared/SecretField';
import { Button } from '@/ui/Button';
import { CopyIcon } from '@/ui/icons';
import { newPasswords } from './newPasswords';

/** The one-time password of a user, which the server does not show again. A lost one is replaced by another one. */
export function OneTimePassword({ account }: { account: AccountWithPassword }) {
  const { username, oneTimePassword, oneTimeUntil } = account;
  const locale = useLocale();

  async function copy() {
    if (await copyAndNotify(oneTimePassword)) newPasswords.noteCopied(oneTimePassword);
  }

  return (
    <div className="grid gap-4">
      <p role="status">
        Give this password to <b className="wrap-anywhere">{username}</b>. It is valid for one sign-in
        {oneTimeUntil !== null && ` until ${formatExact(Date.parse(oneTimeUntil), locale)}`}; {username} then chooses
        another one. It cannot be shown again.
      </p>
      <SecretField label="One-time password" value={oneTimePassword} autoFocus onCopy={newPasswords.noteCopyEvent} />
      <Button variant="primary" icon={<CopyIcon />} className="justify-self-start" onClick={() => void copy()}>
        Copy password
      </Button>
    </div>
  );
}
