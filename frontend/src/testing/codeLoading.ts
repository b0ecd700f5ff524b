// Imported before the console's code: the timers that prefetch pages and dialogs start while the code is imported.
import { vi } from 'vitest';

vi.useFakeTimers();

/** Starts the prefetch of all pages and dialogs, so that no test waits for their code. */
export function startPrefetch(): void {
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
}
