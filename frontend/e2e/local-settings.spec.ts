// Settings that the console stores in the browser, by base path and group. All of them: src/features/toggles/list/listPage.test.tsx.

import { expect, test } from './support/fixtures';
import { storedSettings } from './support/storage';

test.describe('below a base path', { tag: '@embedded' }, () => {
  test.use({ basePath: '/flags/' });

  test('the list stores filter, sort, interval and project [S3-036] [S3-037]', async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' }, { name: 'login.passkeys' });
    await flags.post('admin/projects', { id: 'web', name: 'Web', description: '' });
    const key = '/flags/:settings:feature';
    const stored = { filter: 'shop', sort: 'name', reversed: false, showLastHour: false, currentProjectId: '*' };
    await page.goto('features');
    await ui.search.fill('shop');
    await ui.search.press('Enter');
    await expect.poll(() => storedSettings(page)).toEqual({ [key]: stored });
    await ui.sortBy('Created');
    await ui.chooseInterval('Last hour');
    await expect
      .poll(() => storedSettings(page))
      .toEqual({ [key]: { ...stored, sort: 'created', showLastHour: true } });
    await page.getByLabel('Project').selectOption('web');
    await expect
      .poll(() => storedSettings(page))
      .toEqual({ [key]: { ...stored, sort: 'created', showLastHour: true, currentProjectId: 'web' } });
  });
});
