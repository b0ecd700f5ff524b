// Repeats reads at an interval: one timer for each path, whatever the number of components that need it.
//
// A hidden tab reads nothing; when it is shown again and the interval is over, it reads at once. Failures lengthen the
// interval, but never end the polling.

const MAX_INTERVAL_MS = 60_000;

export type ReadOutcome = 'read' | 'failed' | 'absent';

interface Poll {
  consumers: number;
  intervalMs: number;
  /** Sends the request, and resolves after `noteReadOutcome`. */
  read: () => Promise<unknown>;
  /** Consecutive failures. */
  failures: number;
  /** The server lacks the endpoint: reads for other reasons may find it again. */
  isAbsent: boolean;
  isReading: boolean;
  /** Time of the next read. */
  dueAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const polls = new Map<string, Poll>();

/** Starts polling a path. Returns a function that stops it, unless other consumers need it. */
export function startPolling(path: string, intervalMs: number, read: () => Promise<unknown>): () => void {
  const poll = polls.get(path) ?? createPoll(path, intervalMs, read);
  poll.consumers += 1;
  return () => {
    poll.consumers -= 1;
    if (poll.consumers > 0) return;
    clearTimeout(poll.timer);
    polls.delete(path);
    if (polls.size === 0) document.removeEventListener('visibilitychange', readOverdue);
  };
}

function createPoll(path: string, intervalMs: number, read: () => Promise<unknown>): Poll {
  const poll: Poll = {
    consumers: 0,
    intervalMs,
    read,
    failures: 0,
    isAbsent: false,
    isReading: false,
    dueAt: 0,
    timer: undefined,
  };
  if (polls.size === 0) document.addEventListener('visibilitychange', readOverdue);
  polls.set(path, poll);
  schedule(poll);
  return poll;
}

export function isPolled(path: string): boolean {
  return polls.has(path);
}

/** Must be called after each read of a path, whatever started it: the interval starts again. */
export function noteReadOutcome(path: string, outcome: ReadOutcome): void {
  const poll = polls.get(path);
  if (!poll) return;
  poll.failures = outcome === 'failed' ? poll.failures + 1 : 0;
  poll.isAbsent = outcome === 'absent';
  schedule(poll);
}

function schedule(poll: Poll): void {
  clearTimeout(poll.timer);
  poll.timer = undefined;
  if (poll.isAbsent) return;
  const delay = Math.min(
    poll.intervalMs * 2 ** Math.max(0, poll.failures - 1),
    Math.max(MAX_INTERVAL_MS, poll.intervalMs),
  );
  poll.dueAt = Date.now() + delay;
  poll.timer = setTimeout(() => void readNow(poll), delay);
}

async function readNow(poll: Poll): Promise<void> {
  if (document.hidden || poll.isReading) return;
  clearTimeout(poll.timer);
  poll.isReading = true;
  // A failure is reported by `noteReadOutcome`.
  await poll.read().catch(() => undefined);
  poll.isReading = false;
  // The request of another component may have been shared, so that its outcome was noted before.
  if (poll.consumers > 0 && Date.now() >= poll.dueAt) schedule(poll);
}

function readOverdue(): void {
  for (const poll of polls.values()) if (!poll.isAbsent && Date.now() >= poll.dueAt) void readNow(poll);
}
