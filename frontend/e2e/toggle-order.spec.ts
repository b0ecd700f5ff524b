// The order of strategy cards, changed by mouse, touch and keyboard.

import type { Locator } from '@playwright/test';
import { tabTo } from './support/accessibility';
import { expect, test } from './support/fixtures';

const names = ['default', 'userWithId', 'remoteAddress'];

test.beforeEach(async ({ flags, ui }) => {
  await flags.create({ name: 'shop.basket', strategies: names.map((name) => ({ name, parameters: {} })) });
  await ui.activation.open('shop.basket');
  // A card grows when its definition loads, which moves the cards below it.
  await expect(ui.activation.strategy('userWithId').getByLabel('userIds')).toBeVisible();
});

async function middle(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} is not on the page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test('dragging a card moves it and saves the order at once [S2-083]', { tag: '@reach' }, async ({
  page,
  ui,
  flags,
}) => {
  // Opening the cards has scrolled the page.
  await page.evaluate(() => scrollTo(0, 0));
  const from = await middle(page.getByTestId('handle 1'));
  const to = await middle(ui.activation.strategy('userWithId'));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  expect((await flags.find('shop.basket'))?.strategies?.map(({ name }) => name)).toEqual(names);
  await page.mouse.up();
  const moved = ['userWithId', 'default', 'remoteAddress'];
  await expect(ui.activation.titles()).toHaveText(moved);
  await ui.snackbar.filter({ hasText: 'successfully updated!' }).waitFor();
  expect((await flags.find('shop.basket'))?.strategies?.map(({ name }) => name)).toEqual(moved);
});

test('dropping a card at its own position saves nothing', { tag: '@embedded' }, async ({ page, ui }) => {
  const writes: string[] = [];
  page.on('request', (request) => void (request.method() === 'PUT' && writes.push(request.url())));
  const from = await middle(page.getByTestId('handle 2'));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect(ui.activation.titles()).toHaveText(names);
  expect(writes).toEqual([]);
});

test.describe('on a phone', { tag: '@embedded' }, () => {
  test.use({ viewport: { width: 360, height: 1200 }, hasTouch: true });

  test('dragging by touch moves a card', async ({ page, ui }) => {
    const from = await middle(page.getByTestId('handle 2'));
    const to = await middle(ui.activation.strategy('default'));
    const screen = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove', y: number) =>
      screen.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: from.x, y }] });
    await touch('touchStart', from.y);
    for (let step = 1; step <= 8; step += 1) await touch('touchMove', from.y + ((to.y - from.y) * step) / 8);
    await screen.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect(ui.activation.titles()).toHaveText(['userWithId', 'default', 'remoteAddress']);
  });
});

test('the keyboard moves a card and keeps the focus on it', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  const down = page.getByRole('button', { name: 'Move default down' });
  await down.focus();
  await page.keyboard.press('Enter');
  await expect(ui.activation.titles()).toHaveText(['userWithId', 'default', 'remoteAddress']);
  await expect(down).toBeFocused();
  await expect(down).toBeEnabled();
  await page.keyboard.press('Enter');
  const moved = ['userWithId', 'remoteAddress', 'default'];
  await expect(ui.activation.titles()).toHaveText(moved);
  await expect(down).toBeDisabled();
  await expect.poll(async () => (await flags.find('shop.basket'))?.strategies?.map(({ name }) => name)).toEqual(moved);
});

test('the buttons that move a card appear on hover and on keyboard focus, and nothing else moves', {
  tag: '@embedded',
}, async ({ page, ui }) => {
  const down = page.getByRole('button', { name: 'Move default down' });
  const isShown = () => down.evaluate((button) => button.checkVisibility({ opacityProperty: true }));
  const heading = ui.activation.strategy('default').getByRole('heading');
  // The header of the page covers the handle otherwise, and the pointer would scroll the page.
  await heading.evaluate((one) => one.scrollIntoView({ block: 'center' }));
  const before = await heading.boundingBox();
  await page.mouse.move(0, 0);
  await expect.poll(isShown).toBe(false);
  await expect(page.getByTestId('handle 1')).toBeVisible();

  await page.getByTestId('handle 1').hover();
  await expect.poll(isShown).toBe(true);
  const button = await down.boundingBox();
  expect((button?.x ?? Number.NaN) + (button?.width ?? 0)).toBeLessThanOrEqual(before?.x ?? 0);
  expect(await heading.boundingBox()).toEqual(before);
  await down.click();
  await expect(ui.activation.titles()).toHaveText(['userWithId', 'default', 'remoteAddress']);
  await page.mouse.move(0, 0);
  await expect.poll(isShown).toBe(false);

  await tabTo(page.getByRole('button', { name: 'Move userWithId down' }));
  await tabTo(down);
  await expect.poll(isShown).toBe(true);
  await page.keyboard.press('Tab');
  await expect.poll(isShown).toBe(false);
});

test('cards cannot be moved while one is unsaved, and the page shows the reason [S2-083]', {
  tag: '@embedded',
}, async ({ page, ui }) => {
  const down = page.getByRole('button', { name: 'Move default down' });
  await expect(down).toBeEnabled();
  await ui.activation.strategy('userWithId').getByLabel('userIds').fill('ada,');
  await expect(down).toBeDisabled();
  await expect(down).toHaveAccessibleDescription(/unsaved/);
  const from = await middle(page.getByTestId('handle 1'));
  const to = await middle(ui.activation.strategy('userWithId'));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await expect(ui.activation.titles()).toHaveText(names);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(down).toBeEnabled();
});
