// The evaluation (`POST /-/evaluate`) against client libraries that read the same toggles from the embedded flag service.

import { existsSync } from 'node:fs';
import type { Strategy, Toggle } from './support/evaluationCases';
import { evaluateWithNode, evaluateWithPython, PYTHON } from './support/evaluationLibraries';
import { compare, evaluate, test } from './support/evaluationScenario';

/** Returns true if libraries of version 3 evaluate the toggle completely. */
function isKnownToVersion3(toggle: Toggle): boolean {
  const isKnown = ({ constraints = [], segments = [], variants = [] }: Strategy) =>
    segments.length + variants.length === 0 &&
    constraints.every(({ operator, inverted }) => !inverted && ['IN', 'NOT_IN'].includes(operator));
  return !toggle.dependencies?.length && toggle.strategies.every(isKnown);
}

test.use({ durable: true });
test.describe.configure({ timeout: 120_000 });

test.describe('client libraries have the results of the evaluation', { tag: ['@embedded', '@ci'] }, () => {
  test('Node 6', async ({ page, scenario }, testInfo) => {
    const { toggles, task } = scenario;
    const expected = await evaluate(page.request, toggles, task);
    compare(toggles, expected, await evaluateWithNode(6, testInfo.outputPath(), task));
  });

  for (const major of [3, 4] as const)
    test(`Node ${major}, with the old variants`, async ({ page, scenario }, testInfo) => {
      const toggles = scenario.toggles.filter(isKnownToVersion3);
      const task = { ...scenario.task, names: toggles.map(({ name }) => name) };
      const expected = await evaluate(page.request, toggles, task, { variantSeed: 0 });
      compare(toggles, expected, await evaluateWithNode(major, testInfo.outputPath(), task));
    });

  test('Python', async ({ page, scenario }, testInfo) => {
    testInfo.skip(!existsSync(PYTHON), 'the Python client library is not installed');
    const { toggles, task } = scenario;
    // This library does not know the name of its host.
    const expected = await evaluate(page.request, toggles, task, { host: '' });
    compare(toggles, expected, await evaluateWithPython(task));
  });
});
