// Measures the longest task of the page while it evaluates a toggle for 10,000 contexts.

import { type Page, test } from '@playwright/test';
import { startBinary } from '../support/binary';
import { Flags } from '../support/flags';
import { Lab } from '../support/lab';
import { longestTask } from './probes';

const COUNT = 10_000;
const STEP_MS = 3_000;
const GROUP = 'shop.basket';
const ROLLOUT = { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'userId', groupId: GROUP } };

test('a population', async ({ browser }) => {
  const binary = await startBinary('--data', ':memory:', '--log-level', 'warn');
  const context = await browser.newContext({ baseURL: binary.url });
  await new Flags(context.request, binary.url).create({ name: GROUP, strategies: [ROLLOUT] });
  const page = await context.newPage();
  await page.goto(`features/strategies/${GROUP}`);
  const lab = new Lab(page);
  const rollout = page.getByLabel('Rollout', { exact: true });
  const ids = Array.from({ length: COUNT }, (_, index) => `user-${index}`);
  await lab.button.click();
  await lab.openDialog();
  const tasks = {
    paste: await during(page, () => lab.enter(ids.join('\n'))),
    evaluate: await during(page, () => lab.evaluate()),
    edit: await during(page, () => rollout.fill('75')),
    list: await during(page, () => page.getByRole('button', { name: 'Show changed results' }).click()),
    copy: await during(page, () => page.getByRole('button', { name: 'Copy turned on' }).click()),
    review: await during(page, async () => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Review changes' }).click();
    }),
    file: await during(page, async () => {
      await page.keyboard.press('Escape');
      await lab.panel.getByRole('button', { name: 'Replace population' }).click();
      const rows = ids.map((id) => `${id},"${id}",eu,gold,web,1.2.3`);
      const buffer = Buffer.from(['userId,sessionId,region,plan,platform,version', ...rows].join('\n'));
      await lab.dialog.getByLabel('Or choose a file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
    }),
  };
  await binary.stop();
  process.stdout.write('\n\nLongest task in ms; 0 is less than 50 ms\n');
  for (const [step, ms] of Object.entries(tasks)) process.stdout.write(`${step.padEnd(10)} ${ms}\n`);
});

async function during(page: Page, act: () => Promise<void>): Promise<number> {
  const [longest] = await Promise.all([longestTask(page, STEP_MS), act()]);
  return longest;
}
