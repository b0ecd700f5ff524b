import { read } from '@/api/client';
import { uiConfig } from '@/api/endpoints';

/** Sends a request whose outcome updates the outage state: see `api/outage.ts`. */
export function probe(): void {
  void read(uiConfig, { skipSignInPrompt: true }).catch(() => undefined);
}
