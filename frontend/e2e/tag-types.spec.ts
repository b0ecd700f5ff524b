// Tag types: the list, creating, editing and removing.

import type { Locator } from '@playwright/test';
import type { TagType } from '../src/api/generated/types';
import { tabTo } from './support/accessibility';
import { expect, stubTest, test } from './support/fixtures';
import type { Flags } from './support/flags';
import { toggleWithTag } from './support/serverMessages';

const TEAM: TagType = { name: 'team', description: 'Who looks after it', icon: 'T' };

async function typesOf(flags: Flags): Promise<TagType[]> {
  return (await flags.get<{ tagTypes: TagType[] }>('admin/tag-types')).tagTypes;
}

/** Red component of the text colour minus the larger of the other two, from 0 to 255. */
function redness(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const canvas = document.createElement('canvas').getContext('2d');
    if (!canvas) throw new Error('no canvas');
    canvas.fillStyle = getComputedStyle(element).color;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return red - Math.max(green, blue);
  });
}

test('lists tag types, reached from the menu [S2-021] [S3-016] [S7-035]', { tag: '@reach' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.post('admin/tag-types', TEAM);
  await flags.post('admin/tags', { type: 'team', value: 'search' });
  await page.goto('features');
  await ui.menu.getByRole('link', { name: 'Tag types' }).click();
  await expect(page).toHaveURL(/\/tag-types$/);
  await expect(page).toHaveTitle('Tag types - Flagdeck');
  await expect(ui.row('simple')).toContainText('0 tags');
  await expect(ui.row('team')).toContainText('Who looks after it');
  await expect(ui.row('team')).toContainText('1 tag');
});

test('creates a tag type [S2-022] [S2-098] [S2-099] [S3-016] [S5-023] [S7-037]', async ({ page, ui, flags }) => {
  await page.goto('tag-types');
  await ui.main.getByRole('link', { name: 'New tag type' }).click();
  await expect(page).toHaveURL(/\/tag-types\/create$/);
  await expect(page).toHaveTitle('Create - Tag types - Flagdeck');
  await expect(ui.nameField).toHaveAttribute('placeholder', 'url-friendly-unique-name');
  await ui.nameField.pressSequentially(' te am ');
  await expect(ui.nameField).toHaveValue('team');
  await page.getByLabel('Description').fill('  Who looks after it ');
  await page.getByLabel('Icon').fill(' T ');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/\/tag-types$/);
  await expect(ui.row('team')).toContainText('Who looks after it');
  expect(await typesOf(flags)).toContainEqual(TEAM);
});

test('validates a new name on the server when its field loses focus [S5-028] [S7-036]', async ({ page, ui }) => {
  await page.goto('tag-types/create');
  for (const [name, message] of [
    ['simple', /tag.type.*simple/],
    ['a/b', /URL friendly/],
  ] as const) {
    const validated = page.waitForRequest('**/api/admin/tag-types/validate');
    await ui.nameField.fill(name);
    await ui.nameField.blur();
    expect((await validated).postDataJSON()).toEqual({ name });
    await expect(ui.nameField).toHaveAccessibleDescription(message);
  }
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/\/tag-types\/create$/);
});

test('edits a tag type without validating its name [S2-022] [S5-028] [S7-038]', async ({ page, ui, flags }) => {
  await flags.post('admin/tag-types', TEAM);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto('tag-types');
  await ui.row('team').getByRole('link', { name: 'Edit team' }).click();
  await expect(page).toHaveURL(/\/tag-types\/edit\/team$/);
  await expect(ui.nameField).toHaveValue('team');
  await expect(ui.nameField).not.toBeEditable();
  await ui.nameField.focus();
  await page.getByLabel('Description').fill('Who answers the phone');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/tag-types$/);
  await expect(ui.row('team')).toContainText('Who answers the phone');
  expect(await typesOf(flags)).toContainEqual({ ...TEAM, description: 'Who answers the phone' });
  expect(requests.filter((url) => url.endsWith('/validate'))).toEqual([]);
});

test('removes a tag type after a confirmation that lists its toggles [S8-041] [S7-039]', async ({
  page,
  ui,
  flags,
  version,
}) => {
  await flags.post('admin/tag-types', TEAM);
  await flags.create({ name: 'shop.basket' });
  await flags.post('admin/features/shop.basket/tags', { type: 'team', value: 'search' });
  await page.goto('tag-types');
  const remove = ui.row('team').getByRole('button', { name: 'Remove team' });
  await remove.click();
  await expect(ui.dialog).toContainText('Are you sure you want to remove this tag type?');
  await expect(ui.dialog).toContainText(toggleWithTag('shop.basket', version));
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await remove.click();
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.row('team')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Tag types' })).toBeFocused();
  expect((await typesOf(flags)).map(({ name }) => name)).toEqual(['simple']);
  expect(await flags.tagsOf('shop.basket')).toEqual([]);
});

test('creating, editing and removing work with the keyboard alone', { tag: '@embedded' }, async ({ page, ui }) => {
  const { keyboard } = page;
  await page.goto('tag-types');
  await tabTo(ui.main.getByRole('link', { name: 'New tag type' }));
  await keyboard.press('Enter');
  await tabTo(ui.nameField);
  await keyboard.type('team');
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/tag-types$/);
  await tabTo(ui.row('team').getByRole('link', { name: 'Edit team' }));
  await keyboard.press('Enter');
  await tabTo(page.getByLabel('Description'));
  await keyboard.type('Owner');
  await tabTo(page.getByRole('button', { name: 'Save' }));
  await keyboard.press('Enter');
  await expect(ui.row('team')).toContainText('Owner');
  await tabTo(ui.row('team').getByRole('button', { name: 'Remove team' }));
  await keyboard.press('Enter');
  await tabTo(ui.dialog.getByRole('button', { name: 'Remove' }));
  await keyboard.press('Enter');
  await expect(ui.row('team')).toHaveCount(0);
});

stubTest.describe('with stubbed responses', { tag: '@stub' }, () => {
  const TYPES = { body: { version: 1, tagTypes: [{ ...TEAM, more: 'kept' }] } };

  stubTest.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/tag-types', TYPES);
    stub.respond('GET /api/admin/tags', { body: { version: 1, tags: [] } });
  });

  stubTest('a failed save shows the message in red above the buttons [S5-029] [S8-016]', async ({ page, ui, stub }) => {
    const taken = { status: 409, body: { isJoi: true, details: [{ message: 'There already is a team' }] } };
    stub.respond('POST /api/admin/tag-types/validate', { status: 200 });
    stub.respond('POST /api/admin/tag-types', taken);
    await page.goto('tag-types/create');
    await ui.nameField.fill('team');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(ui.main.locator('form > [role=alert]')).toHaveText('There already is a team');
    await expect(ui.main.locator('form > [role=alert]')).toBeFocused();
    expect(await redness(ui.main.locator('form > [role=alert]'))).toBeGreaterThan(60);
    await expect(ui.nameField).toHaveValue('team');
    await expect(ui.snackbar).toBeHidden();
  });
});
