/** Removes objects that only weak references hold. Needs real timers: weak references are kept until the current task ends. */
export async function collectGarbage(): Promise<void> {
  // The configuration of the tests starts Node with `--expose-gc`.
  const { gc } = globalThis as { gc?: () => void };
  if (!gc) throw new Error('Node was started without --expose-gc');
  for (let round = 0; round < 2; round += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    gc();
  }
}
