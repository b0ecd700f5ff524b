// State of the panel that all toggles share until the page is loaded again or another user signs in. Nothing of it is stored on
// disk.
import { createUserStore } from '@/lib/store';
import type { Population } from './parsePopulation';

/** A result is shown, even for an empty context. A context in the URL shows it too. */
export const labOpened = createUserStore(false);

/** Toggles that are switched off are evaluated as if they were on. */
export const assumesOn = createUserStore(false);

export interface NumberedPopulation extends Population {
  /** For keys: results of one population do not apply to another. */
  number: number;
}

/** The last contexts that were pasted or read from a file. */
export const lastPopulation = createUserStore<NumberedPopulation | undefined>(undefined);

let count = 0;

export function keepPopulation(population: Population): void {
  count += 1;
  lastPopulation.set({ ...population, number: count });
}
