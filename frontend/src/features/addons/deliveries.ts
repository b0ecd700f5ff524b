// How deliveries of addons ended, as the history tells it.
import type { Event } from '@/api/generated/types';

export interface Delivery {
  /** Of the event that tells it. */
  id: number;
  isDelivered: boolean;
  eventType: string;
  target: string | undefined;
  /** In words, such as `Answered 204 at the first try`. */
  outcome: string;
  at: string;
}

const MAX_SHOWN = 10;

export function latestDeliveries(addon: number, events: readonly Event[]): Delivery[] {
  return events
    .filter(({ type, data }) => type.startsWith('addon-deliver') && data?.['id'] === addon)
    .slice(0, MAX_SHOWN)
    .map(toDelivery);
}

function toDelivery({ id, type, data, createdAt }: Event): Delivery {
  const { eventType, target, attempts, status, reason } = data ?? {};
  const tries = typeof attempts === 'number' && attempts > 1 ? ` after ${attempts} tries` : '';
  const how = typeof status === 'number' ? `Answered ${status}` : text(reason);
  return {
    id,
    isDelivered: type === 'addon-delivered',
    eventType: text(eventType),
    target: typeof target === 'string' ? target : undefined,
    outcome: `${how}${tries}`,
    at: createdAt,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
