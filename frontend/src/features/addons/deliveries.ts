// Deliveries of an addon, read from the event log.
import type { Event } from '@/api/generated/types';

export interface Delivery {
  /** Id of the event. */
  id: number;
  isDelivered: boolean;
  eventType: string;
  target: string | undefined;
  /** Description, such as `HTTP 204 after 3 attempts`. */
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
  const tries = typeof attempts === 'number' && attempts > 1 ? ` after ${attempts} attempts` : '';
  const how = typeof status === 'number' ? `HTTP ${status}` : text(reason);
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
