// Whether the flag service answers, as told by all calls, and where on the way it ends if not.
import { createStore, useStore } from '@/lib/store';

/** From the browser outwards. */
export type OutageHop = 'network' | 'gateway' | 'upstream';

export interface Outage {
  hop: OutageHop;
  /** In the words of whoever noticed. */
  reason: string;
  /** When the last answer came: what is on the page is as old as that. Undefined where none ever came. */
  lastAnswerAt: number | undefined;
}

const outage = createStore<Outage | undefined>(undefined);
let lastResponseAt: number | undefined;

/** Codes of the binary for a flag service that did not respond. `upstream_busy` is not among them: the flag service responds
 * to other requests, and trying again soon succeeds. */
const UPSTREAM_OUTAGE = /^(upstream_(unreachable|timeout)|circuit_open)$/;

/** What the binary answers by itself shows that the way leads as far as there, and no further. */
export function noteResponse(by: 'binary' | 'service'): void {
  if (by === 'service') lastResponseAt = Date.now();
  if (by === 'service' || outage.get()?.hop !== 'upstream') outage.set(undefined);
}

export function noteOutage(hop: OutageHop, reason: string): void {
  if (outage.get()?.hop !== hop) outage.set({ hop, reason, lastAnswerAt: lastResponseAt });
}

/** Where an answer that is no success says that the way ends; undefined where the flag service itself said it. */
export function outageHop(status: number, code: string | null, isJson: boolean): OutageHop | undefined {
  if (code !== null) return UPSTREAM_OUTAGE.test(code) ? 'upstream' : undefined;
  // A proxy in front says it with a page of its own; a flag service would send JSON or nothing.
  return !isJson && (status === 502 || status === 503 || status === 504) ? 'gateway' : undefined;
}

export function useOutage(): Outage | undefined {
  return useStore(outage);
}

export function currentOutage(): Outage | undefined {
  return outage.get();
}
