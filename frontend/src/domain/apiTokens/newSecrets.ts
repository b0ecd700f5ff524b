// Secrets of tokens that were created in this window and not copied yet: the server cannot show them again. They stay in memory
// until they are copied or discarded, also if the page that created them was left meanwhile.
import type { ClipboardEvent } from 'react';
import type { ApiTokenDraft, CreatedApiToken } from '@/api/generated/types';
import { pushInfo } from '@/api/notices';
import { createUserStore, userSignal, useStore } from '@/lib/store';
import { useIsMounted } from '@/lib/useIsMounted';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { apiTokenResource } from './apiTokens';

export const newSecrets = createUserStore<readonly CreatedApiToken[]>([]);

/** Returns a function that creates a token and keeps its secret. */
export function useCreateToken(): (draft: ApiTokenDraft) => Promise<CreatedApiToken | undefined> {
  const create = apiTokenResource.useCreate();
  const isMounted = useIsMounted();
  return async (draft) => {
    const user = userSignal();
    const created = await create(draft);
    if (!created || user.aborted) return undefined;
    newSecrets.set([...newSecrets.get(), created]);
    if (!isMounted.current)
      pushInfo(`Copy the secret of ${created.name} under API tokens: this window shows it until it is copied.`);
    return created;
  };
}

/** Asks before a page that shows secrets is left while one of them is not copied. */
export function useSecretGuard(): void {
  const hasSecrets = useStore(newSecrets).length > 0;
  useLeaveGuard(hasSecrets, { discard: () => newSecrets.set([]) });
}

/** Forgets the secrets that a copied text contains. */
export function noteCopied(text: string): void {
  newSecrets.set(newSecrets.get().filter(({ secret }) => !text.includes(secret)));
}

/** Like `noteCopied`, for what the user selects and copies. */
export function noteCopyEvent({ target }: ClipboardEvent): void {
  const isField = target instanceof HTMLInputElement;
  noteCopied(isField ? target.value.slice(target.selectionStart ?? 0, target.selectionEnd ?? 0) : `${getSelection()}`);
}
