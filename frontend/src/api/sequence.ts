// The order of events of this page: starts of reads and completions of writes.
let last = 0;

export function nextSequence(): number {
  last += 1;
  return last;
}
