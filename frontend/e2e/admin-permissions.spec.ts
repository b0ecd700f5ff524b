// Controls and API access of users with one permission: context fields, projects, tag types, tags and addons.

import { expect, test } from './support/fixtures';
import { Flags } from './support/flags';
import { signInWith } from './support/users';

const NOUNS = [
  {
    kind: 'CONTEXT_FIELD',
    proves: '[S6-011]',
    path: 'context',
    noun: 'context field',
    item: { name: 'region', description: '' },
    other: { name: 'plan', description: '' },
    row: 'region',
    remove: 'Remove region',
    address: 'context/region',
  },
  {
    kind: 'PROJECT',
    proves: '[S6-012]',
    path: 'projects',
    noun: 'project',
    item: { id: 'web', name: 'Web', description: '' },
    other: { id: 'shop', name: 'Shop', description: '' },
    row: 'Web',
    remove: 'Remove web',
    address: 'projects/web',
  },
  {
    kind: 'TAG_TYPE',
    proves: '[S6-013]',
    path: 'tag-types',
    noun: 'tag type',
    item: { name: 'team', description: '', icon: 'T' },
    other: { name: 'ticket', description: '', icon: 'T' },
    row: 'team',
    remove: 'Remove team',
    address: 'tag-types/team',
  },
  {
    kind: 'TAG',
    proves: '[S6-014]',
    path: 'tags',
    noun: 'tag',
    item: { type: 'simple', value: 'winter' },
    other: { type: 'simple', value: 'spring' },
    row: 'winter',
    remove: 'Remove simple: winter',
    address: 'tags/simple/winter',
  },
] as const;

test.describe('a user', { tag: '@embedded' }, () => {
  test.use({ auth: 'password', durable: true });

  for (const { kind, proves, path, noun, item, other, row, remove, address } of NOUNS) {
    test(`with CREATE_${kind} can only create, with DELETE_${kind} can only delete ${proves}`, async ({
      page,
      ui,
      context,
      flagdeck,
      playwright,
    }) => {
      const admin = await playwright.request.newContext();
      await signInWith(admin, flagdeck, 'ADMIN');
      await new Flags(admin, flagdeck.url).post(`admin/${path}`, item);
      await admin.dispose();
      const api = `${flagdeck.url}api/admin/`;

      await signInWith(context.request, flagdeck, `CREATE_${kind}`);
      await page.goto(path);
      await expect(ui.row(row).getByRole('button', { name: remove })).toBeDisabled();
      await expect(ui.main.getByRole('link', { name: `New ${noun}` })).toBeVisible();
      expect((await context.request.delete(api + address)).status()).toBe(403);
      expect((await context.request.post(api + path, { data: other })).status()).toBe(201);

      await signInWith(context.request, flagdeck, `DELETE_${kind}`);
      await page.goto(path);
      await expect(ui.main.getByRole('button', { name: `New ${noun}` })).toBeDisabled();
      await expect(ui.main.getByRole('link', { name: `New ${noun}` })).toHaveCount(0);
      expect((await context.request.post(api + path, { data: { ...other, id: 'no', name: 'no' } })).status()).toBe(403);
      await page.goto(`${path}/create`);
      await expect(page.getByRole('button', { name: 'Create' })).toHaveAccessibleDescription(
        new RegExp(`CREATE_${kind}`),
      );
      await page.goto(path);
      await ui.row(row).getByRole('button', { name: remove }).click();
      await ui.dialog.getByRole('button', { name: 'Remove' }).click();
      await expect(ui.row(row)).toHaveCount(0);
    });
  }

  for (const { path, permission, address, item } of [
    {
      path: 'context/edit/userId',
      permission: 'UPDATE_CONTEXT_FIELD',
      address: 'context/userId',
      item: NOUNS[0].item,
    },
    { path: 'projects/edit/default', permission: 'UPDATE_PROJECT', address: 'projects/default', item: NOUNS[1].item },
    {
      path: 'tag-types/edit/simple',
      permission: 'UPDATE_TAG_TYPE',
      address: 'tag-types/simple',
      item: NOUNS[2].item,
    },
  ]) {
    test(`needs ${permission} to save an edit`, async ({ page, context, flagdeck }) => {
      await signInWith(context.request, flagdeck, 'CREATE_TAG_TYPE', 'CREATE_PROJECT');
      expect((await context.request.put(`${flagdeck.url}api/admin/${address}`, { data: item })).status()).toBe(403);
      await page.goto(path);
      const save = page.getByRole('button', { name: 'Save' });
      await expect(save).toHaveAccessibleDescription(`You need the permission ${permission} for this.`);
      await flagdeck.command(['user', 'grant', 'may-create_tag_type-create_project', permission]);
      await page.reload();
      await page.getByLabel('Description').fill('Changed');
      await save.click();
      await expect(page).toHaveURL(new RegExp(`${path.split('/')[0]}$`));
    });
  }

  test('with one addon permission can do only what it allows [S6-015]', async ({
    page,
    ui,
    context,
    flagdeck,
    playwright,
  }) => {
    const hook = {
      provider: 'webhook',
      enabled: true,
      description: '',
      parameters: { url: 'http://127.0.0.1:9/hook' },
      events: ['feature-created'],
    };
    const admin = await playwright.request.newContext();
    await signInWith(admin, flagdeck, 'ADMIN');
    await new Flags(admin, flagdeck.url).post('admin/addons', hook);
    await admin.dispose();
    const api = `${flagdeck.url}api/admin/addons`;
    const disable = ui.main.getByRole('button', { name: 'Disable Webhook 1' });
    const remove = ui.main.getByRole('button', { name: 'Remove Webhook 1' });

    await signInWith(context.request, flagdeck, 'CREATE_ADDON');
    await page.goto('addons');
    await expect(ui.main.getByRole('link', { name: 'Configure Slack' })).toBeVisible();
    await expect(disable).toBeDisabled();
    await expect(remove).toBeDisabled();
    expect((await context.request.put(`${api}/1`, { data: hook })).status()).toBe(403);
    expect((await context.request.delete(`${api}/1`)).status()).toBe(403);
    await page.goto('addons/edit/1');
    await expect(ui.main.getByRole('button', { name: 'Save' })).toHaveAccessibleDescription(/UPDATE_ADDON/);
    await page.goto('addons/create/webhook');
    await page.getByLabel('Webhook URL').fill('http://127.0.0.1:9/other');
    await ui.main.getByRole('checkbox', { name: 'feature-created' }).check();
    await ui.main.getByRole('button', { name: 'Create' }).click();
    await expect(ui.main.getByRole('button', { name: 'Disable Webhook 2' })).toBeVisible();

    await signInWith(context.request, flagdeck, 'UPDATE_ADDON');
    await page.goto('addons');
    await expect(ui.main.getByRole('button', { name: 'Configure Slack' })).toBeDisabled();
    await expect(remove).toBeDisabled();
    expect((await context.request.post(api, { data: hook })).status()).toBe(403);
    expect((await context.request.delete(`${api}/2`)).status()).toBe(403);
    await disable.click();
    await expect(ui.main.getByRole('button', { name: 'Enable Webhook 1' })).toBeVisible();
    await page.goto('addons/create/webhook');
    await expect(ui.main.getByRole('button', { name: 'Create' })).toHaveAccessibleDescription(/CREATE_ADDON/);

    await signInWith(context.request, flagdeck, 'DELETE_ADDON');
    await page.goto('addons');
    await expect(ui.main.getByRole('button', { name: 'Enable Webhook 1' })).toBeDisabled();
    expect((await context.request.post(api, { data: hook })).status()).toBe(403);
    expect((await context.request.put(`${api}/1`, { data: hook })).status()).toBe(403);
    await remove.click();
    await ui.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(remove).toHaveCount(0);
  });
});
