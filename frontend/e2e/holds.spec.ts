// Holds: toggles that SDKs get as off, also while the flag service does not respond.

import type { Page } from '@playwright/test';
import { axeViolations, LOOKS } from './support/accessibility';
import { expect, stubTest as test } from './support/fixtures';
import { afterPolls } from './support/polls';
import { ONE_TRY } from './support/slowdown';
import { toggle } from './support/stubUpstream';

const SETTINGS = ['--replica', '--replica-refresh', '100ms'];
const PARENT = [{ feature: 'shop.pay' }];

const banner = (page: Page) => page.getByRole('region', { name: 'Hold of shop.pay' });

test.describe('a hold in an outage of the flag service', { tag: '@stub' }, () => {
  test.use({ settings: SETTINGS });

  test.beforeEach(async ({ page, stub, request }) => {
    await page.clock.install();
    const features = [toggle('shop.pay'), { ...toggle('shop.tip'), dependencies: PARENT }];
    stub.respond('GET /api/admin/features', { body: { version: 1, features } });
    stub.respond('GET /api/client/features', { body: { version: 1, features } });
    await request.get('api/client/features', { headers: { 'unleash-instanceid': '1' } });
  });

  for (const { width, colorScheme, tag } of LOOKS) {
    test(`is made and released with the keyboard at ${width} px`, { tag }, async ({ page, ui, stub, request }) => {
      const isOn = async () => {
        const { features } = await (await request.get('api/client/features')).json();
        return features[0].enabled;
      };
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      // Flagdeck learns the permissions of the user with it.
      const listed = page.waitForResponse(/\/-\/holds$/);
      await page.goto('features');
      await listed;
      // The permissions are known before the outage.
      await expect(ui.switchOf('shop.pay')).toBeEnabled();
      await stub.stop();
      const hold = ui.main.getByRole('switch', { name: 'Hold shop.pay off for SDKs…' });
      await afterPolls(page, () => expect(hold).toBeEnabled(ONE_TRY));
      await hold.focus();
      await page.keyboard.press('Space');
      await expect(ui.dialog).toContainText('Reaches 1 SDK instance.');
      await expect(ui.dialog).toContainText('Toggles that depend on it are off too: shop.tip.');
      expect(await axeViolations(page)).toEqual([]);
      const submit = ui.dialog.getByRole('button', { name: 'Hold off' });
      await expect(submit).toBeDisabled();
      await ui.dialog.getByRole('textbox', { name: 'Reason' }).fill('INC-42');
      await ui.dialog.getByRole('combobox', { name: 'Duration' }).selectOption('30 minutes');
      expect(await isOn()).toBe(true);
      await ui.dialog.getByRole('textbox', { name: 'Reason' }).press('Enter');
      await expect(ui.dialog).toBeHidden();
      await expect(banner(page)).toContainText('shop.pay is held off for SDKs');
      await expect(banner(page)).toContainText('INC-42');
      await expect(banner(page)).toContainText('Ends in 30 min.');
      expect(await isOn()).toBe(false);
      await expect(ui.row('shop.pay')).toContainText('Held for SDKs');
      expect(await axeViolations(page)).toEqual([]);

      await banner(page).getByRole('button', { name: 'Release…' }).focus();
      await page.keyboard.press('Enter');
      const confirm = ui.dialog.getByRole('button', { name: 'Release', exact: true });
      await confirm.focus();
      await page.keyboard.press('Enter');
      // Roles behind an open dialog are hidden.
      await expect(ui.dialog).toBeHidden();
      await expect(banner(page)).toHaveCount(0);
      expect(await isOn()).toBe(true);

      // The same with the palette.
      const palette = page.getByRole('dialog', { name: 'Command palette' });
      await page.keyboard.press('Control+k');
      await palette.getByRole('combobox').fill('hold off shop.pay');
      await expect(palette.getByRole('option').first()).toHaveText('Hold shop.pay off for SDKs…');
      await page.keyboard.press('Enter');
      await ui.dialog.getByRole('textbox', { name: 'Reason' }).fill('INC-43');
      await page.keyboard.press('Enter');
      await expect(banner(page)).toContainText('INC-43');
      expect(await isOn()).toBe(false);
      await page.keyboard.press('Control+k');
      await palette.getByRole('combobox').fill('release');
      await expect(palette.getByRole('option')).toHaveText(['Release shop.pay…']);
      await page.keyboard.press('Enter');
      await confirm.focus();
      await page.keyboard.press('Enter');
      await expect(ui.dialog).toBeHidden();
      await expect(banner(page)).toHaveCount(0);
      expect(await isOn()).toBe(true);
    });
  }
});

test.describe('a console that is opened in an outage', { tag: '@stub' }, () => {
  test.use({ settings: SETTINGS });

  const SESSION = 'session=anna';

  test.beforeEach(async ({ page, stub, request }) => {
    await page.clock.install();
    const features = [
      { ...toggle('shop.pay'), description: 'Pays' },
      { ...toggle('shop.tip'), enabled: false },
    ];
    stub.respond('GET /api/admin/features', { body: { version: 1, features } });
    stub.respond('GET /api/client/features', { body: { version: 1, features } });
    stub.respond('GET /api/admin/user', ({ headers }) =>
      headers.cookie?.includes(SESSION)
        ? { body: { user: { id: 1, email: 'anna@shop.example' }, permissions: [{ permission: 'UPDATE_FEATURE' }] } }
        : { status: 401, body: { type: 'password', message: 'Sign in' } },
    );
    await request.get('api/client/features', { headers: { 'unleash-instanceid': '1' } });
    // The user has worked with the console before, in another browser profile.
    expect((await request.get('api/admin/user', { headers: { cookie: SESSION } })).status()).toBe(200);
    await stub.stop();
  });

  const signIn = (page: Page, url: string) => page.context().addCookies([{ name: 'session', value: 'anna', url }]);

  for (const { width, colorScheme, tag } of LOOKS) {
    test(`holds a toggle in two clicks at ${width} px`, { tag }, async ({ page, ui, stub, flagdeck, request }) => {
      const isOn = async () => (await (await request.get('api/client/features')).json()).features[0].enabled;
      await page.setViewportSize({ width, height: 740 });
      await page.emulateMedia({ colorScheme });
      await signIn(page, flagdeck.url);
      await page.goto('features');
      await expect(ui.main).toContainText('As SDKs get them.');
      await expect(ui.row('shop.pay')).toContainText('everyone');
      const off = ui.main.getByRole('switch', { name: 'shop.tip', exact: true });
      await expect(off).toBeDisabled();
      await expect(off).toHaveAccessibleDescription('SDKs already get it as off.');
      expect(await axeViolations(page)).toEqual([]);
      await ui.main.getByRole('switch', { name: 'Hold shop.pay off for SDKs…' }).click();
      await expect(ui.dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
      await page.keyboard.type('INC-42');
      await ui.dialog.getByRole('button', { name: 'Hold off' }).click();
      await expect(banner(page)).toContainText('INC-42 (anna@shop.example).');
      expect(await isOn()).toBe(false);

      await page.goto('features/strategies/shop.pay');
      await expect(ui.main.getByRole('heading', { level: 1, name: 'shop.pay' })).toBeVisible();
      await expect(ui.main.getByRole('switch', { name: 'shop.pay is held off for SDKs' })).toBeDisabled();
      await expect(ui.main.getByRole('region', { name: 'Activation strategies' })).toContainText('Everyone');
      expect(await axeViolations(page)).toEqual([]);
      await banner(page).getByRole('button', { name: 'Release…' }).click();
      await ui.dialog.getByRole('button', { name: 'Release', exact: true }).click();
      await expect(ui.dialog).toBeHidden();
      expect(await isOn()).toBe(true);

      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Command palette' });
      await palette.getByRole('combobox').fill('hold pay');
      await expect(palette.getByRole('option').first()).toHaveText('Hold shop.pay off for SDKs…');
      await page.keyboard.press('Escape');

      await stub.startAgain();
      await page.goto('features');
      await afterPolls(page, () => expect(ui.outage).toHaveCount(0, ONE_TRY));
      await expect(ui.switchOf('shop.pay')).toBeEnabled();
    });
  }

  test('shows no toggle without a session that the flag service has confirmed', async ({ page, ui }) => {
    await page.goto('features');
    await expect(ui.main).toContainText('Flagdeck cannot verify who you are');
    await expect(ui.main).toContainText('flagdeck hold NAME');
    for (const path of ['features', 'features/strategies/shop.pay']) {
      await page.goto(path);
      await expect(ui.main).toContainText('Flagdeck cannot verify who you are');
      expect(await page.content()).not.toContain('shop.tip');
    }
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').fill('shop');
    await expect(palette.getByRole('option').filter({ hasText: 'shop' })).toHaveCount(0);
  });
});
