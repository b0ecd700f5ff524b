// The list of all tags: creating and removing. Tags of one toggle: toggle-tags.spec.ts.

import type { Tag } from '../src/api/generated/types';
import { expect, test } from './support/fixtures';
import type { Flags } from './support/flags';
import { messagesOf, toggleWithTag } from './support/serverMessages';

async function allTags(flags: Flags): Promise<string[]> {
  const { tags } = await flags.get<{ tags: Tag[] }>('admin/tags');
  return tags.map(({ type, value }) => `${type}:${value}`).sort();
}

test('lists tags, reached from the tag types and not from the menu, and links to their toggles [S2-023] [S2-024]', {
  tag: '@tag-filter',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.other' });
  await flags.post('admin/features/shop.basket/tags', { type: 'simple', value: '50 % off?' });
  await page.goto('tag-types');
  await expect(ui.menu.getByRole('link', { name: 'Tags', exact: true })).toHaveCount(0);
  await ui.main.getByRole('link', { name: 'All tags' }).click();
  await expect(page).toHaveURL(/\/tags$/);
  await expect(page).toHaveTitle('Tags - Flagdeck');
  await expect(ui.row('50 % off?')).toContainText('simple');
  await ui.row('50 % off?').getByRole('link', { name: '1 toggle tagged simple: 50 % off?' }).click();
  await ui.expectNames('shop.basket');
});

test('creates a tag of the type simple by default and trims its value [S2-024] [S2-100] [S5-030] [S5-023] [S7-040] [S7-041]', async ({
  page,
  ui,
  flags,
}) => {
  await flags.post('admin/tag-types', { name: 'team', description: 'Who looks after it', icon: 'T' });
  await page.goto('tags');
  await expect(ui.main).toContainText('No tags');
  await ui.main.getByRole('link', { name: 'New tag' }).click();
  await expect(page).toHaveURL(/\/tags\/create$/);
  await expect(page).toHaveTitle('Create - Tags - Flagdeck');
  await expect(page.getByLabel('Type')).toHaveValue('simple');
  await page.getByLabel('Value').fill('  winter sale ');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/\/tags$/);
  await expect(ui.row('winter sale')).toContainText('simple');
  await page.goto('tags/create');
  await page.getByLabel('Type').selectOption('team');
  await expect(ui.main).toContainText('Who looks after it');
  await page.getByLabel('Value').fill('search');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(ui.row('search')).toContainText('team');
  expect(await allTags(flags)).toEqual(['simple:winter sale', 'team:search']);
});

for (const [value, tag] of [
  ['a/b', []],
  ['c#minor & more', '@reach'],
] satisfies [string, string | string[]][]) {
  const title = `removes ${value} and no other tag, after a confirmation that lists its toggles [S8-042] [S7-042]`;
  test(title, { tag }, async ({ page, ui, flags, version }) => {
    await flags.create({ name: 'shop.basket' });
    await flags.post('admin/features/shop.basket/tags', { type: 'simple', value });
    await flags.post('admin/tags', { type: 'simple', value: 'other' });
    await page.goto('tags');
    const remove = page.getByRole('button', { name: `Remove simple: ${value}` });
    await remove.click();
    await expect(ui.dialog).toContainText('Are you sure you want to remove this tag?');
    await expect(ui.dialog).toContainText(toggleWithTag('shop.basket', version));
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(ui.dialog).toBeHidden();
    await remove.click();
    await ui.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(ui.row(value)).toHaveCount(0);
    await expect(ui.row('other')).toBeVisible();
    expect(await allTags(flags)).toEqual(['simple:other']);
  });
}

test('errors of a tag are shown in the form, and the input is kept [S5-031] [S8-017]', async ({
  page,
  ui,
  flags,
  version,
}) => {
  await flags.post('admin/tags', { type: 'simple', value: 'winter' });
  await page.goto('tags/create');
  const create = page.getByRole('button', { name: 'Create' });
  await create.click();
  await expect(page.getByLabel('Value')).toHaveAccessibleDescription('Enter a value.');
  await page.getByLabel('Value').fill('winter');
  await create.click();
  await expect(ui.main.locator('form > [role=alert]')).toContainText(/already exists/);
  await page.getByLabel('Value').fill('x');
  await create.click();
  await expect(ui.main.locator('form > [role=alert]')).toContainText(messagesOf(version).tagTooShort);
  await expect(page.getByLabel('Value')).toHaveValue('x');
  await expect(ui.snackbar).toBeHidden();
});
