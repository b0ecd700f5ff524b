// The panel of the activation tab that evaluates a toggle for one context, with reasons, on the real server. Its states:
// ../src/features/toggles/lab/labPage.test.tsx.

import { tabTo } from './support/accessibility';
import { expect, test } from './support/fixtures';
import { bucketOf, Lab } from './support/lab';

const GROUP = 'shop.basket';
const rollout = (percent: string, ...values: string[]) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'userId', groupId: GROUP },
  ...(values.length > 0 && { constraints: [{ contextName: 'environment', operator: 'IN', values }] }),
});
const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });

/** Ids that a rollout of 50 % leaves out. */
const LEFT_OUT = 'user-0';
const LISTED = 'user-2';

test('shows the result of a context, the deciding strategy and the reason of each constraint', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: GROUP, strategies: [rollout('50', 'eu', 'us'), users(LISTED)] });
  await ui.activation.open(GROUP);
  const lab = new Lab(page);
  await lab.open();
  await expect(lab.result).toContainText('No rule matches.');
  await expect(ui.activation.strategy('userWithId')).toContainText('userId is missing');
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url().split('#')[0] ?? ''));
  await lab.fill('userId', LEFT_OUT);
  await lab.fill('environment', 'eu');
  const card = ui.activation.strategy('flexibleRollout');
  const bucket = bucketOf(LEFT_OUT, GROUP);
  const verdict = `${LEFT_OUT} is at ${bucket} of 100, above the rollout of 50 %`;
  await expect(card).toContainText(`Off ${verdict}`);
  await expect(lab.result).toContainText(verdict);
  await expect(lab.result).toContainText('Matches: environment is eu');
  await expect(ui.activation.strategy('userWithId')).toContainText(`Off ${LEFT_OUT} is not listed`);
  await expect(lab.result).not.toContainText('ASCII');
  await lab.fill('userId', 'jürgen');
  await expect(lab.result).toContainText('hashes letters outside ASCII differently: jürgen');
  await lab.fill('userId', LISTED);
  await expect(lab.result).toContainText('Rule 2 matches.');
  await expect(lab.result).toContainText('Result: On');
  await lab.fill('environment', 'asia');
  await expect(card).toContainText('Off environment asia is not one of eu, us');
  await expect(lab.result).toContainText('Does not match: environment is asia');
  // The context is in the fragment, which no request contains.
  await expect(page).toHaveURL(new RegExp(`#(?=.*userId=${LISTED})(?=.*environment=asia)`));
  await page.reload();
  await expect(lab.result).toContainText('Rule 2 matches.');
  expect(urls.filter((url) => url.includes(LISTED) || url.includes('asia'))).toEqual([]);
});

test('the panel works with the keyboard alone, at 360 px below the strategies', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await flags.create({ name: GROUP, strategies: [users('ada')] });
  await ui.activation.open(GROUP);
  const lab = new Lab(page);
  const top = async (one: typeof lab.panel) => (await one.boundingBox())?.y ?? 0;
  expect(await top(lab.panel)).toBeGreaterThan(await top(ui.activation.strategy('userWithId')));
  await tabTo(lab.field('userId'));
  await page.keyboard.type('ada');
  await page.keyboard.press('Enter');
  await expect(lab.result).toContainText('Result: On');
  await tabTo(lab.panel.getByRole('button', { name: 'Compare users' }));
  await page.keyboard.press('Enter');
  await tabTo(lab.panel.getByRole('button', { name: 'Add users' }));
  await page.keyboard.press('Enter');
  await tabTo(lab.dialog.getByLabel('Contexts'));
  await page.keyboard.type('ada\ngrace');
  await tabTo(lab.dialog.getByRole('button', { name: 'Evaluate' }));
  await page.keyboard.press('Enter');
  await expect(lab.summary).toHaveText('On for 1 of these 2.');
});
