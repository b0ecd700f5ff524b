// Tabs of one browser share the session. All cases of one tab: src/features/session/signIn.test.tsx.

import { EMAIL, expect, test } from './support/fixtures';
import { gate } from './support/gate';
import { Ui } from './support/ui';

test.describe('two tabs', { tag: '@embedded' }, () => {
  test.use({ auth: 'unsecure' });

  test('sign out together, and show the user who signs in next [S4-021]', async ({
    page,
    context,
    ui,
    flags,
    flagdeck,
  }) => {
    await context.request.post(`${flagdeck.url}api/admin/login`, { data: { email: EMAIL } });
    await flags.create({ name: 'secret.plan' });
    await page.goto('features');
    const other = new Ui(await context.newPage());
    await other.page.goto(page.url());
    await expect(ui.row('secret.plan')).toBeVisible();
    await expect(other.row('secret.plan')).toBeVisible();

    await ui.menu.getByRole('link', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await expect(other.signInDialog).toBeVisible();
    await expect(other.page.getByText('secret.plan')).toHaveCount(0);

    await page.getByRole('link', { name: 'Sign in again' }).click();
    await ui.signInByEmail('ada@example.com');
    await expect(ui.row('secret.plan')).toBeVisible();
    await expect(other.signInDialog).toBeHidden();
    await expect(other.page.getByRole('button', { name: 'ada@example.com' })).toBeVisible();
    await expect(other.row('secret.plan')).toBeVisible();
    await other.page.close();
  });

  test('a click of the user before is not made for the user who has signed in in the other tab', async ({
    page,
    context,
    ui,
    flags,
    flagdeck,
  }) => {
    const signIn = (email: string) => context.request.post(`${flagdeck.url}api/admin/login`, { data: { email } });
    await signIn(EMAIL);
    await flags.create({ name: 'shop.basket' });
    await page.goto('features');
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await expect(page.getByRole('button', { name: EMAIL })).toBeVisible();

    // The click is the first request after the sign-in, which a redirect would not announce either: reads wait.
    const reads = gate();
    await page.route(/\/(api|-)\//, async (route) => {
      if (route.request().method() === 'GET') await reads.opened;
      await route.continue();
    });
    await signIn('ada@example.com');
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(other.getByRole('button', { name: 'ada@example.com' })).toBeVisible();
    await page.bringToFront();
    const refused = page.waitForResponse((response) => response.request().method() === 'POST');
    await ui.switchOf('shop.basket').click();
    expect((await refused).status()).toBe(409);
    reads.open();
    await expect(page.getByRole('button', { name: 'ada@example.com' })).toBeVisible();
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    expect(await flags.find('shop.basket')).toMatchObject({ enabled: true });

    // The next click is the other user's.
    await ui.switchOf('shop.basket').click();
    await expect(ui.switchOf('shop.basket')).not.toBeChecked();
    const { events } = await flags.get<{ events: { createdBy: string }[] }>('admin/events/shop.basket');
    expect(events[0]).toMatchObject({ createdBy: 'ada@example.com' });
  });
});
