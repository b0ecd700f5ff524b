// Many toggles and contexts: their results in the evaluation (`POST /-/evaluate`), and the comparison with those of client
// libraries.

import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import process from 'node:process';
import type { APIRequestContext } from '@playwright/test';
import type { Binary } from './binary';
import { EvaluationCases, type Strategy, type Toggle } from './evaluationCases';
import type { LibraryResult, Task } from './evaluationLibraries';
import { test as base, expect } from './fixtures';
import { type Definitions, importToggles, type Segment } from './serverImport';

/** True in `make sdk`, which takes longer. */
export const ALL_CASES = Boolean(process.env['FLAGDECK_ALL_CASES']);
const SEED = 1;
/** Ids of segments. */
const SEGMENTS = [1, 2];
const TOGGLES = 500;
const CONTEXTS = 200;
/** For real servers, which take long to store toggles. */
const [SERVER_TOGGLES, SERVER_CONTEXTS] = ALL_CASES ? [TOGGLES, CONTEXTS] : [60, 20];
const CONTEXTS_PER_REQUEST = 10;
const HOST = (process.env['HOSTNAME'] || hostname()).toLowerCase();

/** Result of a toggle for a context, in the format of `POST /-/evaluate`. */
interface Result {
  result: 'on' | 'off' | 'application' | 'random';
  probability?: number;
  /** Absent without variants, and if it is random. */
  variant?: string;
}

/** Results with the stored toggles, and with edited ones. */
interface EvaluatedToggle {
  saved: { contexts: Result[] };
  edited: { contexts: Result[] };
}

export interface Scenario {
  /** The toggles that the flag service has stored. */
  toggles: Toggle[];
  task: Task;
  /** Definitions for the evaluation; absent if the embedded service uses its own. */
  definitions?: { toggles: Toggle[]; segments: Segment[] };
}

/** Stores the toggles in the flag service. */
export const test = base.extend<{ scenario: Scenario }>({
  scenario: async ({ page, flagdeck, realServer, flags }, use, testInfo) => {
    await mkdir(testInfo.outputPath(), { recursive: true });
    const [toggleCount, contextCount] = realServer ? [SERVER_TOGGLES, SERVER_CONTEXTS] : [TOGGLES, CONTEXTS];
    const cases = new EvaluationCases(SEED, HOST);
    const segments = SEGMENTS.map((id) => ({ id, name: `segment-${id}`, constraints: cases.constraints() }));
    const toggles = Array.from({ length: toggleCount }, (_, index) => cases.toggle(index, SEGMENTS));
    const contexts = Array.from({ length: contextCount }, () => cases.context());
    let stored: Definitions;
    if (realServer) stored = await importToggles(realServer, flags, toggles, segments);
    else {
      await store(flagdeck, testInfo.outputPath('toggles.json'), toggles, segments);
      stored = await (await page.request.get('api/client/features')).json();
    }
    const { features } = stored;
    expect(features).toHaveLength(toggleCount);
    const names = features.map((toggle: Toggle) => toggle.name);
    const definitions = realServer && { toggles: features, segments: stored.segments ?? [] };
    await use({ toggles: features, task: { url: flagdeck.url, names, contexts }, ...(definitions && { definitions }) });
  },
});

/** Imports toggles, without newer properties if the service rejects them. */
async function store(flagdeck: Binary, file: string, toggles: Toggle[], segments: object[]): Promise<void> {
  const importState = async (state: object) => {
    await writeFile(file, JSON.stringify({ version: 1, ...state }));
    await flagdeck.command(['import', file]);
  };
  const older = { features: toggles.map(EvaluationCases.withoutNewerProperties) };
  await importState({ features: toggles, segments }).catch(() => importState(older));
  await flagdeck.restart();
}

/** Replaces strategies that only the application can evaluate by strategies with their result on a host. */
function decideForHost(toggle: Toggle, host: string): Toggle {
  const decide = ({ name, parameters, ...rest }: Strategy): Strategy => {
    if (name !== 'applicationHostname' && name !== 'unknown-strategy') return { name, parameters, ...rest };
    if (parameters['hostNames'] === host) return { name: 'default', parameters: {}, ...rest };
    return { name: 'userWithId', parameters: { userIds: '' }, ...rest };
  };
  return { ...toggle, strategies: toggle.strategies.map(decide) };
}

/** Returns the results of each toggle for each context, for an application on a host; with `at`, of recorded toggles. */
export async function evaluate(
  request: APIRequestContext,
  toggles: Toggle[],
  { contexts }: Pick<Task, 'contexts'>,
  {
    host = HOST,
    definitions,
    ...more
  }: { host?: string; variantSeed?: number; at?: string } & Pick<Scenario, 'definitions'> = {},
): Promise<Result[][]> {
  const compare = toggles.map((toggle) => decideForHost(toggle, host));
  const names = toggles.map(({ name }) => name);
  const results: Result[][] = toggles.map(() => []);
  const changed: string[] = [];
  // Several requests, because the time of a request is limited.
  for (let start = 0; start < contexts.length; start += CONTEXTS_PER_REQUEST) {
    const some = contexts.slice(start, start + CONTEXTS_PER_REQUEST);
    const response = await request.post('-/evaluate', {
      data: { names, contexts: some, compare, ...definitions, ...more },
    });
    expect(response.status(), await response.text()).toBe(200);
    const evaluated: EvaluatedToggle[] = (await response.json()).toggles;
    for (const [index, { saved, edited }] of evaluated.entries()) {
      results[index]?.push(...edited.contexts);
      const isDecided = ({ result }: Result, context: number) => result !== edited.contexts[context]?.result;
      const undecided = saved.contexts.filter(isDecided).map(({ result }) => result);
      changed.push(...undecided);
    }
  }
  // Only the application can evaluate the replaced strategies.
  expect(changed.filter((result) => result !== 'application')).toEqual([]);
  if (definitions === undefined) expect(changed).not.toEqual([]);
  return results;
}

/** Compares certain results by value, and random results by their distribution. */
export function compare(toggles: Toggle[], expected: Result[][], found: LibraryResult[][]): void {
  const differences: string[] = [];
  const random = { count: 0, expected: 0, variance: 0, found: 0 };
  const counts = { on: 0, off: 0, variants: 0 };
  for (const [index, toggle] of toggles.entries())
    for (const [context, { result, probability = 0, variant }] of (expected[index] ?? []).entries()) {
      const [isOn, name] = found[index]?.[context] ?? [];
      if (result === 'random') {
        random.count += 1;
        random.expected += probability;
        random.variance += probability * (1 - probability);
        random.found += Number(isOn);
        continue;
      }
      counts[result === 'on' ? 'on' : 'off'] += 1;
      counts.variants += Number(variant !== undefined);
      const isExpected =
        result === 'on' && variant === undefined ? isPossible(toggle, name) : name === (variant ?? 'disabled');
      if (isOn !== (result === 'on') || !isExpected)
        differences.push(`${toggle.name}, context ${context}: ${result} ${variant} and ${isOn} ${name}`);
    }
  expect(differences).toEqual([]);
  // The comparison is worth nothing if most toggles are off.
  const total = counts.on + counts.off;
  expect(Math.min(counts.on, counts.off) / total, JSON.stringify(counts)).toBeGreaterThan(0.1);
  expect(counts.variants / total).toBeGreaterThan(0.05);
  expect(Math.abs(random.found - random.expected), JSON.stringify(random)).toBeLessThan(5 * Math.sqrt(random.variance));
}

/** Returns true if a toggle that is on can have this variant, which is random or absent. */
function isPossible(toggle: Toggle, name: string | undefined): boolean {
  const lists = [toggle.variants, ...toggle.strategies.map(({ variants }) => variants ?? [])];
  const names = lists
    .flat()
    .filter(({ weight }) => weight > 0)
    .map((variant) => variant.name);
  return names.length === 0 ? name === 'disabled' : name !== undefined && [...names, 'disabled'].includes(name);
}
