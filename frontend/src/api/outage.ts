// Whether the flag service is reachable, updated by every request, and where the connection fails if not.
import { createStore, useStore } from '@/lib/store';

/** From the browser outwards. */
export type OutageHop = 'network' | 'gateway' | 'upstream';

export interface Outage {
  hop: OutageHop;
  /** The error message of the request that failed. */
  reason: string;
  /** Time of the last response of the flag service, which is the age of the page's data; undefined if there was none. */
  lastResponseAt: number | undefined;
}

const outage = createStore<Outage | undefined>(undefined);
let lastResponseAt: number | undefined;

/**
 * Error codes of Flagdeck that mean that the flag service did not respond. `upstream_busy` is not one of them: the flag
 * service responds to other requests, and a retry succeeds.
 */
const UPSTREAM_OUTAGE = /^(upstream_(unreachable|timeout)|circuit_open)$/;

/** Ends the outage. A response of Flagdeck itself does not end an outage of the flag service behind it. */
export function noteResponse(by: 'binary' | 'service'): void {
  if (by === 'service') lastResponseAt = Date.now();
  if (by === 'service' || outage.get()?.hop !== 'upstream') outage.set(undefined);
}

export function noteOutage(hop: OutageHop, reason: string): void {
  if (outage.get()?.hop !== hop) outage.set({ hop, reason, lastResponseAt });
}

/** Returns where the connection failed, according to a failed response; undefined if the flag service sent it. */
export function outageHop(status: number, code: string | null, isJson: boolean): OutageHop | undefined {
  if (code !== null) return UPSTREAM_OUTAGE.test(code) ? 'upstream' : undefined;
  // A proxy in front sends an HTML page; a flag service sends JSON or an empty body.
  return !isJson && (status === 502 || status === 503 || status === 504) ? 'gateway' : undefined;
}

/** Calls the listener each time that an outage ends. Returns a function that removes it. */
export function onOutageEnd(listener: () => void): () => void {
  return outage.subscribe(() => {
    if (outage.get() === undefined) listener();
  });
}

export function useOutage(): Outage | undefined {
  return useStore(outage);
}

export function currentOutage(): Outage | undefined {
  return outage.get();
}
