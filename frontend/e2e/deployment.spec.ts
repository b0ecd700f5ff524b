// Deployments: the name of the environment, the confirmation of switches, and read-only mode.

import { axeViolations, LOOKS } from './support/accessibility';
import { afterRead } from './support/afterRead';
import { entries, undoButton } from './support/events';
import { expect, stubTest, test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

const LABEL = ['--env-label', 'production'];

test.describe('a deployment with a label', { tag: '@embedded' }, () => {
  test.use({ settings: LABEL });

  test('shows its label on every page and first in the title', async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' });
    for (const [path, title] of [
      ['features', '[production] Feature toggles - Flagdeck'],
      ['features/create', '[production] Create - Feature toggles - Flagdeck'],
      ['no/such/page', '[production] Page not found - Flagdeck'],
      ['logout', '[production] Sign out - Flagdeck'],
    ] as const) {
      await page.goto(path);
      await expect(page).toHaveTitle(title);
      await expect(ui.environmentChip).toHaveText('Environment: production');
      await expect(ui.environmentChip).toHaveCSS('background-color', 'rgb(179, 38, 30)');
      await expect(ui.environmentChip).toHaveCSS('color', 'rgb(255, 255, 255)');
      await expect(ui.environmentLine).toHaveCSS('background-color', 'rgb(179, 38, 30)');
    }
    // Signing out and in again does not load the page.
    await ui.main.getByRole('link', { name: 'Sign in again' }).click();
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect(ui.environmentChip).toHaveText('Environment: production');
  });

  test('shows the label before the settings arrive, without moving the page', async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' });
    await page.route('**/-/settings', () => new Promise(() => undefined));
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect(ui.environmentLine).toBeInViewport();
    await expect(page.getByRole('banner').getByText('production')).toBeInViewport();
    // The line is drawn over the top edge of the header.
    await expect.poll(async () => (await page.getByRole('banner').boundingBox())?.y).toBe(0);
  });

  for (const { colorScheme, width, tag } of LOOKS) {
    test(`keeps the label visible while a long list scrolls, ${colorScheme} at ${width} px`, { tag }, async ({
      page,
      ui,
      flags,
    }) => {
      await flags.createMany('toggle-', 40);
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.goto('features');
      await expect(ui.row('toggle-000')).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
      await page.mouse.wheel(0, 1500);
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
      await expect.poll(() => ui.environmentLine.boundingBox()).toEqual({ x: 0, y: 0, width, height: 3 });
      await expect(ui.environmentChip).toBeInViewport({ ratio: 1 });
      await expect.poll(async () => (await page.getByRole('banner').boundingBox())?.y).toBe(0);
    });
  }
});

stubTest.describe('a deployment with a label in front of a flag service', { tag: '@stub' }, () => {
  stubTest.use({ settings: [...LABEL, '--read-only'] });

  stubTest('shows only the label in the header, on phones above the read-only chip', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/ui-config', { body: { version: '3.17.6', environment: 'internal' } });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('features');
    await expect(ui.footer).toContainText('internal');
    await expect(ui.environmentChip).toHaveText('Environment: production');
    await expect(ui.readOnlyChip).toBeInViewport({ ratio: 1 });
    expect(await axeViolations(page)).toEqual([]);
  });

  stubTest('shows the line above the sign-in dialog', async ({ page, ui, stub }) => {
    stub.signIn = { type: 'password', path: '/auth/simple/login', message: 'You must sign in' };
    await page.goto('features');
    await expect(ui.signInDialog).toBeVisible();
    await expect(ui.environmentLine).toBeInViewport();
    await expect(ui.environmentChip).toBeInViewport();
    // Makes the line a target, because it is transparent for the pointer.
    const isOnTop = await ui.environmentLine.evaluate((line) => {
      line.style.pointerEvents = 'auto';
      return document.elementFromPoint(innerWidth / 2, 1) === line;
    });
    expect(isOnTop).toBe(true);
  });
});

test('a deployment without a label has no line and no chip', { tag: '@embedded' }, async ({ page, ui }) => {
  await page.goto('features');
  await expect(page).toHaveTitle('Feature toggles - Flagdeck');
  await expect(page.getByText('Empty list of feature toggles')).toBeVisible();
  await expect(ui.environmentLine).toHaveCount(0);
  await expect(ui.environmentChip).toHaveCount(0);
  await expect(ui.readOnlyChip).toHaveCount(0);
});

stubTest(
  'without a label, the header shows the environment of the flag service',
  { tag: '@stub' },
  async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/ui-config', { body: { version: '3.17.6', environment: 'staging' } });
    await page.goto('features');
    await expect(ui.environmentChip).toHaveText('Environment: staging');
    await expect(ui.environmentLine).toBeInViewport();
  },
);

test.describe('confirmation of switches', { tag: '@embedded' }, () => {
  test.use({ settings: [...LABEL, '--confirm-writes'] });

  test.beforeEach(async ({ flags }) => {
    await flags.create({ name: 'shop.basket' }, { name: 'shop.pay' });
  });

  test('a switch in the list asks for confirmation, names the deployment and can be cancelled', async ({
    page,
    ui,
    flags,
  }) => {
    await page.goto('features');
    await ui.switchOf('shop.basket').click();
    await expect(ui.dialog).toHaveAccessibleName('Disable shop.basket in production');
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(ui.dialog).toBeHidden();
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await expect(ui.switchOf('shop.basket')).toBeFocused();
    expect((await flags.find('shop.basket'))?.enabled).toBe(true);

    await ui.switchOf('shop.basket').click();
    await ui.dialog.getByRole('button', { name: 'Disable' }).click();
    await expect(ui.switchOf('shop.basket')).not.toBeChecked();
    await expect(ui.dialog).toBeHidden();
    // Undo switches as well, so it asks too.
    await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
    await expect(ui.dialog).toHaveAccessibleName('Enable shop.basket in production');
    await ui.dialog.getByRole('button', { name: 'Enable' }).click();
    await expect(ui.switchOf('shop.basket')).toBeChecked();
  });

  test('a switch on the page of a toggle asks for confirmation', async ({ page, ui, flags }) => {
    await page.goto('features/strategies/shop.pay');
    await ui.main.getByRole('switch', { name: 'Enabled' }).press('Space');
    await expect(ui.dialog).toHaveAccessibleName('Disable shop.pay in production');
    await page.keyboard.press('Escape');
    await expect(ui.dialog).toBeHidden();
    expect((await flags.find('shop.pay'))?.enabled).toBe(true);
  });

  test('a save asks if more users may get the feature, with the estimated impact', async ({ page, ui, flags }) => {
    const rollout = (percent: string) => ({
      name: 'flexibleRollout',
      parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.new' },
    });
    await flags.create({ name: 'shop.new', strategies: [rollout('50')] });
    const setRollout = async (percent: string) => {
      await ui.activation.rolloutField('flexibleRollout').fill(percent);
      await ui.activation.saveButton('flexibleRollout').click();
    };
    await page.goto('features/strategies/shop.new');
    await ui.activation.editAll();
    await setRollout('65');
    await expect(ui.dialog).toHaveAccessibleName('Save shop.new in production');
    await expect(ui.dialog).toContainText('More users may get the feature. 50 → 65 %: No metrics available.');
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(ui.dialog).toBeHidden();
    await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('65');
    expect((await flags.find('shop.new'))?.strategies).toMatchObject([rollout('50')]);
    await ui.activation.saveButton('flexibleRollout').click();
    await ui.dialog.getByRole('button', { name: 'Save' }).click();
    await ui.snackbar.filter({ hasText: 'shop.new successfully updated!' }).waitFor();
    await setRollout('10');
    await expect.poll(async () => (await flags.find('shop.new'))?.strategies).toMatchObject([rollout('10')]);
    await expect(ui.dialog).toHaveCount(0);
    await ui.tab('Log').click();
    await undoButton(entries(ui).first()).click();
    await expect(ui.dialog).toHaveAccessibleName('Save shop.new in production');
    await ui.dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await flags.find('shop.new'))?.strategies).toMatchObject([rollout('65')]);
  });

  test('a bulk action asks once, and cancelling keeps the selection', async ({ page, ui, flags }) => {
    await page.goto('features');
    await ui.checkboxOf('shop.basket').click();
    await ui.checkboxOf('shop.pay').click();
    await ui.chooseBulkStatus('Disable');
    await expect(ui.dialog).toHaveAccessibleName('Disable 2 toggles in production');
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(ui.bulk).toContainText('2 selected');
    expect((await flags.find('shop.pay'))?.enabled).toBe(true);
    await ui.chooseBulkStatus('Disable');
    await ui.dialog.getByRole('button', { name: 'Disable' }).click();
    await expect(ui.switchOf('shop.basket')).not.toBeChecked();
    await expect(ui.switchOf('shop.pay')).not.toBeChecked();
  });

  test('retrying the failed part of a bulk action asks again', async ({ page, ui, flags }) => {
    await page.route('**/features/shop.pay/toggle/off', (route) => route.fulfill({ status: 403 }));
    await page.goto('features');
    await ui.checkboxOf('shop.basket').click();
    await ui.checkboxOf('shop.pay').click();
    await ui.chooseBulkStatus('Disable');
    await ui.dialog.getByRole('button', { name: 'Disable' }).click();
    await expect(ui.dialog).toContainText('could not be');
    await page.unroute('**/features/shop.pay/toggle/off');
    await ui.dialog.getByRole('button', { name: 'Retry' }).click();
    await expect(ui.dialog).toHaveAccessibleName('Disable 1 toggle in production');
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    // Both dialogs close.
    await expect(ui.dialog).toHaveCount(0);
    expect((await flags.find('shop.pay'))?.enabled).toBe(true);
    await ui.bulk.getByRole('button', { name: 'Retry' }).click();
    await ui.dialog.getByRole('button', { name: 'Disable' }).click();
    await expect(ui.switchOf('shop.pay')).not.toBeChecked();
  });

  test('a cancelled undo can be repeated', async ({ page, ui, flags }) => {
    await page.goto('features');
    await ui.switchOf('shop.basket').click();
    await ui.dialog.getByRole('button', { name: 'Disable' }).click();
    const undo = ui.snackbar.getByRole('button', { name: 'Undo' });
    await undo.click();
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(ui.dialog).toBeHidden();
    await expect(undo).toBeVisible();
    expect((await flags.find('shop.basket'))?.enabled).toBe(false);
    await undo.click();
    await ui.dialog.getByRole('button', { name: 'Enable' }).click();
    await expect(ui.switchOf('shop.basket')).toBeChecked();
  });

  test('a switch in the command palette asks for confirmation', async ({ page, ui, flags }) => {
    await page.goto('features');
    await expect(ui.row('shop.pay')).toBeVisible();
    await page.keyboard.press('Control+k');
    await ui.dialog.getByRole('combobox').fill('disable shop.pay');
    await page.getByRole('option', { name: 'Disable shop.pay' }).click();
    const question = page.getByRole('dialog', { name: 'Disable shop.pay in production' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    expect((await flags.find('shop.pay'))?.enabled).toBe(true);
  });
});

stubTest.describe('confirmation of switches in a deployment without a label', { tag: '@stub' }, () => {
  stubTest.use({ settings: ['--confirm-writes'] });

  for (const [environment, source] of [
    ['staging', 'environment of the flag service'],
    [undefined, 'host of the console'],
  ] as const) {
    stubTest(`the dialog names the ${source}`, async ({ page, ui, stub, flagdeck }) => {
      stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
      stub.respond('GET /api/admin/ui-config', { body: { version: '3.17.6', ...(environment && { environment }) } });
      await afterRead(page, 'api/admin/ui-config', () => page.goto('features'));
      await ui.switchOf('shop.basket').click();
      const named = environment ?? new URL(flagdeck.url).host;
      await expect(ui.dialog).toHaveAccessibleName(`Disable shop.basket in ${named}`);
      await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(ui.switchOf('shop.basket')).toBeChecked();
    });
  }
});

stubTest.describe('a read-only console', { tag: '@stub' }, () => {
  stubTest.use({ settings: ['--read-only'] });

  stubTest('shows that it is read-only, and the reason at each disabled control', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    await page.goto('features');
    await expect(ui.readOnlyChip).toHaveText('Read-only: Changes are disabled in this console.');
    await ui.readOnlyChip.hover();
    await expect(page.locator('[popover]').getByText('Changes are disabled in this console.')).toBeVisible();
    await expect(ui.switchOf('shop.basket')).toBeDisabled();
    await expect(ui.switchOf('shop.basket')).toHaveAccessibleDescription(/read-only/);
    await expect(page.getByRole('link', { name: 'New toggle' })).toHaveCount(0);
    await page.goto('features/strategies/shop.basket');
    await ui.openToggleMenu();
    await expect(page.getByRole('menuitem', { name: 'Archive' })).toContainText(/read-only/);
    stub.respond('GET /api/admin/archive/features', { body: { features: [toggle('shop.gone')] } });
    await page.goto('archive');
    await expect(ui.row('shop.gone').getByRole('button', { name: /Revive/ })).toHaveAccessibleDescription(/read-only/);
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [] } });
    await page.goto('features');
    await expect(ui.main).toContainText('Empty list of feature toggles');
    await expect(ui.main).toContainText('This console is read-only');
    await page.goto('features/create');
    await expect(ui.main.getByText('This console is read-only.', { exact: true })).toHaveCount(1);
    await expect(ui.main).not.toContainText('Read-only.');
    await expect(ui.nameField).toHaveCount(0);
    await ui.main.getByRole('link', { name: 'Back' }).click();
    await expect(ui.main).toContainText('Empty list of feature toggles');
  });
});
