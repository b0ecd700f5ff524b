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

test('edits of the same card are shown side by side, with their author [S7-034]', async ({
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

test('a conflict names the added and removed values of lists, constraints and overrides', { tag: '@embedded' }, async ({
  page,
  context,
  ui,
  flags,
}) => {
  const limited = (userIds: string, region: string) => ({
    ...users(userIds),
    constraints: [{ contextName: 'environment', operator: 'IN', values: [region] }],
  });
  await flags.create({ name: 'shop.basket', strategies: [limited('ada,bob', 'prod')] });
  await ui.activation.open('shop.basket');
  const card = ui.activation.strategy('userWithId');
  await card.getByLabel('userIds').fill('grace,');
  await card.getByRole('button', { name: 'Remove bob' }).click();
  await ui.activation.constraintSentence('userWithId').click();
  await card.getByRole('textbox', { name: 'Values' }).fill('test,');
  await flags.update('shop.basket', { strategies: [limited('ada,bob,eve', 'stage')] });
  await ui.activation.saveButton('userWithId').click();
  const mine = ui.dialog.getByRole('radio', { name: 'Your version' });
  const theirs = ui.dialog.getByRole('radio', { name: 'Saved version' });
  await expect(mine).toHaveAccessibleName(/userIds: \+\sgrace, −\sbob.*environment is one of: \+\stest/);
  await expect(theirs).toHaveAccessibleName(/userIds: \+\seve.*environment is one of: \+\sstage, −\sprod/);
  await ui.dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(ui.dialog).toBeHidden();

  const blue = (...values: string[]) => ({
    name: 'blue',
    weight: 1000,
    weightType: 'variable',
    overrides: [{ contextName: 'userId', values }],
  });
  await flags.update('shop.basket', { strategies: [users('ada')], variants: [blue('ada')] });
  const other = new Ui(await context.newPage());
  await other.page.goto('features/variants/shop.basket');
  await other.variants.open('blue');
  await other.dialog.getByRole('textbox', { name: 'Values' }).fill('grace,');
  await flags.update('shop.basket', { variants: [blue('ada', 'eve')] });
  await other.variants.save();
  await expect(other.page.getByRole('radio', { name: 'Your version' })).toHaveAccessibleName(
    /override userId: \+\sgrace/,
  );
  await expect(other.page.getByRole('radio', { name: 'Saved version' })).toHaveAccessibleName(
    /override userId: \+\seve/,
  );
  await other.page.close();
  await page.close();
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

test('the saved version can be kept instead', { tag: '@embedded' }, async ({ page, context, ui, flags }) => {
  await editInTwoTabs(page, context, flags, rolloutTo75);
  await ui.activation.strategy('userWithId').getByLabel('userIds').fill('grace,');
  await ui.activation.saveAll.click();
  await ui.dialog.getByRole('radio', { name: 'Saved version' }).check();
  await ui.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('75');
  expect(await stored(flags)).toEqual([rollout('75'), users('ada,grace')]);
});

test('cancelling saves nothing and keeps the edits', { tag: '@embedded' }, async ({ page, context, ui, flags }) => {
  await editInTwoTabs(page, context, flags, rolloutTo75);
  await ui.activation.saveButton('flexibleRollout').click();
  await ui.dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(ui.activation.unsavedCards).toBeVisible();
  await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('50');
  expect(await stored(flags)).toEqual([rollout('75'), users('ada')]);
});

test('a further change while the dialog is open shows the dialog again', { tag: '@embedded' }, async ({
  page,
  context,
  ui,
  flags,
}) => {
  await editInTwoTabs(page, context, flags, rolloutTo75);
  await ui.activation.saveButton('flexibleRollout').click();
  await ui.dialog.getByRole('radio', { name: 'Your version' }).check();
  await flags.update('shop.basket', { strategies: [rollout('90'), users('ada')] });
  await ui.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(ui.dialog.getByRole('radio', { name: 'Saved version' })).toHaveAccessibleName(/rollout 25 → 90\s%/);
  expect(await stored(flags)).toEqual([rollout('90'), users('ada')]);
  await ui.dialog.getByRole('radio', { name: 'Your version' }).check();
  await ui.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect(await stored(flags)).toEqual([rollout('50'), users('ada')]);
});

test('a card that another user removed can be restored', { tag: '@embedded' }, async ({ page, context, ui, flags }) => {
  await editInTwoTabs(page, context, flags, async (other) => {
    await other.activation.choose('flexibleRollout', 'Remove');
    await other.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(other.activation.titles()).toHaveText(['userWithId']);
  });
  await ui.activation.saveButton('flexibleRollout').click();
  await expect(ui.dialog.getByRole('radio', { name: 'Saved version' })).toHaveAccessibleName(/removed/);
  await ui.dialog.getByRole('radio', { name: 'Your version' }).check();
  await ui.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await stored(flags))?.map(({ name }) => name).sort()).toEqual(['flexibleRollout', 'userWithId']);
});

test('removing a card that another user changed shows the conflict', { tag: '@embedded' }, async ({
  page,
  context,
  ui,
  flags,
}) => {
  await editInTwoTabs(page, context, flags, rolloutTo75);
  await ui.activation.choose('flexibleRollout', 'Remove');
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  const conflict = page.getByRole('dialog', { name: /changed while you were editing|changed this toggle elsewhere/ });
  await conflict.getByRole('radio', { name: 'Your version' }).check();
  await conflict.getByRole('button', { name: 'Save' }).click();
  await expect(ui.dialog).toHaveCount(0);
  await expect(ui.activation.titles()).toHaveText(['userWithId']);
  expect(await stored(flags)).toEqual([users('ada')]);
});

test('a conflict in a field keeps the form open until it is resolved', { tag: '@embedded' }, async ({ ui, flags }) => {
  await flags.create({ name: 'shop.basket', description: 'Small' });
  await ui.activation.open('shop.basket');
  await ui.main.getByRole('button', { name: 'Edit description' }).click();
  await ui.main.getByRole('textbox', { name: 'Description' }).fill('Larger');
  await flags.update('shop.basket', { description: 'Largest', stale: true });
  await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(ui.dialog.getByRole('radio', { name: 'Your version' })).toHaveAccessibleName(/“Larger”/);
  await expect(ui.dialog.getByRole('radio', { name: 'Saved version' })).toHaveAccessibleName(/“Largest”/);
  await ui.dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(ui.main.getByRole('textbox', { name: 'Description' })).toHaveValue('Larger');
  await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
  await ui.dialog.getByRole('radio', { name: 'Your version' }).check();
  await ui.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(ui.main.getByRole('textbox', { name: 'Description' })).toHaveCount(0);
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'Larger', stale: true });
});

test('undo does not overwrite later changes of other users', { tag: '@embedded' }, async ({ ui, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [rollout('25')] });
  await ui.activation.open('shop.basket');
  await ui.activation.rolloutField('flexibleRollout').fill('50');
  await ui.activation.saveButton('flexibleRollout').click();
  await expect.poll(() => stored(flags)).toEqual([rollout('50')]);
  await flags.update('shop.basket', { strategies: [rollout('60')] });
  await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
  await expect(ui.snackbar).toContainText('Could not undo: shop.basket has changed since');
  expect(await stored(flags)).toEqual([rollout('60')]);
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
