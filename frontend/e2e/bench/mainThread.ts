// Measures the longest task of the page for each kind of input, with 10,000 toggles. Longer tasks delay the response to
// the next input. The goal applies to processor time: wall time also contains the work of other programs.

import os from 'node:os';
import { type Page, test } from '@playwright/test';
import { startBinary } from '../support/binary';
import { keepReporting, seed } from './load';
import { firstRow, longestTaskOf, watchFirstRow } from './probes';

const COUNT = 10_000;
const ROUNDS = 3;
const GOAL_MS = 50;
/** Longer than the debounce of the search. */
const AFTER_MS = 1_500;

interface Input {
  label: string;
  /** Starts with the list, all toggles shown and no row selected. */
  act: (page: Page) => Promise<void>;
  /** Runs before the measurement. */
  prepare?: (page: Page) => Promise<void>;
  /** Time for the effects of the input. Default: `AFTER_MS`. */
  afterMs?: number;
}

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

const INPUTS: Input[] = [
  { label: 'first key after the load (j)', act: (page) => press(page, 'j') },
  { label: 'j 20 times, k 10 times', act: (page) => press(page, ...repeat('j', 20), ...repeat('k', 10)) },
  { label: 'select a row (x)', prepare: (page) => press(page, 'j'), act: (page) => press(page, 'x') },
  {
    label: 'select all',
    prepare: (page) => page.getByRole('checkbox', { name: /^Select all/ }).focus(),
    act: (page) => press(page, 'Space'),
  },
  {
    label: 'type a search',
    prepare: (page) => page.getByRole('searchbox').focus(),
    act: (page) => page.keyboard.type('login', { delay: 100 }),
  },
  {
    label: 'clear the search',
    prepare: async (page) => {
      await page.getByRole('searchbox').fill('login');
      await page.waitForURL(/filter=login/);
      await page.getByRole('searchbox').focus();
    },
    act: (page) => press(page, 'Control+a', 'Delete'),
  },
  {
    label: 'sort by name, reversed',
    prepare: (page) => page.getByRole('columnheader').getByRole('button', { name: 'Name', exact: true }).focus(),
    act: (page) => press(page, 'Enter'),
  },
  { label: 'open the command palette', act: (page) => press(page, 'Control+k') },
  {
    label: 'type a command',
    prepare: async (page) => {
      await press(page, 'Control+k');
      await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor();
    },
    act: (page) => page.keyboard.type('disable 00042', { delay: 100 }),
  },
  { label: 'open a toggle (Enter)', prepare: (page) => press(page, 'j'), act: (page) => press(page, 'Enter') },
  { label: 'metrics polls, 15 s', act: async () => undefined, afterMs: 15_000 },
];

test(`tasks with ${COUNT} toggles`, async ({ browser }) => {
  const binary = await startBinary('--data', ':memory:', '--log-level', 'warn');
  await seed(binary.url, COUNT);
  const reports = keepReporting(binary.url, COUNT);
  const lines: string[] = [];
  for (const { label, act, prepare, afterMs = AFTER_MS } of INPUTS) {
    const tasks = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const context = await browser.newContext({ baseURL: binary.url });
      const page = await context.newPage();
      await watchFirstRow(page);
      await page.goto('features');
      await firstRow(page);
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await prepare?.(page);
      tasks.push(await longestTaskOf(page, () => act(page), afterMs));
      await context.close();
    }
    const cpu = Math.max(...tasks.map((task) => task.cpu));
    const wall = Math.max(...tasks.map((task) => task.wall));
    lines.push(columns(label, cpu.toFixed(1) + (cpu <= GOAL_MS ? '' : ' !'), String(GOAL_MS), wall.toFixed(1)));
  }
  await reports.stop();
  await binary.stop();
  const [load = 0] = os.loadavg();
  process.stdout.write(
    `\n\nLongest task in ms of ${ROUNDS} rounds, ${COUNT} toggles; ${os.cpus().length} cores, load ${load.toFixed(1)}\n`,
  );
  process.stdout.write(`${[columns('', 'processor', 'goal', 'wall'), ...lines].join('\n')}\n`);
});

function columns(label: string, cpu: string, goal: string, wall: string): string {
  return [label.padEnd(32), cpu.padStart(10), goal.padStart(6), wall.padStart(10)].join(' ');
}

function repeat(key: string, times: number): string[] {
  return Array.from({ length: times }, () => key);
}
