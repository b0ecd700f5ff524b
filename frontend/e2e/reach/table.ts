// Reporter of `make reach`: prints a table of versions and kinds of calls in Markdown.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';

const FILE = path.resolve(import.meta.dirname, '../../../target/reach.md');

export default class Table implements Reporter {
  readonly #outcomes = new Map<string, Map<string, string>>();
  readonly #counts = new Map<string, { passed: number; failed: number }>();

  onBegin(_: FullConfig, suite: Suite): void {
    // Sets the order of the rows; tests end in another order.
    for (const { title } of suite.allTests()) {
      const [, kind] = /^endpoint kind: (.*)$/.exec(title) ?? [];
      if (kind) this.#outcomes.set(kind, new Map());
    }
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const version = test.parent.project()?.name.replace('server-', '') ?? '';
    const count = this.#counts.get(version) ?? { passed: 0, failed: 0 };
    if (result.status === 'passed') count.passed += 1;
    else if (result.status !== 'skipped') count.failed += 1;
    this.#counts.set(version, count);
    for (const { type, description = '' } of result.annotations) {
      if (type !== 'endpoint') continue;
      const [kind = '', outcome = ''] = description.split(': ');
      const row = this.#outcomes.get(kind) ?? new Map<string, string>();
      this.#outcomes.set(kind, row.set(version, outcome));
    }
  }

  onEnd(): void {
    const versions = [...new Set([...this.#outcomes.values()].flatMap((row) => [...row.keys()]))].sort(byNumber);
    const rows = [...this.#outcomes].map(([kind, row]) => [kind, ...versions.map((version) => row.get(version) ?? '')]);
    const counts = [...this.#counts].map(([version, { passed, failed }]) => [version, String(passed), String(failed)]);
    const text = [table(['call', ...versions], rows), table(['version', 'tests passed', 'failed'], counts)].join(
      '\n\n',
    );
    mkdirSync(path.dirname(FILE), { recursive: true });
    writeFileSync(FILE, `${text}\n`);
    process.stdout.write(`\n${text}\n`);
  }
}

function byNumber(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
