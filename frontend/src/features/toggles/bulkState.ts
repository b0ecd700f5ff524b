// The deed for many toggles that is under way, or that ended with something left to tell.
import type { Toggle } from '@/api/generated/types';
import { createStore } from '@/lib/store';
import type { Deed } from './bulkDeeds';

export interface BulkFailure {
  toggle: Toggle;
  reason: string;
}

interface Running {
  phase: 'running';
  deed: Deed;
  total: number;
  done: number;
  failed: number;
  stop: () => void;
}

export interface Ended {
  phase: 'ended';
  deed: Deed;
  total: number;
  /** As they were before. */
  changed: readonly Toggle[];
  failures: readonly BulkFailure[];
  /** Not begun, because somebody stopped it, the session ended or the server was gone. */
  left: readonly Toggle[];
}

export type Bulk = Running | Ended;

export const bulkState = createStore<Bulk | undefined>(undefined);
