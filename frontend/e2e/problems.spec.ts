// The list of errors and messages in the footer, by keyboard. Its content: src/layout/Problems.test.tsx.

import { expect, stubTest as test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

test('problems are opened, dismissed and closed by keyboard, and closing returns the focus', { tag: '@stub' }, async ({
  page,
  ui,
  stub,
}) => {
  const names = ['shop.basket', 'shop.pay', 'shop.search'];
  stub.respond('GET /api/admin/features', { body: { version: 1, features: names.map((name) => toggle(name)) } });
  await page.goto('features');
  for (const name of names) {
    const response = { status: 409, body: { message: `${name} is locked` } };
    stub.respond(`POST /api/admin/features/${name}/toggle/off`, response);
    await ui.switchOf(name).click();
    await expect(ui.snackbar).toContainText(`${name} is locked`);
  }
  const button = ui.footer.getByRole('button', { name: /^Problems/ });
  const panel = ui.footer.getByRole('group', { name: 'Problems' });
  const heading = panel.getByRole('heading', { name: 'Problems and messages' });
  const dismissAll = panel.getByRole('button', { name: 'Dismiss all' });
  const dismiss = (name: string) =>
    panel.getByRole('button', { name: `Dismiss: ${name} was not switched off: ${name} is locked` });

  await button.focus();
  await expect(button).toHaveText('Problems (3)');
  await page.keyboard.press('Enter');
  await expect(heading).toBeVisible();
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Tab');
  await expect(dismissAll).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dismiss('shop.search')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dismiss('shop.pay')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dismiss('shop.pay')).toHaveCount(0);
  await expect(heading).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(heading).toBeHidden();
  await expect(button).toBeFocused();
  await expect(button).toHaveText('Problems (2)');

  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(dismissAll).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('No errors or messages since you opened the console.');
  await expect(heading).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await expect(button).toHaveText('Problems');
});

test('on a phone, the list opens where it has enough space', { tag: '@stub' }, async ({ page, ui, stub }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const body = { version: 1, features: Array.from({ length: 20 }, (_, index) => toggle(`shop.toggle-${index}`)) };
  stub.respond('GET /api/admin/features', { body });
  stub.respond('POST /api/admin/features/shop.toggle-0/toggle/off', { status: 409, body: { message: 'It is locked' } });
  await page.goto('features');
  await ui.switchOf('shop.toggle-0').click();
  await expect(ui.snackbar).toContainText('It is locked');
  await ui.footer.getByRole('button', { name: /^Problems/ }).click();
  await expect(ui.footer.getByRole('group', { name: 'Problems' }).getByText('It is locked')).toBeInViewport({
    ratio: 1,
  });
});
