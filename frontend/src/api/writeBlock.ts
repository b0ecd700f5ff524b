// Why nobody can change anything at the moment, whatever they may do otherwise.

import type { Settings } from './generated/types';
import { currentOutage, type Outage, useOutage } from './outage';
import { knownSettings, useSettings } from './settings';

const READ_ONLY = 'This console is read-only: nothing can be changed through it.';
const OUTAGE = 'Nothing can be changed until the flag service answers again.';

export function useWriteBlock(): string | undefined {
  return reason(useSettings(), useOutage());
}

export function writeBlock(): string | undefined {
  return reason(knownSettings(), currentOutage());
}

function reason(settings: Settings | undefined, outage: Outage | undefined): string | undefined {
  if (settings?.readOnly) return READ_ONLY;
  return outage && OUTAGE;
}
