// The list, the variants and the log of a toggle with the keyboard alone.

import { tabTo } from './support/accessibility';
import { entries } from './support/events';
import { expect, test } from './support/fixtures';
import { ONE_TRY } from './support/slowdown';

test.describe.configure({ timeout: 90_000 });

const rollout = (percentage: string) => [
  { name: 'flexibleRollout', parameters: { rollout: percentage, stickiness: 'default', groupId: 'one-page' } },
];

test('j and k move through the list, x selects, e edits and Enter opens a row', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  const { keyboard } = page;
  await flags.createMany('shop.', 40);
  await flags.update('shop.002', { strategies: rollout('50') });
  await page.goto('features');
  await expect(ui.row('shop.000')).toBeVisible();
  const cursor = (name: string) => ui.row(name).getByRole('link', { name, exact: true });
  await expect(async () => {
    await keyboard.press('j');
    await expect(cursor('shop.000')).toBeFocused(ONE_TRY);
  }).toPass();
  for (let row = 1; row < 40; row += 1) await keyboard.press('j');
  await expect(cursor('shop.039')).toBeFocused();
  await expect(ui.row('shop.039')).toBeInViewport({ ratio: 1 });
  for (let row = 39; row > 2; row -= 1) await keyboard.press('k');
  await expect(cursor('shop.002')).toBeFocused();
  // Below the header of the table, which stays at the top.
  const [row, header] = await Promise.all([ui.row('shop.002').boundingBox(), page.locator('thead').boundingBox()]);
  expect(row?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0) - 1);
  await keyboard.press('x');
  await expect(ui.bulk).toContainText('1 selected');
  await keyboard.press('x');
  await expect(ui.bulk).toHaveCount(0);
  await expect(cursor('shop.002')).toBeFocused();
  await keyboard.press('e');
  await expect(page).toHaveURL(/\/features\/strategies\/shop\.002$/);
  await expect(ui.activation.strategy('flexibleRollout').getByRole('spinbutton', { name: 'Rollout' })).toBeFocused();
  // Back does not open the field again, and the cursor is in its row.
  await page.goBack();
  await expect(cursor('shop.002')).toBeFocused();
  await keyboard.press('j');
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/features\/strategies\/shop\.003$/);
  await expect(ui.main.getByRole('heading', { level: 1, name: 'shop.003' })).toBeFocused();
});

test('variants can be added, weighted, filled in, edited and removed with the keyboard alone', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  const { keyboard } = page;
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/strategies/shop.basket');
  await tabTo(ui.tab('Variants'));
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/features\/variants\/shop\.basket$/);
  const add = ui.main.getByRole('button', { name: 'Add variant' });
  await tabTo(add);
  await keyboard.press('Enter');
  const name = ui.dialog.getByLabel('Name', { exact: true });
  await tabTo(name);
  await keyboard.type('blue');
  // Enter in a field submits its form.
  await keyboard.press('Enter');
  await expect(ui.dialog).toBeHidden();
  await expect(ui.variants.row('blue')).toContainText('100 %');

  await tabTo(add);
  await keyboard.press('Enter');
  await tabTo(name);
  await keyboard.type('green');
  await tabTo(ui.dialog.getByRole('radio', { name: 'Variable weight' }));
  await keyboard.press('ArrowRight');
  await tabTo(ui.dialog.getByLabel('Weight in percent'));
  await keyboard.press('Control+a');
  await keyboard.type('12.5');
  await tabTo(ui.dialog.getByLabel('Payload type'));
  await keyboard.press('j');
  await expect(ui.dialog.getByLabel('Payload type')).toHaveValue('json');
  await tabTo(ui.dialog.getByLabel('Payload', { exact: true }));
  await keyboard.type('{"a":1}');
  await tabTo(ui.dialog.getByRole('button', { name: 'Add override' }));
  await keyboard.press('Enter');
  await tabTo(ui.dialog.getByRole('textbox', { name: 'Values' }));
  await keyboard.type('ada,grace,');
  await tabTo(ui.dialog.getByRole('button', { name: 'Save' }));
  await keyboard.press('Enter');
  await expect(ui.dialog).toBeHidden();
  // The focus returns to the button that opened the dialog.
  await expect(add).toBeFocused();
  expect((await flags.find('shop.basket'))?.variants).toMatchObject([
    { name: 'blue', weight: 875, weightType: 'variable' },
    {
      name: 'green',
      weight: 125,
      weightType: 'fix',
      payload: { type: 'json', value: '{"a":1}' },
      overrides: [{ contextName: 'userId', values: ['ada', 'grace'] }],
    },
  ]);

  const edit = ui.main.getByRole('button', { name: 'Edit green' });
  await tabTo(edit);
  await keyboard.press('Enter');
  await tabTo(name);
  await keyboard.press('Control+a');
  await keyboard.type('lime');
  await keyboard.press('Enter');
  await expect(ui.variants.row('lime')).toBeVisible();
  const remove = ui.main.getByRole('button', { name: 'Remove lime' });
  await tabTo(remove);
  await keyboard.press('Enter');
  await expect(ui.dialog).toBeVisible();
  await keyboard.press('Escape');
  await expect(ui.dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await keyboard.press('Enter');
  await tabTo(ui.dialog.getByRole('button', { name: 'Remove' }));
  await keyboard.press('Enter');
  await expect(ui.variants.row('lime')).toHaveCount(0);
  await expect(ui.main.getByRole('heading', { level: 1 })).toBeFocused();
  expect((await flags.find('shop.basket'))?.variants).toMatchObject([{ name: 'blue', weight: 1000 }]);
});

test('the log can be read and a version restored with the keyboard alone', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  const { keyboard } = page;
  await flags.create({ name: 'shop.basket', description: 'Small' });
  await flags.update('shop.basket', { description: 'Large' });
  await page.goto('features/strategies/shop.basket');
  await tabTo(ui.tab('Log'));
  await keyboard.press('Enter');
  const full = ui.main.getByRole('switch', { name: 'Full events' });
  await tabTo(full);
  await keyboard.press('Space');
  await expect(full).toBeChecked();
  await expect(entries(ui).first()).toContainText('"name": "shop.basket"');
  const menu = entries(ui)
    .last()
    .getByRole('button', { name: /^Actions for the event of/ });
  await tabTo(menu);
  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Restore this version' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(ui.dialog).toContainText(/Large.*Small/);
  await tabTo(ui.dialog.locator('summary'));
  await keyboard.press('Enter');
  await expect(ui.dialog).toContainText('before: "Large"');
  await keyboard.press('Escape');
  await expect(ui.dialog).toBeHidden();
  await expect(menu).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Restore this version' })).toBeFocused();
  await keyboard.press('Enter');
  await tabTo(ui.dialog.getByRole('button', { name: 'Restore' }));
  await keyboard.press('Enter');
  await expect(ui.dialog).toBeHidden();
  await expect(entries(ui)).toHaveCount(3);
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'Small' });
});

test('a menu with a filter has the focus before the next key', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/strategies/shop.basket');
  // Keys arrive in later tasks than the one that shows the items. Its microtasks move the focus.
  const watch = await page.evaluateHandle(() => ({
    label: new Promise((resolve) => {
      const observer = new MutationObserver(async () => {
        if (!document.querySelector('[data-highlighted]')) return;
        observer.disconnect();
        for (let microtask = 0; microtask < 10; microtask += 1) await undefined;
        resolve(document.activeElement?.getAttribute('aria-label'));
      });
      observer.observe(document.body, { childList: true, subtree: true, attributes: true });
    }),
  }));
  await ui.activation.addStrategyButton.click();
  expect(await watch.evaluate(({ label }) => label)).toBe('Filter strategies');
});
