import type { ApiTokenDraft, CreatedApiToken } from '@/api/generated/types';
import { pushInfo } from '@/api/notices';
import { useStore } from '@/lib/store';
import { useIsMounted } from '@/lib/useIsMounted';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { createSecretStore } from '@/shared/secretStore';
import { apiTokenResource } from './apiTokens';

export const newSecrets = createSecretStore<CreatedApiToken>(({ secret }) => secret);

/** Returns a function that creates a token and keeps its secret. */
export function useCreateToken(): (draft: ApiTokenDraft) => Promise<CreatedApiToken | undefined> {
  const create = apiTokenResource.useCreate();
  const isMounted = useIsMounted();
  return async (draft) => {
    const created = await newSecrets.keep(create(draft));
    if (created && !isMounted.current)
      pushInfo(`Copy the secret of ${created.name} under API tokens: this window shows it until it is copied.`);
    return created;
  };
}

/** Asks before a page that shows secrets is left while one of them is not copied. */
export function useSecretGuard(): void {
  const hasSecrets = useStore(newSecrets).length > 0;
  useLeaveGuard(hasSecrets, { discard: newSecrets.discard });
}
