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
    await page.evaluate(() => scrollTo(0, 0));
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

test('the arrow keys move a card from its number, which keeps the focus', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  const number = (at: number) =>
    page.getByRole('button', { name: `Rule ${at} of 3, default: move with the arrow keys` });
  await tabTo(number(1));
  await page.keyboard.press('ArrowDown');
  await expect(ui.activation.titles()).toHaveText(['userWithId', 'default', 'remoteAddress']);
  await expect(number(2)).toBeFocused();
  await expect(number(2)).toBeEnabled();
  await page.keyboard.press('ArrowDown');
  const moved = ['userWithId', 'remoteAddress', 'default'];
  await expect(ui.activation.titles()).toHaveText(moved);
  await expect(number(3)).toBeFocused();
  await expect(page.getByText('default is rule 3 of 3.')).toBeAttached();
  await expect.poll(async () => (await flags.find('shop.basket'))?.strategies?.map(({ name }) => name)).toEqual(moved);
});

test('cards cannot be moved while one is unsaved, and the page shows the reason [S2-083]', {
  tag: '@embedded',
}, async ({ page, ui }) => {
  const number = page.getByRole('button', { name: /^Rule 1 of 3, default/ });
  await expect(number).toBeEnabled();
  await ui.activation.strategy('userWithId').getByLabel('userIds').fill('ada,');
  await expect(number).toBeDisabled();
  await expect(number).toHaveAccessibleDescription(/unsaved/);
  const from = await middle(page.getByTestId('handle 1'));
  const to = await middle(ui.activation.strategy('userWithId'));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await expect(ui.activation.titles()).toHaveText(names);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(number).toBeEnabled();
});
