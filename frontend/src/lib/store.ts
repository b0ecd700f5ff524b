import { useSyncExternalStore } from 'react';

/** A value outside React that components can subscribe to and plain functions can change. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const resets = new Set<() => void>();
const userSession = createStore(new AbortController());

/**
 * Signal of the current user, aborted when another user signs in. Code that sends several requests takes it at its start and
 * checks it before each, so that no request of one user is sent with the session of the next.
 */
export function userSignal(): AbortSignal {
  return userSession.get().signal;
}

export function useUserSignal(): AbortSignal {
  return useStore(userSession).signal;
}

/** Calls `reset` when another user signs in. Returns a function that removes it. */
export function onUserReset(reset: () => void): () => void {
  resets.add(reset);
  return () => void resets.delete(reset);
}

/** Creates a store for data of a user. It is reset when another user signs in. */
export function createUserStore<T>(initial: T): Store<T> {
  const store = createStore(initial);
  onUserReset(() => store.set(initial));
  return store;
}

export function resetUserStores(): void {
  const ended = userSession.get();
  userSession.set(new AbortController());
  ended.abort();
  for (const reset of resets) reset();
  userNumber.set(userNumber.get() + 1);
}

/** Number of users whose data was cleared. */
const userNumber = createStore(0);

/** A key for components whose state belongs to a user: input of forms, selections, unsaved changes. */
export function useUserKey(): number {
  return useStore(userNumber);
}

export function useStore<T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
