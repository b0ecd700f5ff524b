// Deployments: the name of the environment. Confirmations and read-only mode: ../src/testing/deployments.test.tsx.

import { axeViolations, LOOKS } from './support/accessibility';
import { expect, stubTest, test } from './support/fixtures';

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
