import type { ClientApi, Instance } from '@/api/generated/types';

export const CLIENT_API_LABELS: { readonly [api in ClientApi]: string } = {
  server: 'Server SDK',
  streaming: 'Server SDK (streaming)',
  browser: 'Browser SDK',
};

/** Returns the APIs that instances use. It is empty if they are not known: only the embedded flag service records them. */
export function apisOf(instances: readonly Instance[]): ClientApi[] {
  const used = new Set(instances.map(({ api }) => api));
  return (['server', 'streaming', 'browser'] as const).filter((api) => used.has(api));
}
