/** Returns a function that runs actions one after the other, also after one that failed. */
export function createSequence() {
  let last: Promise<unknown> = Promise.resolve();
  return function runInSequence<Result>(act: () => Promise<Result>): Promise<Result> {
    const turn = last.then(act);
    last = turn.catch(() => undefined);
    return turn;
  };
}
