// Users of the embedded service, as administrators manage them in the console. Server: ../../src/tests/access/users.rs.

import { axeViolations, unreachableElements } from './support/accessibility';
import { expect, test } from './support/fixtures';
import { Inputs } from './support/inputs';

const PASSWORD = 'correct horse';

test.describe('an administrator', { tag: '@embedded' }, () => {
  test.use({ auth: 'password', durable: true });

  test('gives a colleague rights in five clicks, and the colleague chooses a password', async ({
    page,
    ui,
    flags,
    flagdeck,
    browser,
    context,
  }) => {
    await flagdeck.command(['user', 'add', 'anna', '--admin'], `${PASSWORD}\n`);
    const credentials = { username: 'anna', password: PASSWORD };
    await context.request.post(`${flagdeck.url}auth/simple/login`, { data: credentials });
    await flags.create({ name: 'shop.basket' });
    await page.goto('features');

    const inputs = new Inputs(page, 'mouse');
    await inputs.use(ui.menu.getByRole('link', { name: 'Users' }));
    await inputs.use(page.getByRole('link', { name: 'New user' }));
    await expect(page.getByLabel('User name')).toBeFocused();
    await inputs.type('bert');
    await inputs.use(page.getByRole('checkbox', { name: 'Edit and switch toggles' }));
    await inputs.use(page.getByRole('button', { name: 'Add' }));
    const password = page.getByLabel('One-time password');
    await expect(password).toBeFocused();
    expect(inputs.count, 'clicks').toBeLessThanOrEqual(4);
    expect(await axeViolations(page)).toEqual([]);

    const other = await (await browser.newContext()).newPage();
    await other.goto(`${flagdeck.url}features`);
    const dialog = other.getByRole('dialog', { name: 'Action Required' });
    await dialog.getByLabel('Username').fill('bert');
    await dialog.getByLabel('Password').fill(await password.inputValue());
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expect(dialog.getByLabel('New password')).toBeFocused();
    expect(await axeViolations(other)).toEqual([]);
    await other.keyboard.type('battery staple');
    await other.keyboard.press('Enter');
    await other.getByRole('switch', { name: 'shop.basket' }).click();
    await expect.poll(async () => (await flags.find('shop.basket'))?.enabled).toBe(false);

    await page.getByRole('link', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: 'bert' });
    await expect(row).toContainText('Toggles (edit and switch)');
    await expect(row).toContainText('1 session');
    expect(await axeViolations(page)).toEqual([]);
    for (const width of [360, 640, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await unreachableElements(page), `at ${width} px`).toEqual([]);
    }
    await row.getByRole('link', { name: 'bert' }).click();
    await expect(page.getByRole('checkbox', { name: 'Edit and switch toggles' })).toBeChecked();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await row.getByRole('button', { name: 'Actions for bert' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Disable' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).press('Enter');
    await expect(row).toContainText('Disabled');
    await other.reload();
    await expect(dialog).toContainText('An administrator has ended your session');
    await dialog.getByLabel('Username').fill('bert');
    await dialog.getByLabel('Password').fill('battery staple');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expect(dialog.getByRole('alert')).toContainText('An administrator has disabled your account');
  });
});
