// The flight recorder against a client library: the evaluation as of an earlier time has the results that the library had then.

import type { PastState } from '../src/api/generated/types';
import { runCommand } from './support/binary';
import type { Context, Toggle } from './support/evaluationCases';
import { evaluateWith, type LibraryResult } from './support/evaluationLibraries';
import { ALL_CASES, test as base, compare, evaluate } from './support/evaluationScenario';
import { expect } from './support/fixtures';
import type { NewToggle, StoredStrategy } from './support/flags';
import { Random } from './support/random';
import { recorderSettings } from './support/recorder';
import { Application } from './support/sdk';

/** Rounds of edits, edited toggles of each, contexts, and results of each round that are compared with those of the command. */
const [ROUNDS, EDITS, CONTEXTS, SAMPLES] = ALL_CASES ? [5, 25, 50, 10] : [2, 6, 10, 2];

const test = base.extend({
  settings: async ({ backend }, use) => {
    const replica = backend === 'upstream' ? ['--replica', '--replica-refresh', '100ms'] : [];
    await use(recorderSettings(...replica));
  },
});

test.use({ durable: true });
test.describe.configure({ timeout: ALL_CASES ? 600_000 : 120_000 });

/** Results of the library at a time. */
interface LogEntry {
  at: string;
  results: LibraryResult[][];
}

/** Context fields as arguments of `flagdeck why`. */
function toArguments({ properties, ...fields }: Context): string[] {
  return Object.entries({ ...fields, ...properties }).map(([name, value]) => `${name}=${value}`);
}

test.describe('the evaluation as of an earlier time', { tag: ['@recorder-edits', '@ci'] }, () => {
  test('has the results that a client library had then', async ({
    page,
    scenario,
    flagdeck,
    flags,
    realServer,
    settings,
  }, testInfo) => {
    const random = new Random(1);
    const data = realServer ? settings.slice(-2) : ['--data', testInfo.outputPath('flags.db')];
    const { names } = scenario.task;
    const contexts = scenario.task.contexts.slice(0, CONTEXTS);
    const token = realServer?.clientToken;
    const headers = token === undefined ? {} : { authorization: token };
    const application = await Application.start(6, flagdeck.url, testInfo.outputPath(), 'shop', headers, {
      refreshInterval: 100,
    });
    const { unleash } = application;

    const log: LogEntry[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round > 0) {
        for (let count = 0; count < EDITS; count += 1) {
          // Definitions of another toggle, which the server accepts.
          const { enabled, strategies, variants } = random.pick(scenario.toggles);
          const changes = random.pick<Partial<NewToggle>>([
            { strategies: strategies as StoredStrategy[] },
            { variants },
            { enabled },
          ]);
          await flags.update(random.pick(names), changes);
        }
      }
      // The library has all edits if it has the last one.
      await flags.create({ name: `round-${round}` });
      await expect.poll(() => unleash.isEnabled(`round-${round}`), { intervals: [50] }).toBe(true);
      // The library reads no other definitions during the evaluation, which is synchronous.
      log.push({ at: new Date().toISOString(), results: evaluateWith(unleash, { names, contexts }) });
    }
    unleash.destroy();
    expect(application.errors).toEqual([]);

    let differing = 0;
    for (const [round, { at, results }] of log.entries()) {
      const { features }: PastState = await (await page.request.get(`-/state?at=${encodeURIComponent(at)}`)).json();
      const found = new Map((features as unknown as Toggle[]).map((toggle) => [toggle.name, toggle]));
      const toggles = names.map((name) => ({ variants: [], ...found.get(name) }) as Toggle);
      const expected = await evaluate(page.request, toggles, { contexts }, { at });
      compare(toggles, expected, results);
      if (round > 0) differing += JSON.stringify(results) === JSON.stringify(log[round - 1]?.results) ? 0 : 1;

      for (let sample = 0; sample < SAMPLES; sample += 1) {
        const [toggle, context] = [random.below(names.length), random.below(contexts.length)];
        const [name = '', fields] = [names[toggle], contexts[context]];
        const { output, errors } = await runCommand(
          'why',
          name,
          ...(fields ? toArguments(fields) : []),
          '--at',
          at,
          '--json',
          ...data,
        );
        expect(errors).toBe('');
        const { result, variant } = JSON.parse(output);
        // The command evaluates for no host.
        if (result === 'application') continue;
        const { result: wanted, variant: wantedVariant } = expected[toggle]?.[context] ?? {};
        expect({ result, variant }, `${name} at ${at}`).toEqual({ result: wanted, variant: wantedVariant });
      }
    }
    expect(differing, 'rounds whose edits change results').toBe(ROUNDS - 1);
  });
});
