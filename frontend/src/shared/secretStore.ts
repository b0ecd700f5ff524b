// Secrets that were created in this window and not copied yet: the server cannot show them again. They stay in memory until they
// are copied or discarded, also if the page that created them was left meanwhile, and the window is not closed without a question.
import type { ClipboardEvent } from 'react';
import { createUserStore, type Store, userSignal } from '@/lib/store';
import { guardClose } from '@/lib/useLeaveGuard';

export interface SecretStore<Item> extends Pick<Store<readonly Item[]>, 'get' | 'subscribe'> {
  /** Waits for the request that creates a secret, and keeps it. Resolves with undefined if another user has signed in. */
  keep(request: Promise<Item | undefined>): Promise<Item | undefined>;
  discard(): void;
  /** Forgets the secrets that a copied text contains. */
  noteCopied(text: string): void;
  /** Like `noteCopied`, for what the user selects and copies. */
  noteCopyEvent(event: ClipboardEvent): void;
}

export function createSecretStore<Item>(secretOf: (item: Item) => string): SecretStore<Item> {
  const items = createUserStore<readonly Item[]>([]);
  /** Number of requests under way. */
  const requests = createUserStore(0);
  let endGuard: (() => void) | undefined;

  function updateGuard(): void {
    if (items.get().length + requests.get() > 0) endGuard ??= guardClose();
    else {
      endGuard?.();
      endGuard = undefined;
    }
  }

  items.subscribe(updateGuard);
  requests.subscribe(updateGuard);

  function noteCopied(text: string): void {
    items.set(items.get().filter((item) => !text.includes(secretOf(item))));
  }

  return {
    get: items.get,
    subscribe: items.subscribe,
    async keep(request) {
      const user = userSignal();
      requests.set(requests.get() + 1);
      try {
        const created = await request;
        if (!created || user.aborted) return undefined;
        items.set([...items.get(), created]);
        return created;
      } finally {
        if (!user.aborted) requests.set(requests.get() - 1);
      }
    },
    discard: () => items.set([]),
    noteCopied,
    noteCopyEvent({ target }) {
      const isField = target instanceof HTMLInputElement;
      noteCopied(
        isField ? target.value.slice(target.selectionStart ?? 0, target.selectionEnd ?? 0) : `${getSelection()}`,
      );
    },
  };
}
