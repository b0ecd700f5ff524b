// A form whose session ends before it is sent: the sign-in dialog opens over the page, and the save is repeated. All forms:
// src/testing/sessionForms.test.tsx.

import { EMAIL, expect, test } from './support/fixtures';

test.describe('a session that ends before submitting', { tag: '@embedded' }, () => {
  test.use({ auth: 'unsecure' });

  test('is saved after signing in', async ({ page, context, ui, flags, flagdeck }) => {
    await context.request.post(`${flagdeck.url}api/admin/login`, { data: { email: EMAIL } });
    await page.goto('projects/edit/default');
    await page.getByLabel('Description').fill('typed.before');
    const url = page.url();
    await context.clearCookies();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(ui.signInDialog).toContainText(`Your unsaved changes are kept if you sign in again as ${EMAIL}.`);
    await expect(page).toHaveURL(url);
    await ui.signInByEmail(EMAIL);
    await expect.poll(async () => JSON.stringify(await flags.get('admin/projects'))).toContain('typed.before');
  });
});
