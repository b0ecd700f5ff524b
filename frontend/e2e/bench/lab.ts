// Measures the longest task of the page while it evaluates a toggle for 10,000 contexts.

import { type Locator, type Page, test } from '@playwright/test';
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
  await lab.open();
  await lab.openDialog();
  const tasks = {
    paste: await during(page, () => lab.enter(ids.join('\n'))),
    evaluate: await during(page, () => lab.evaluate()),
    edit: await during(page, () => rollout.fill('75')),
    list: await clicking(page, page.getByRole('button', { name: 'Show changed results' })),
    copy: await clicking(page, page.getByRole('button', { name: 'Copy turned on' })),
    review: await closingDialogAndClicking(page, page.getByRole('button', { name: 'Review changes' })),
    replace: await closingDialogAndClicking(page, lab.panel.getByRole('button', { name: 'Replace users' })),
    file: await choosingFile(page, lab, [
      'userId,sessionId,region,plan,platform,version',
      ...ids.map((id) => `${id},"${id}",eu,gold,web,1.2.3`),
    ]),
  };
  await binary.stop();
  process.stdout.write('\n\nLongest task in ms; 0 is less than 50 ms\n');
  for (const [step, ms] of Object.entries(tasks)) process.stdout.write(`${step.padEnd(10)} ${ms}\n`);
});

/** Finds the element before, because a search of the test takes long in a page with a long list. */
async function clicking(page: Page, locator: Locator): Promise<number> {
  await locator.waitFor();
  const button = await locator.elementHandle();
  return during(page, async () => button?.evaluate((element) => (element as HTMLElement).click()));
}

async function closingDialogAndClicking(page: Page, locator: Locator): Promise<number> {
  await page.keyboard.press('Escape');
  return clicking(page, locator);
}

/** Transfers the text to the page before, because that is work of the test. */
async function choosingFile(page: Page, lab: Lab, lines: readonly string[]): Promise<number> {
  const transfer = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'a.csv', { type: 'text/csv' }));
    return transfer;
  }, lines.join('\n'));
  const input = await lab.dialog.getByLabel('Or choose a file').elementHandle();
  return during(page, async () => {
    await input?.evaluate((element, { files }) => {
      Object.assign(element, { files });
      element.dispatchEvent(new Event('change', { bubbles: true }));
    }, transfer);
  });
}

async function during(page: Page, act: () => Promise<unknown>): Promise<number> {
  const [longest] = await Promise.all([longestTask(page, STEP_MS), act()]);
  return longest;
}
