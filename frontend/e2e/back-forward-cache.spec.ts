// A page that the browser kept in its back/forward cache: it must not show data after the session has ended.

import config from '../playwright.config';
import { EMAIL, expect, test } from './support/fixtures';

// Playwright disables this cache.
test.use({
  launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] },
});

test.describe('a page from the back/forward cache', { tag: '@embedded' }, () => {
  test.use({ auth: 'unsecure' });

  test('asks to sign in if the session has ended [S4-021]', async ({ page, context, ui, flags, flagdeck }) => {
    await context.request.post(`${flagdeck.url}api/admin/login`, { data: { email: EMAIL } });
    await flags.create({ name: 'secret.plan' });
    await page.goto('features');
    await expect(ui.row('secret.plan')).toBeVisible();
    await page.evaluate(() => {
      addEventListener('pageshow', ({ persisted }) => Object.assign(globalThis, { wasKept: persisted }));
    });
    await page.goto('-/health');
    await context.clearCookies();
    await page.goBack({ waitUntil: 'commit' });
    await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'wasKept'))).toBe(true);
    await expect(ui.signInDialog).toBeVisible();
    await expect(page.getByText('secret.plan')).toHaveCount(0);
  });
});
