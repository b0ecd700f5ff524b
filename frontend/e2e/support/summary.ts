// Reporter: prints at the end, for `make test`, the reasons of the tests that did not run as `SKIPPED: REASON (COUNT)`, and the
// slowest tests as `SLOW: SECONDS [PROJECT] FILE › TITLE`.

import path from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

const SLOWEST = 15;

export default class Summary implements Reporter {
  readonly #skipped = new Map<string, number>();
  readonly #durations: { name: string; seconds: number }[] = [];

  onTestEnd(test: TestCase, { status, annotations, duration }: TestResult): void {
    if (status === 'skipped') {
      const { description: reason = 'no reason' } = annotations.find(({ type }) => type === 'skip') ?? {};
      this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
      return;
    }
    const project = test.parent.project()?.name ?? '';
    const name = `[${project}] ${path.basename(test.location.file)} › ${test.title}`;
    this.#durations.push({ name, seconds: duration / 1000 });
  }

  onEnd(): void {
    for (const [reason, count] of this.#skipped) process.stdout.write(`SKIPPED: ${reason} (${count})\n`);
    const slowest = this.#durations.sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
    for (const { name, seconds } of slowest) process.stdout.write(`SLOW: ${seconds.toFixed(1)} s ${name}\n`);
  }
}
