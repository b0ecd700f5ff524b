// Checkboxes, sliders, selects and date fields: the same in both themes, usable by mouse, touch and keyboard.

import type { Locator, Page } from '@playwright/test';
import { axeViolations } from './support/accessibility';
import { changeSystemTheme, rgbOf } from './support/colours';
import { expect, test } from './support/fixtures';
import type { Ui } from './support/ui';

const THEMES = ['light', 'dark'] as const;

/** Returns a colour of the design as red, green and blue. */
function token(page: Page, name: string): Promise<number[]> {
  return page.evaluate((variable) => {
    document.documentElement.style.outlineColor = `var(${variable})`;
    return (getComputedStyle(document.documentElement).outlineColor.match(/\d+/g) ?? []).map(Number);
  }, `--${name}`);
}

/** Waits until the element has a colour of the design: the theme and the states of controls change with a transition. */
async function expectColour(element: Locator, property: Parameters<typeof rgbOf>[1], name: string): Promise<void> {
  await expect(async () => {
    expect(await rgbOf(element, property)).toEqual(await token(element.page(), name));
  }).toPass();
}

/** Returns the place of a value on a slider: the middle of its thumb, which is 20 px wide and stays within the slider. */
async function placeOf(slider: Locator, percent: number): Promise<{ x: number; y: number }> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await slider.boundingBox()) ?? {};
  return { x: x + 10 + ((width - 20) * percent) / 100, y: y + height / 2 };
}

async function openRollout(page: Page, ui: Ui): Promise<Locator> {
  await page.goto('features/strategies/shop.basket');
  await ui.activation.editAll();
  await ui.activation.openDetails('flexibleRollout');
  return ui.activation.strategy('flexibleRollout').getByRole('slider');
}

const ROLLOUT = {
  name: 'shop.basket',
  strategies: [
    { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'default', groupId: 'shop.basket' } },
  ],
};

test('checkboxes use the colours of the design in both themes', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.off' });
  await page.goto('features');
  const box = ui.checkboxOf('shop.basket');
  const all = page.getByRole('checkbox', { name: 'Select all 2' });
  for (const colorScheme of THEMES) {
    await changeSystemTheme(page, colorScheme);
    await expect(all).toHaveCSS('appearance', 'none');
    await expectColour(all, 'backgroundColor', 'surface');
    await expectColour(all, 'borderTopColor', 'line-control');
    await box.check();
    await expectColour(box, 'backgroundColor', 'accent');
    // Some rows are selected: the box of the header shows a dash, and has the same colour.
    await expect(all).toHaveJSProperty('indeterminate', true);
    await expectColour(all, 'backgroundColor', 'accent');
    await box.uncheck();
    await expectColour(all, 'backgroundColor', 'surface');
  }
});

test('checkboxes, switches and sliders show their state in forced colours', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create(ROLLOUT);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('features');
  const row = ui.row('shop.basket');
  const box = ui.checkboxOf('shop.basket');
  const offBox = await box.screenshot();
  await box.check();
  await row.hover({ position: { x: 400, y: 10 } });
  expect((await box.screenshot()).equals(offBox)).toBe(false);
  const toggle = row.locator('label:has([role=switch])');
  const on = await toggle.screenshot();
  await ui.switchOf('shop.basket').click();
  await expect(ui.switchOf('shop.basket')).not.toBeChecked();
  expect((await toggle.screenshot()).equals(on)).toBe(false);
  const slider = await openRollout(page, ui);
  await expect(slider).toHaveCSS('appearance', 'auto');
  const half = await slider.screenshot();
  await slider.press('End');
  expect((await slider.screenshot()).equals(half)).toBe(false);
});

test('the slider of a rollout changes by mouse and keyboard, and shows its focus', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await flags.create(ROLLOUT);
  const slider = await openRollout(page, ui);
  const percentage = ui.activation.rolloutField('flexibleRollout');
  const [quarter, half, end] = [await placeOf(slider, 25), await placeOf(slider, 50), await placeOf(slider, 75)];
  await page.mouse.move(half.x, half.y);
  await page.mouse.down();
  await page.mouse.move((half.x + end.x) / 2, half.y, { steps: 4 });
  await page.mouse.move(end.x, half.y, { steps: 4 });
  await page.mouse.up();
  await expect(percentage).toHaveValue('75');
  await page.mouse.click(quarter.x, quarter.y);
  await expect(percentage).toHaveValue('25');
  for (const [key, value] of [
    ['ArrowRight', '26'],
    ['PageUp', '36'],
    ['End', '100'],
    ['Home', '0'],
  ] as const) {
    await slider.press(key);
    await expect(percentage).toHaveValue(value);
    await expect(slider).toHaveValue(value);
  }
  await expect(slider).toHaveCSS('outline-style', 'solid');
  await expect(slider).toHaveCSS('outline-width', '2px');
  await expect(slider).toHaveCSS('appearance', 'none');
});

test.describe('on a touch screen', { tag: '@embedded' }, () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('the slider moves to the touched place', async ({ page, ui }) => {
    await page.goto('features/create');
    await ui.nameField.fill('shop.basket');
    await ui.activation.addStrategy('flexibleRollout');
    const slider = ui.activation.strategy('flexibleRollout').getByRole('slider');
    await slider.scrollIntoViewIfNeeded();
    const { x, y } = await placeOf(slider, 75);
    // Outside the thin track: the target is as high as a finger.
    await page.touchscreen.tap(x, y + 18);
    await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('75');
  });

  test('selects and date fields are 44 px high', async ({ page, ui, flags }) => {
    await flags.create(ROLLOUT);
    await openRollout(page, ui);
    await expect
      .poll(
        async () => (await ui.activation.strategy('flexibleRollout').getByLabel('Stickiness').boundingBox())?.height,
      )
      .toBe(44);
    await page.goto('history');
    await ui.openFilters();
    await expect.poll(async () => (await page.getByLabel('From').boundingBox())?.height).toBe(44);
  });
});

test('controls that cannot be changed ignore the pointer and still show their state', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create(ROLLOUT, { name: 'shop.off', enabled: false });
  const trackOf = (name: string) => ui.row(name).locator('label:has([role=switch]) > span').first();
  await page.goto('features');
  await expect(trackOf('shop.basket')).toBeVisible();
  await expect(trackOf('shop.basket').locator('svg')).toBeHidden();
  await page.route('**/api/admin/user', async (route) => {
    const response = await route.fetch();
    const profile = await response.json();
    await route.fulfill({ response, json: { ...profile, permissions: [{ permission: 'CREATE_CONTEXT_FIELD' }] } });
  });
  await page.goto('context/edit/userId');
  const sticky = page.getByLabel('Allow stickiness');
  await expect(sticky).toBeDisabled();
  for (const colorScheme of THEMES) {
    await changeSystemTheme(page, colorScheme);
    await expectColour(sticky, 'borderTopColor', (await sticky.isChecked()) ? 'muted' : 'line-control');
  }
  await page.goto('features');
  await expect(ui.switchOf('shop.basket')).toHaveAttribute('aria-disabled', 'true');
  await expectColour(trackOf('shop.basket'), 'backgroundColor', 'switch-locked');
  await expectColour(trackOf('shop.off'), 'backgroundColor', 'off');
  for (const name of ['shop.basket', 'shop.off']) await expect(trackOf(name).locator('svg')).toBeVisible();
});

test('the list of a select has the colours of the page in both themes', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create(ROLLOUT);
  await openRollout(page, ui);
  const stickiness = ui.activation.strategy('flexibleRollout').getByLabel('Stickiness');
  for (const colorScheme of THEMES) {
    await changeSystemTheme(page, colorScheme);
    await stickiness.click();
    const option = stickiness.getByRole('option', { name: 'sessionId' });
    await expect(option).toBeVisible();
    await expectColour(option, 'color', 'text');
    expect(await axeViolations(page), colorScheme).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(stickiness).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await page.keyboard.type('session');
  await page.keyboard.press('Enter');
  await expect(stickiness).toHaveValue('sessionId');
});

test('date fields look like other fields and change by keyboard', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create(ROLLOUT);
  await page.goto('history');
  await ui.main.getByRole('button', { name: 'Range…' }).click();
  const from = page.getByLabel('From');
  const search = page.getByLabel('Search events');
  for (const colorScheme of THEMES) {
    await changeSystemTheme(page, colorScheme);
    for (const property of ['color', 'backgroundColor', 'borderTopColor'] as const) {
      const isEqual = async () => String(await rgbOf(from, property)) === String(await rgbOf(search, property));
      await expect.poll(isEqual, `${property}, ${colorScheme}`).toBe(true);
    }
  }
  await expect.poll(async () => (await from.boundingBox())?.height).toBe(34);
  await from.focus();
  // The order of the parts depends on the locale of the browser.
  await from.fill('2026-01-05T10:00');
  await expect(page).toHaveURL(/from=2026-01-05T09/);
  await page.keyboard.press('ArrowUp');
  await expect(from).not.toHaveValue('2026-01-05T10:00');
});

test('required fields have a mark', { tag: '@embedded' }, async ({ page, ui }) => {
  const FORMS = [
    { path: 'features/create', required: ['Name'], optional: ['Description'] },
    { path: 'strategies/create', required: ['Name'], optional: ['Description'] },
    { path: 'context/create', required: ['Name'], optional: ['Description', 'Legal values'] },
    { path: 'projects/create', required: ['Project id', 'Name'], optional: ['Description'] },
    { path: 'tag-types/create', required: ['Name'], optional: ['Description', 'Icon'] },
    { path: 'tags/create', required: ['Value'], optional: [] },
    { path: 'addons/create/webhook', required: ['Webhook URL'], optional: ['Description'] },
  ];
  for (const { path, required, optional } of FORMS) {
    await page.goto(path);
    const markOf = (name: string) =>
      ui.main
        .locator('label')
        .filter({ hasText: new RegExp(`^${name}$`) })
        .evaluate((label) => getComputedStyle(label, '::after').content);
    for (const name of required) {
      await expect(ui.main.getByLabel(name, { exact: true }), path).toHaveAttribute('aria-required', 'true');
      expect(await markOf(name), `${path}: ${name}`).toContain('*');
    }
    for (const name of optional) expect(await markOf(name), `${path}: ${name}`).not.toContain('*');
  }
});
