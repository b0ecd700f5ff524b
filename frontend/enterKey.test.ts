// Proves the rule of enterKey.grit: lints a file with comparisons that it finds and ones that it accepts.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const FOUND = [
  "if (event.key === 'Enter') act();",
  "if (event.key !== 'Enter') act();",
  'if (key === "Enter") act();',
  "if ('Enter' === key) act();",
  "const isAction = key === 'Enter' || key === ' ';",
  "onKeyDown = ({ key }) => key === 'Enter' && act();",
  "switch (key) { case 'Enter': act(); }",
  'if (event.isComposing) act();',
  'if (event.nativeEvent.isComposing) act();',
];
const ACCEPTED = [
  'if (isEnter(event.nativeEvent)) act();',
  'if (isComposing(event)) act();',
  "if (event.key === 'Escape') act();",
  "const keys = ['Enter', 'ArrowDown'];",
  "fireEvent.keyDown(field, { key: 'Enter', isComposing: true });",
];

const folder = mkdtempSync(join(tmpdir(), 'enter-key-'));
/** Numbers of the lines that the rule finds, for each file. */
const lines: Record<string, number[]> = {};

beforeAll(async () => {
  for (const file of ['biome.json', 'enterKey.grit']) copyFileSync(file, join(folder, file));
  for (const file of ['src/ui/Probe.tsx', 'src/lib/keyboard.ts']) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, [...FOUND, ...ACCEPTED].join('\n'));
    lines[file] = [];
  }
  const { stdout } = await promisify(execFile)(
    join(import.meta.dirname, 'node_modules/.bin/biome'),
    ['lint', '--reporter=json', '--max-diagnostics=none', 'src'],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error);
  const { diagnostics } = JSON.parse(stdout.split('\n')[0] ?? '') as {
    diagnostics: { category: string; location: { path: string; start: { line: number } } }[];
  };
  for (const { category, location } of diagnostics)
    if (category === 'plugin') lines[location.path]?.push(location.start.line);
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(FOUND)('%s is found', (line) => {
  expect(lines['src/ui/Probe.tsx']).toContain(FOUND.indexOf(line) + 1);
});

test('other keys, and the functions that know compositions, are accepted', () => {
  expect(new Set(lines['src/ui/Probe.tsx']).size).toBe(FOUND.length);
});

test('the functions themselves may compare', () => {
  expect(lines['src/lib/keyboard.ts']).toEqual([]);
});
