// State of the running bulk action, or of the last one if it ended with failures.
import type { Toggle } from '@/api/generated/types';
import { createUserStore } from '@/lib/store';
import type { BulkAction } from './bulkActions';

export interface BulkFailure {
  toggle: Toggle;
  reason: string;
}

interface RunningBulk {
  phase: 'running';
  action: BulkAction;
  total: number;
  done: number;
  failed: number;
  stop: () => void;
}

export interface EndedBulk {
  phase: 'ended';
  action: BulkAction;
  total: number;
  /** Changed toggles in their previous state, for undo. */
  changed: readonly Toggle[];
  failures: readonly BulkFailure[];
  /** Toggles not started: the user stopped the action, the session ended or the server became unreachable. */
  left: readonly Toggle[];
}

export type BulkState = RunningBulk | EndedBulk;

export const bulkState = createUserStore<BulkState | undefined>(undefined);
