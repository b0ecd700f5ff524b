// Concurrent edits of a toggle: merging and conflicts.

import type { BrowserContext, Page } from '@playwright/test';
import { axeViolations } from './support/accessibility';
import { expect, test } from './support/fixtures';
import { Flags } from './support/flags';
import { afterPolls } from './support/polls';
import { Ui } from './support/ui';

const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });
const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
});

async function stored(flags: Flags) {
  return (await flags.find('shop.basket'))?.strategies;
}

/** The first tab has an unsaved rollout of 50 %. `edit` changes and saves the toggle in a second tab. */
async function editInTwoTabs(page: Page, context: BrowserContext, flags: Flags, edit: (other: Ui) => Promise<void>) {
  await flags.create({ name: 'shop.basket', strategies: [rollout('25'), users('ada')] });
  const mine = new Ui(page);
  await mine.activation.open('shop.basket');
  await mine.activation.rolloutField('flexibleRollout').fill('50');
  const other = new Ui(await context.newPage());
  await other.activation.open('shop.basket');
  await edit(other);
  await expect(other.page.getByText('Unsaved')).toHaveCount(0);
  await other.page.close();
}

async function rolloutTo75(other: Ui): Promise<void> {
  await other.activation.rolloutField('flexibleRollout').fill('75');
  await other.activation.saveButton('flexibleRollout').click();
}

test('edits of different cards are merged without a dialog', { tag: '@embedded' }, async ({
  page,
  context,
  ui,
  flags,
}) => {
  await editInTwoTabs(page, context, flags, async (other) => {
    await other.activation.strategy('userWithId').getByLabel('userIds').fill('grace,');
    await other.activation.addStrategy('default');
    await other.activation.saveAll.click();
  });
  await ui.activation.saveButton('flexibleRollout').click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  await expect(ui.activation.titles()).toHaveText(['flexibleRollout', 'userWithId', 'default']);
  await expect(ui.dialog).toHaveCount(0);
  expect(await stored(flags)).toEqual([rollout('50'), users('ada,grace'), { name: 'default', parameters: {} }]);
});

test('edits of the same card are shown side by side, with their author [S7-034]', { tag: '@reach' }, async ({
  page,
  context,
  ui,
  flags,
  backend,
}) => {
  await editInTwoTabs(page, context, flags, rolloutTo75);
  await ui.activation.saveButton('flexibleRollout').click();
  // Without sign-in, the author is always the operator.
  const author = backend === 'upstream' ? 'you' : 'operator';
  await expect(ui.dialog).toContainText(`shop.basket was changed by ${author}`);
  await expect(ui.dialog.getByRole('radio', { name: 'Your version' })).toHaveAccessibleName(/rollout 25 → 50\s%/);
  await expect(ui.dialog.getByRole('radio', { name: 'Saved version' })).toHaveAccessibleName(/rollout 25 → 75\s%/);
  expect(await stored(flags)).toEqual([rollout('75'), users('ada')]);

  await expect(ui.dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await ui.dialog.getByRole('radio', { name: 'Your version' }).check();
  await ui.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('50');
  expect(await stored(flags)).toEqual([rollout('50'), users('ada')]);
});

test('a change of another user appears in the edited rule before the save', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await page.clock.install();
  await flags.create({ name: 'shop.basket', strategies: [rollout('25'), users('ada')] });
  await ui.activation.open('shop.basket');
  await ui.activation.rolloutField('flexibleRollout').fill('50');
  await flags.update('shop.basket', { strategies: [rollout('40'), users('ada,eve')] });
  const rule = ui.activation.strategy('flexibleRollout');
  await afterPolls(page, () =>
    expect(rule).toContainText('operator changed this strategy just now: rollout 25 → 40 %', { timeout: 500 }),
  );
  await expect(ui.activation.strategy('userWithId')).toContainText('ada, eve');
  expect(await axeViolations(page)).toEqual([]);
  await rule.getByRole('button', { name: 'Show' }).click();
  await ui.dialog.getByRole('radio', { name: 'Your version' }).check();
  await ui.dialog.getByRole('button', { name: 'Use this version' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(rule).not.toContainText('changed this strategy');
  expect(await stored(flags)).toEqual([rollout('40'), users('ada,eve')]);
  await ui.activation.saveButton('flexibleRollout').click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect(await stored(flags)).toEqual([rollout('50'), users('ada,eve')]);
});

test.describe('with sign-in', { tag: '@embedded' }, () => {
  test.use({ auth: 'unsecure' });

  test('the dialog names another author, and says you for own changes', async ({
    page,
    ui,
    flags,
    playwright,
    flagdeck,
  }) => {
    const ada = await playwright.request.newContext();
    await ada.post(`${flagdeck.url}api/admin/login`, { data: { email: 'ada@example.com' } });
    await page.goto('features');
    await ui.signInByEmail('grace@example.com');
    await flags.create({ name: 'shop.basket', strategies: [rollout('25')] });
    for (const [other, author] of [
      [new Flags(ada, flagdeck.url), 'by ada@example.com'],
      [flags, 'by you'],
    ] as const) {
      await ui.activation.open('shop.basket');
      await ui.activation.rolloutField('flexibleRollout').fill('50');
      await other.update('shop.basket', { strategies: [rollout(other === flags ? '75' : '60')] });
      await ui.activation.saveButton('flexibleRollout').click();
      await expect(ui.dialog).toContainText(`shop.basket was changed ${author}`);
      await ui.dialog.getByRole('radio', { name: 'Saved version' }).check();
      await ui.dialog.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Unsaved')).toHaveCount(0);
    }
    await ada.dispose();
  });
});
