// Settings that the console stores in the browser, by base path and group.

import { expect, test } from './support/fixtures';
import { storedSettings } from './support/storage';

for (const basePath of ['/', '/flags/']) {
  test.describe(`below ${basePath}`, { tag: basePath === '/' ? ['@embedded', '@ci'] : '@embedded' }, () => {
    test.use({ basePath });

    test('the list stores filter, sort, interval and project [S3-036] [S3-037]', async ({ page, ui, flags }) => {
      await flags.create({ name: 'shop.basket' }, { name: 'login.passkeys' });
      await flags.post('admin/projects', { id: 'web', name: 'Web', description: '' });
      const key = `${basePath}:settings:feature`;
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

    test('the history stores whether full events are shown [S3-036] [S3-038]', async ({ page, flags }) => {
      await flags.create({ name: 'shop.basket' });
      await page.goto('history');
      const full = page.getByRole('switch', { name: 'Full events' });
      await full.click();
      await expect(full).toBeChecked();
      expect(await storedSettings(page)).toEqual({ [`${basePath}:settings:history`]: { showData: true } });
    });
  });
}
