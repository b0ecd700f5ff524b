// The plan that the user reviews or applies. It outlives its page: a plan is applied to its end while the user visits others.
import { createUserStore } from '@/lib/store';
import type { Reviewed } from './reviewFiles';

/** The result of a change that was sent. */
export type ChangeResult = 'applying' | 'applied' | { failure: string };

export interface OpenPlan {
  /** What the user reviews. It stays as it is while the plan is applied. */
  reviewed: Reviewed;
  /** Name of the flag service, for plans that are made from files. */
  target: string;
  /** Environment of a newer server that the plan was reviewed for. */
  environment: string | undefined;
  /** By the name of the toggle. */
  results: ReadonlyMap<string, ChangeResult>;
  phase: 'review' | 'applying' | 'stopping';
  /** Reason why applying ended before all changes were applied. */
  problem: string | undefined;
}

export const openPlan = createUserStore<OpenPlan | undefined>(undefined);

export function updatePlan(changes: Partial<OpenPlan>): void {
  const plan = openPlan.get();
  if (plan) openPlan.set({ ...plan, ...changes });
}

export function setResult(name: string, result: ChangeResult): void {
  const plan = openPlan.get();
  if (plan) openPlan.set({ ...plan, results: new Map(plan.results).set(name, result) });
}
