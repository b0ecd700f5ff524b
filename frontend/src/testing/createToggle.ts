import type { Toggle } from '@/api/generated/types';

/** A toggle that is on for everyone. */
export function createToggle(changes: Partial<Toggle> & Pick<Toggle, 'name'>): Toggle {
  return {
    description: '',
    type: 'release',
    project: 'default',
    enabled: true,
    stale: false,
    strategies: [{ name: 'default', parameters: {} }],
    variants: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    lastSeenAt: null,
    ...changes,
  };
}
