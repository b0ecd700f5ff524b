// Reporter: prints at the end, for `make test`, the reasons of the tests that did not run as `SKIPPED: REASON (COUNT)`, the slowest
// tests as `SLOW: SECONDS [PROJECT] FILE › TITLE`, and the tests that failed, or passed only on the second attempt, as `FAILED: …`
// and `FLAKY: …` with the first error. Too many flaky tests fail the run: then the console is the cause, and not a busy machine.

import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { FullConfig, FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter';

const SLOWEST = 15;
const MAX_FLAKY = 3;

export default class Summary implements Reporter {
  #suite: Suite | undefined;

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#suite = suite;
  }

  onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] }> {
    // With `--list`, no test has results.
    const tests = (this.#suite?.allTests() ?? []).filter(({ results }) => results.length > 0);
    const flaky = tests.filter((test) => test.outcome() === 'flaky');
    printSkipped(tests);
    printSlowest(tests);
    for (const test of flaky) print(`FLAKY: ${name(test)}: ${firstError(test)}`);
    for (const test of tests.filter((test) => test.outcome() === 'unexpected')) {
      print(`FAILED: ${name(test)}: ${firstError(test)}`);
    }
    return Promise.resolve({ status: flaky.length > MAX_FLAKY ? 'failed' : status });
  }
}

function printSkipped(tests: TestCase[]): void {
  const skipped = new Map<string, number>();
  for (const { results } of tests) {
    const result = results.find(({ status }) => status === 'skipped');
    if (!result) continue;
    const { description: reason = 'no reason' } = result.annotations.find(({ type }) => type === 'skip') ?? {};
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  }
  for (const [reason, count] of skipped) print(`SKIPPED: ${reason} (${count})`);
}

function printSlowest(tests: TestCase[]): void {
  const durations = tests.map((test) => ({
    test,
    seconds: Math.max(...test.results.map(({ duration }) => duration)) / 1000,
  }));
  durations.sort((one, other) => other.seconds - one.seconds);
  for (const { test, seconds } of durations.slice(0, SLOWEST)) print(`SLOW: ${seconds.toFixed(1)} s ${name(test)}`);
}

function name(test: TestCase): string {
  return `[${test.parent.project()?.name ?? ''}] ${path.basename(test.location.file)} › ${test.title}`;
}

/** The message of the first error in one line. */
function firstError({ results }: TestCase): string {
  const message = results.flatMap(({ errors }) => errors).find(({ message }) => message)?.message ?? 'no error';
  return stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').slice(0, 400);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
