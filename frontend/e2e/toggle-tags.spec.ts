// The tags of a toggle: adding, removing and failures.

import { expect, test } from './support/fixtures';
import { messagesOf } from './support/serverMessages';

test('a tag can be added, and removed after confirmation [S2-051] [S3-015] [S5-038] [S7-012] [S7-013] [S7-014] [S8-042]', async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/strategies/shop.basket');
  await ui.addTag('  winter ');
  await expect(ui.dialog).toBeHidden();
  await expect(ui.tags).toHaveText(['simple: winter']);
  expect(await flags.tagsOf('shop.basket')).toEqual(['simple:winter']);
  await ui.addTag('spring');
  await expect(ui.tags).toHaveCount(2);

  const remove = page.getByRole('button', { name: 'Remove tag simple: winter' });
  await remove.click();
  await expect(ui.dialog).toContainText('Are you sure you want to remove this tag');
  await expect(ui.dialog).toContainText('simple: winter');
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  expect(await flags.tagsOf('shop.basket')).toHaveLength(2);
  await remove.click();
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(ui.tags).toHaveText(['simple: spring']);
  expect(await flags.tagsOf('shop.basket')).toEqual(['simple:spring']);
});

test('a tag of another type can be added, with suggested values of that type [S5-030] [S9-012] [S7-035] [S7-040]', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.other' });
  await flags.post('admin/tag-types', { name: 'team', description: 'Who looks after it', icon: 'T' });
  await flags.post('admin/features/shop.other/tags', { type: 'team', value: 'search' });
  await page.goto('features/strategies/shop.basket');
  await ui.openAddTag();
  const type = ui.dialog.getByLabel('Type');
  await expect(type).toHaveValue('simple');
  await type.selectOption('team');
  await expect(ui.dialog).toContainText('Who looks after it');
  await expect(ui.dialog.locator('datalist option')).toHaveAttribute('value', 'search');
  await ui.dialog.getByLabel('Value').fill('search');
  await ui.dialog.getByRole('button', { name: 'Add tag' }).click();
  await expect(ui.tags).toHaveText(['team: search']);
  expect(await flags.tagsOf('shop.basket')).toEqual(['team:search']);
});

test('adding and removing a tag can be undone', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/strategies/shop.basket');
  await ui.addTag('winter');
  await expect(ui.tags).toHaveCount(1);
  await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
  await expect(ui.tags).toHaveCount(0);
  await expect.poll(() => flags.tagsOf('shop.basket')).toEqual([]);

  await flags.post('admin/features/shop.basket/tags', { type: 'simple', value: 'spring' });
  await page.reload();
  await page.getByRole('button', { name: 'Remove tag simple: spring' }).click();
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.tags).toHaveCount(0);
  await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
  await expect(ui.tags).toHaveText(['simple: spring']);
  await expect.poll(() => flags.tagsOf('shop.basket')).toEqual(['simple:spring']);
});

for (const [value, tag] of [
  ['a/b', []],
  ['c#minor & more', '@reach'],
] satisfies [string, string | string[]][]) {
  test(`the tag ${value} can be added and removed`, { tag }, async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' });
    await page.goto('features/strategies/shop.basket');
    await ui.addTag(value);
    await expect(ui.tags).toHaveText([`simple: ${value}`]);
    expect(await flags.tagsOf('shop.basket')).toEqual([`simple:${value}`]);
    await page.getByRole('button', { name: `Remove tag simple: ${value}` }).click();
    await ui.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(ui.dialog).toBeHidden();
    await expect(ui.tags).toHaveCount(0);
    expect(await flags.tagsOf('shop.basket')).toEqual([]);
  });
}

test('errors of a tag are shown in the dialog [S5-031] [S8-015] [S8-017]', { tag: '@duplicate-tags' }, async ({
  page,
  ui,
  flags,
  version,
}) => {
  await flags.create({ name: 'shop.basket' });
  await flags.post('admin/features/shop.basket/tags', { type: 'simple', value: 'winter' });
  await page.goto('features/strategies/shop.basket');
  await ui.addTag(' ');
  await expect(ui.dialog.getByRole('alert')).toContainText('Enter a value.');
  await ui.dialog.getByLabel('Value').fill('winter');
  await ui.dialog.getByRole('button', { name: 'Add tag' }).click();
  await expect(ui.dialog.getByRole('alert')).toContainText(/already ha[sd] the tag.*simple:winter/);
  // The input is kept.
  await expect(ui.dialog.getByLabel('Value')).toHaveValue('winter');
  await ui.dialog.getByLabel('Value').fill('x');
  await ui.dialog.getByRole('button', { name: 'Add tag' }).click();
  await expect(ui.dialog.getByRole('alert')).toContainText(messagesOf(version).tagTooShort);
  await expect(ui.snackbar).toBeHidden();
});
