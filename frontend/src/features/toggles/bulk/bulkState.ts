// State of the running bulk action, or of the last one if it ended with failures.
import { createUserStore } from '@/lib/store';
import type { BulkAction } from './bulkActions';

export interface BulkFailure {
  /** Name of the toggle. */
  name: string;
  reason: string;
}

/** An action that runs, or asks for its confirmation. No other one starts meanwhile. */
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
  /** Names of the changed toggles, for undo. */
  changed: readonly string[];
  failures: readonly BulkFailure[];
  /** The failures are listed in a dialog. */
  areFailuresOpen: boolean;
  /** Names of toggles not started: the user stopped the action, the session ended or the server became unreachable. */
  left: readonly string[];
}

export type BulkState = RunningBulk | EndedBulk;

export const bulkState = createUserStore<BulkState | undefined>(undefined);
