// The activation tab: axe violations in each state, and keyboard use.

import { axeViolations, LOOKS, tabTo } from './support/accessibility';
import { expect, test } from './support/fixtures';

test.describe.configure({ timeout: 120_000 });

const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
});

test('axe reports no violations for unsaved cards, the review and the conflict dialog', {
  tag: ['@embedded', '@ci'],
}, async ({ page, ui, flags }) => {
  const strategies = [rollout('25'), { name: 'userWithId', parameters: { userIds: 'ada,grace' } }, { name: 'gone' }];
  await flags.create({ name: 'shop.basket', strategies });
  for (const [index, { colorScheme, width }] of LOOKS.entries()) {
    const look = `${colorScheme} at ${width}`;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await ui.activation.open('shop.basket');
    await ui.activation.rolloutField('flexibleRollout').fill('50');
    await ui.activation.addStrategy('default');
    await ui.activation.strategy('default').getByRole('button', { name: 'Add constraint' }).click();
    await expect(ui.activation.constraintItem('userId')).toBeVisible();
    expect(await axeViolations(page), `fields, ${look}`).toEqual([]);
    await ui.activation.constraintItem('environment').click();
    expect(await axeViolations(page), `unsaved, ${look}`).toEqual([]);
    await ui.activation.strategy('default').getByRole('button', { name: 'Add constraint' }).click();
    await ui.activation.constraintItem('From / until…').click();
    await ui.dialog.getByLabel('Until', { exact: true }).fill('2126-12-24T00:00');
    expect(await axeViolations(page), `from and until, ${look}`).toEqual([]);
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(ui.dialog).toBeHidden();
    await ui.activation.strategy('default').getByRole('textbox', { name: 'Values' }).fill('dev,');
    await ui.tab('Metrics').click();
    await expect(ui.leaveDialog).toBeVisible();
    expect(await axeViolations(page), `leaving, ${look}`).toEqual([]);
    await ui.stay();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await expect(ui.dialog).toContainText('Impact');
    expect(await axeViolations(page), `review, ${look}`).toEqual([]);
    await ui.dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(ui.dialog).toBeHidden();
    await flags.update('shop.basket', { strategies: [rollout(`${60 + index}`), ...strategies.slice(1)] });
    await ui.activation.saveButton('flexibleRollout').click();
    await ui.dialog.getByRole('radio', { name: 'Your version' }).check();
    expect(await axeViolations(page), `conflict, ${look}`).toEqual([]);
    await flags.update('shop.basket', { strategies });
    await page.getByRole('button', { name: 'Keep editing' }).click();
    page.once('dialog', (dialog) => dialog.accept());
  }
});

test('adding, editing, saving and removing work with the keyboard alone', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  const { keyboard } = page;
  await flags.create({ name: 'shop.basket' });
  await ui.activation.open('shop.basket');
  await tabTo(ui.activation.addStrategyButton);
  await keyboard.press('Enter');
  await expect(ui.activation.addStrategyMenu.getByRole('combobox')).toBeFocused();
  await tabTo(ui.activation.replaceRules, 'Shift+Tab');
  await keyboard.press('Space');
  await tabTo(ui.activation.addStrategyMenu.getByRole('combobox'));
  await keyboard.type('flex');
  await keyboard.press('Enter');
  const card = ui.activation.strategy('flexibleRollout');
  await expect(ui.activation.rolloutField('flexibleRollout')).toBeFocused();
  await keyboard.press('Shift+Tab');
  await expect(card.getByRole('slider')).toBeFocused();
  for (let presses = 0; presses < 5; presses += 1) await keyboard.press('ArrowLeft');
  await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('95');
  await tabTo(card.getByRole('button', { name: 'Add constraint' }), 'Shift+Tab');
  await keyboard.press('Enter');
  await expect(ui.activation.highlightedItem).toBeVisible();
  await keyboard.type('userI');
  await expect(ui.activation.highlightedItem).toHaveAccessibleName('userId');
  await keyboard.press('Enter');
  await expect(card.getByRole('textbox', { name: 'Values' })).toBeFocused();
  await keyboard.type('dev,test');
  await tabTo(ui.activation.saveAll);
  await keyboard.press('Enter');
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies?.[1]).toEqual({
    name: 'flexibleRollout',
    parameters: { rollout: '95', stickiness: 'default', groupId: 'shop.basket' },
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['dev', 'test'] }],
  });
  await tabTo(ui.activation.menuButton('flexibleRollout'));
  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Copy as JSON' })).toBeFocused();
  await keyboard.press('End');
  await keyboard.press('Enter');
  await expect(ui.dialog).toBeVisible();
  await tabTo(ui.dialog.getByRole('button', { name: 'Remove' }));
  await keyboard.press('Enter');
  await expect(ui.activation.titles()).toHaveText(['default']);
});
