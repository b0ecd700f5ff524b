// The layout of warnings about the activation of a toggle and of the estimated impact. Fixes of warnings:
// ../src/features/toggles/activation/strategyFields.test.tsx.

import { expect, test } from './support/fixtures';
import type { Ui } from './support/ui';

const always = { name: 'default', parameters: {} };
const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
});

const warnings = (ui: Ui) => ui.main.getByRole('region', { name: 'Warnings' });
const fix = (ui: Ui, name: string) => warnings(ui).getByRole('button', { name, exact: true });
const impact = (ui: Ui) => ui.main.getByRole('region', { name: 'Impact' });

test('Remove default removes it with the next save', { tag: '@reach' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [always, rollout('25')] });
  await ui.activation.open('shop.basket');
  await fix(ui, 'Remove default').click();
  await expect(warnings(ui)).toHaveCount(0);
  const keep = page.getByRole('button', { name: 'Keep default' });
  await expect(keep).toBeFocused();
  // Nothing is saved yet.
  expect((await flags.find('shop.basket'))?.strategies).toEqual([always, rollout('25')]);
  await keep.click();
  await expect(ui.activation.titles()).toHaveText(['default', 'flexibleRollout']);
  await expect(ui.activation.saveAll).toHaveCount(0);
  await fix(ui, 'Remove default').click();
  await ui.activation.saveAll.click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([rollout('25')]);
});

// On the real server, metrics appear here only after a while.
test.describe('the impact', { tag: '@embedded' }, () => {
  test('is above the strategies on phones, the warnings are below, and neither moves on the first edit', async ({
    page,
    ui,
    flags,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await flags.create({ name: 'shop.basket', strategies: [always, rollout('50')] });
    await ui.activation.open('shop.basket');
    const top = async () => (await ui.activation.strategy('flexibleRollout').boundingBox())?.y ?? 0;
    const [first, second] = [await impact(ui).boundingBox(), await warnings(ui).boundingBox()];
    expect(first?.y).toBeLessThan(second?.y ?? 0);
    const before = await top();
    expect(first?.y).toBeLessThan(before);
    expect(second?.y).toBeGreaterThan(before);
    await ui.activation.rolloutField('flexibleRollout').fill('40');
    await expect(ui.activation.strategy('flexibleRollout')).toContainText('40 % of users');
    const moved = await impact(ui).boundingBox();
    expect(moved?.height).toBe(first?.height);
  });
});

test.describe('on phones, a warning that appears or disappears during an edit', { tag: '@embedded' }, () => {
  // High enough that the bar of unsaved changes does not cover the field, which would scroll the page.
  test.use({ viewport: { width: 360, height: 844 }, hasTouch: true, isMobile: true });

  for (const scrolled of [60, 0, 400]) {
    const tag = scrolled === 60 ? [] : ['@ci'];

    test(`does not move the edited field, scrolled by ${scrolled} px`, { tag }, async ({ page, ui, flags }) => {
      await flags.create({ name: 'shop.basket', strategies: [rollout('25'), rollout('50')] });
      await ui.activation.open('shop.basket');
      await page.evaluate((top) => scrollTo(0, top), scrolled);
      const slider = ui.main.getByRole('slider').first();
      const field = ui.main.getByLabel('Rollout', { exact: true }).first();
      await slider.focus();
      const top = async () => (await field.boundingBox())?.y;
      const before = await top();
      await page.keyboard.press('End');
      await expect(warnings(ui)).toContainText('has no effect');
      expect(await top()).toBe(before);
      // The warning is below the strategies.
      await expect.poll(async () => (await warnings(ui).boundingBox())?.y).toBeGreaterThan(before ?? 0);
      await page.keyboard.press('Home');
      await expect(warnings(ui)).toContainText('no one gets it');
      expect(await top()).toBe(before);
      await page.keyboard.press('ArrowRight');
      await expect(warnings(ui)).toHaveCount(0);
      expect(await top()).toBe(before);
      expect(await page.evaluate(() => scrollY)).toBe(scrolled);
    });
  }

  test('does not move the field if the page cannot scroll further up', async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket', strategies: [rollout('99'), rollout('50')] });
    await ui.activation.open('shop.basket');
    await page.evaluate(() => scrollTo(0, 0));
    await ui.main
      .getByRole('slider')
      .first()
      .evaluate((slider) => slider.focus({ preventScroll: true }));
    const top = async () => (await ui.activation.rolloutField('flexibleRollout (1 of 2)').boundingBox())?.y;
    const height = async () => (await impact(ui).boundingBox())?.height ?? 0;
    const [before, impactBefore] = [await top(), await height()];
    // The shorter sentence above leaves an empty space.
    await page.keyboard.press('ArrowRight');
    await expect(warnings(ui)).toHaveCount(1);
    expect(await height()).toBeLessThan(impactBefore);
    expect(await top()).toBe(before);
    await page.keyboard.press('ArrowLeft');
    await expect(warnings(ui)).toHaveCount(0);
    expect(await top()).toBe(before);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
});
