import type { AccountWithPassword } from '@/api/generated/types';
import { createSecretStore } from '@/shared/secretStore';

export const newPasswords = createSecretStore<AccountWithPassword>(({ oneTimePassword }) => oneTimePassword);

/** Says where a one-time password is shown whose page was left while it was created. */
export function describeKeptPassword({ username }: AccountWithPassword): string {
  return `Copy the one-time password of ${username} under Users: this window shows it until it is copied.`;
}
