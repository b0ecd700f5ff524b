// The bar with the unsaved changes of a toggle, and the layout of a card that becomes unsaved.

import type { Locator } from '@playwright/test';
import { axeViolations, LOOKS, tabTo } from './support/accessibility';
import { expect, test } from './support/fixtures';
import { gate } from './support/gate';

const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });
const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
});

const boxesOf = (...elements: Locator[]) => Promise.all(elements.map((element) => element.boundingBox()));

test.describe('with two strategies', { tag: '@embedded' }, () => {
  test.beforeEach(async ({ flags }) => {
    await flags.create({ name: 'shop.basket', strategies: [rollout('25'), users('ada')] });
  });

  for (const width of [1280, 360]) {
    const tag = width === 360 ? [] : ['@ci'];

    test(`nothing moves when a card becomes unsaved, at ${width} px`, async ({ page, ui, flags }) => {
      // On phones, the estimated impact of the edit needs a second line.
      await flags.report({ 'shop.basket': { yes: 9_000, no: 27_000 } });
      await page.setViewportSize({ width, height: 800 });
      await ui.activation.open('shop.basket');
      await expect(ui.main.getByRole('region', { name: 'Impact' })).toContainText('9,000 of 36,000');
      const card = ui.activation.strategy('flexibleRollout');
      const slider = card.getByRole('slider');
      await slider.scrollIntoViewIfNeeded();
      const positionOf = async () => (await slider.boundingBox())?.y;
      const sliderY = await positionOf();
      const save = card.getByText('Save', { exact: true }).first();
      const measured = [
        save,
        ui.activation.menuButton('flexibleRollout'),
        ui.activation.rolloutField('flexibleRollout'),
        card,
        ui.activation.strategy('userWithId'),
        ui.activation.addStrategyButton,
        ui.main.getByRole('heading', { level: 1 }),
        ui.tab('Activation'),
      ];
      const before = await boxesOf(...measured);
      expect(before).not.toContain(null);
      await slider.focus();
      await page.keyboard.press('ArrowRight');
      await expect(ui.activation.unsavedBar).toContainText(/1 unsaved/);
      expect(await boxesOf(...measured)).toEqual(before);
      expect(await boxesOf(ui.activation.saveButton('flexibleRollout'))).toEqual([before[0]]);
      // The thumb moves sideways with the value.
      expect(await positionOf()).toBe(sliderY);
    });

    test(`the header of a card stays on one line, at ${width} px`, { tag }, async ({ page, ui }) => {
      await page.setViewportSize({ width, height: 800 });
      await ui.activation.open('shop.basket');
      await ui.activation.rolloutField('flexibleRollout').fill('50');
      const header = ui.activation.strategy('flexibleRollout').locator('header');
      await expect.poll(async () => (await header.boundingBox())?.height).toBeLessThan(65);
    });
  }

  test('Save keeps its size during the request, and the menu of the card gets its focus', async ({ page, ui }) => {
    const { opened, open } = gate();
    await page.route('**/api/admin/features/shop.basket', async (route) => {
      if (route.request().method() === 'PUT') await opened;
      await route.continue();
    });
    await ui.activation.open('shop.basket');
    await ui.activation.rolloutField('flexibleRollout').fill('50');
    const save = ui.activation.saveButton('flexibleRollout');
    const before = await boxesOf(save, ui.activation.saveAll);
    await save.focus();
    await page.keyboard.press('Enter');
    await expect(save).toHaveAttribute('aria-busy', 'true');
    await expect(ui.activation.saveAll).toHaveAttribute('aria-busy', 'true');
    expect(await boxesOf(save, ui.activation.saveAll)).toEqual(before);
    open();
    await expect(save).toHaveCount(0);
    await expect(ui.activation.menuButton('flexibleRollout')).toBeFocused();
  });

  test('the bar leaves room for the last card, and for the button below it', async ({ page, ui }) => {
    // The card ends below the window until it is opened.
    await page.setViewportSize({ width: 1280, height: 640 });
    await page.goto('features/strategies/shop.basket');
    await ui.activation.editButton('userWithId').click();
    await ui.activation.strategy('userWithId').getByLabel('userIds').fill('grace,');
    await expect(ui.activation.unsavedBar).toContainText(/1 unsaved/);
    const [bar, button] = await boxesOf(ui.activation.unsavedBar, ui.activation.addStrategyButton);
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  });

  test('the bar counts the unsaved cards, and its buttons keep their place', async ({ page, ui }) => {
    await ui.activation.open('shop.basket');
    const status = ui.main.getByRole('status').filter({ hasText: 'unsaved' });
    await expect(ui.activation.unsavedBar).toHaveCount(0);
    await ui.activation.rolloutField('flexibleRollout').fill('50');
    await expect(ui.activation.unsavedBar).toContainText('1 unsaved change');
    await expect(status).toHaveText('1 unsaved change');
    await expect(ui.activation.unsavedBar.getByRole('button')).toHaveText(['Clear all', 'Save all']);
    const buttons = ['Clear all', 'Save all'].map((name) => ui.activation.unsavedBar.getByRole('button', { name }));
    const before = await boxesOf(...buttons);
    await ui.activation.strategy('userWithId').getByRole('button', { name: 'Remove ada' }).click();
    await expect(ui.activation.unsavedBar).toContainText('2 unsaved changes');
    await expect(status).toHaveText('2 unsaved changes');
    await expect(ui.activation.unsavedBar.getByRole('button')).toHaveText(['Review', 'Clear all', 'Save all']);
    expect(await boxesOf(...buttons)).toEqual(before);
    await ui.activation.saveButton('userWithId').click();
    await expect(ui.activation.unsavedBar).toContainText('1 unsaved change');
    await ui.activation.choose('flexibleRollout', 'Discard changes');
    await expect(ui.activation.unsavedBar).toHaveCount(0);
    await expect(status).toHaveCount(0);
    await expect(ui.activation.menuButton('flexibleRollout')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Discard changes' })).toHaveCount(0);
  });

  test('the focus returns to the field after the bar has saved or cleared its changes', async ({ page, ui }) => {
    await ui.activation.open('shop.basket');
    const field = ui.activation.rolloutField('flexibleRollout');
    for (const action of ['Clear all', 'Save all']) {
      await field.fill('50');
      await tabTo(ui.activation.unsavedBar.getByRole('button', { name: action }));
      await page.keyboard.press('Enter');
      await expect(ui.activation.unsavedBar).toHaveCount(0);
      await expect(page.locator(':focus')).toHaveCount(1);
      await expect(page.locator('body:focus')).toHaveCount(0);
    }
    await ui.activation.addStrategy('default');
    await ui.activation.choose('default', 'Discard changes');
    await expect(ui.activation.strategy('default')).toHaveCount(0);
    await expect(ui.main.getByRole('heading', { level: 1 })).toBeFocused();
  });

  for (const { colorScheme, width, tag } of LOOKS) {
    test(`the bar covers no focused field, ${colorScheme} at ${width} px`, { tag }, async ({ page, ui }) => {
      await page.setViewportSize({ width, height: 500 });
      await page.emulateMedia({ colorScheme });
      await ui.activation.open('shop.basket');
      const slider = ui.activation.strategy('flexibleRollout').getByRole('slider');
      await slider.focus();
      // At the bottom edge, where the bar appears.
      await slider.evaluate((one) => one.scrollIntoView({ block: 'end' }));
      await page.keyboard.press('ArrowRight');
      await expect(ui.activation.unsavedBar).toBeVisible();
      const bottomOf = async (element: Locator) => {
        const { y = 0, height = 0 } = (await element.boundingBox()) ?? {};
        return y + height;
      };
      const barTop = (await ui.activation.unsavedBar.boundingBox())?.y ?? 0;
      await expect.poll(() => bottomOf(slider)).toBeLessThanOrEqual(barTop);
      expect(await axeViolations(page)).toEqual([]);
      const bar = await ui.activation.unsavedBar.boundingBox();
      expect(bar && bar.x >= 0 && bar.x + bar.width <= width).toBe(true);
      for (let presses = 0; presses < 30; presses += 1) {
        await page.keyboard.press('Tab');
        const focused = page.locator(':focus');
        if (await ui.activation.unsavedBar.locator(':focus').count()) break;
        const box = await focused.boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
      }
      await expect(ui.activation.unsavedBar.locator(':focus')).toHaveText('Clear all');
      // The end of the page is above the bar too.
      await page.mouse.wheel(0, 10_000);
      await expect
        .poll(async () => ((await ui.footer.boundingBox())?.y ?? 0) + ((await ui.footer.boundingBox())?.height ?? 0))
        .toBeLessThanOrEqual(bar?.y ?? 0);
      // The side menu does not slide under the header.
      if (width === 1280) await expect(ui.menu.getByRole('link').first()).toBeInViewport({ ratio: 1 });
    });
  }
});

test.describe('on a touch screen', { tag: '@embedded' }, () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const tag = reducedMotion === 'reduce' ? ['@ci'] : [];

    test(`a tap that shows the bar below the finger reaches only the slider, motion: ${reducedMotion}`, {
      tag,
    }, async ({ page, ui, flags }) => {
      await page.emulateMedia({ reducedMotion });
      const stored = [rollout('25'), rollout('50')];
      await flags.create({ name: 'shop.basket', strategies: stored });
      await ui.activation.open('shop.basket');
      // The centre of the second slider is 40 px above the bottom edge, where the bar appears.
      const slider = ui.main.getByRole('slider').last();
      await slider.evaluate((one) => {
        const { top, height } = one.getBoundingClientRect();
        scrollBy(0, top + height / 2 - (innerHeight - 40));
      });
      const card = ui.main.getByRole('group', { name: /^flexibleRollout/ }).last();
      const before = await boxesOf(card);
      const control = await slider.boundingBox();
      const tapAt = (share: number) =>
        page.touchscreen.tap((control?.x ?? 0) + (control?.width ?? 0) * share, 740 - 40);
      // On a busy machine, the second tap may come after the time in which the bar ignores taps.
      const browser = await page.context().newCDPSession(page);
      await browser.send('Animation.enable');
      await browser.send('Animation.setPlaybackRate', { playbackRate: 0.05 });
      await tapAt(0.9);
      await expect(ui.activation.unsavedBar).toContainText('1 unsaved');
      expect(await boxesOf(card)).toEqual(before);
      await expect(slider).toHaveValue(/^9\d$/);
      await expect(ui.activation.unsavedBar).toBeVisible();
      // A double tap.
      await tapAt(0.7);
      await expect(slider).toHaveValue(/^7\d$/);
      expect(await boxesOf(card)).toEqual(before);
      expect((await flags.find('shop.basket'))?.strategies).toEqual(stored);
      // Later, the bar accepts taps.
      await browser.send('Animation.setPlaybackRate', { playbackRate: 1 });
      await ui.activation.saveAll.tap();
      await expect(ui.activation.unsavedBar).toHaveCount(0);
      expect((await flags.find('shop.basket'))?.strategies).not.toEqual(stored);
    });
  }
});
