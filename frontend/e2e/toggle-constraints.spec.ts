// Constraints of a strategy: sentences, and the editor that opens in their place.

import type { Locator } from '@playwright/test';
import { axeViolations, LOOKS, tabTo } from './support/accessibility';
import { expect, test } from './support/fixtures';
import { gate } from './support/gate';
import { hasEnvironments } from './support/versions';

const oneOf = (contextName: string, ...values: string[]) => ({ contextName, operator: 'IN', values });
const notOneOf = (contextName: string, ...values: string[]) => ({ contextName, operator: 'NOT_IN', values });

/** The default strategy with constraints. */
const limited = (...constraints: ReturnType<typeof oneOf>[]) => ({ name: 'default', parameters: {}, constraints });

const NO_VALUES = 'Add a value, or remove the constraint.';

test('constraints can be added, changed and removed, with suggested legal values', { tag: '@reach' }, async ({
  page,
  ui,
  flags,
  version,
}) => {
  // Newer servers refuse other values.
  const legalValues = ['eu', 'us', ...(hasEnvironments(version) ? ['mars'] : [])];
  await flags.post('admin/context', { name: 'region', description: '', stickiness: false, legalValues });
  try {
    await flags.create({ name: 'shop.basket' });
    await ui.activation.open('shop.basket');
    const card = ui.activation.strategy('default');
    const add = card.getByRole('button', { name: 'Add constraint' });
    await add.click();
    // Closing the list adds nothing.
    await expect(ui.activation.constraintItem('region is us')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(add).toBeFocused();
    await expect(ui.activation.unsavedCards).toHaveCount(0);
    await ui.activation.addConstraint('default', 'region');
    const constraint = ui.activation.constraint('default');
    await expect(constraint.getByLabel('Values')).toBeFocused();
    await constraint.getByLabel('Operator').selectOption('is not one of');
    await expect(constraint.getByLabel('Values')).toHaveAttribute('aria-required', 'true');
    await expect(ui.activation.saveButton('default')).toHaveAccessibleDescription(
      `Constraint 1 (region): ${NO_VALUES}`,
    );
    await ui.activation.saveButton('default').click({ force: true });
    await constraint.getByLabel('Values').click();
    await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: 'us' }).click();
    await constraint.getByLabel('Values').fill('mars');
    await constraint.getByLabel('Values').press('Enter');
    await ui.activation.saveButton('default').click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect((await flags.find('shop.basket'))?.strategies).toEqual([limited(notOneOf('region', 'us', 'mars'))]);
    // Saving closes the editor.
    await expect(ui.activation.constraintSentence('default')).toHaveAccessibleName('region is not one of us mars');
    await ui.activation.constraintSentence('default').click();
    await card.getByRole('button', { name: 'Remove constraint 1' }).click();
    await expect(add).toBeFocused();
    await ui.activation.saveButton('default').click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect((await flags.find('shop.basket'))?.strategies?.[0]?.constraints ?? []).toEqual([]);
  } finally {
    await flags.remove('admin/context/region');
  }
});

test('Enter opens a constraint, Escape and Done close it, and the focus stays on it', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  const { keyboard } = page;
  await flags.create({ name: 'shop.basket', strategies: [limited(oneOf('userId', 'ada'), oneOf('appName', 'web'))] });
  await ui.activation.open('shop.basket');
  const sentence = ui.activation.constraintSentence('default', 2);
  const values = ui.activation.constraint('default', 2).getByLabel('Values');
  await tabTo(sentence);
  await keyboard.press('Enter');
  await expect(values).toBeFocused();
  await keyboard.press('Escape');
  await expect(sentence).toBeFocused();
  await expect(values).toHaveCount(0);

  await keyboard.press('Enter');
  // Typed text counts as a value when the editor is closed.
  await keyboard.type('ios');
  await keyboard.press('Escape');
  await expect(sentence).toBeFocused();
  await expect(sentence).toHaveAccessibleName('appName is one of web ios');

  await keyboard.press('Enter');
  // The left arrow moves to the last value.
  await keyboard.press('ArrowLeft');
  await expect(ui.activation.constraint('default', 2).locator('[data-chip]').last()).toBeFocused();
  await keyboard.press('Delete');
  await keyboard.press('Tab');
  await expect(values).toBeFocused();
  await tabTo(ui.activation.constraint('default', 2).getByRole('button', { name: 'Done' }));
  await keyboard.press('Enter');
  await expect(sentence).toBeFocused();
  await expect(sentence).toHaveAccessibleName('appName is web');
  await expect(page.getByText('Unsaved')).toHaveCount(0);
});

test('a constraint stays open when the toggle is read again, and closes when it is saved', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  const strategies = (region: string) => [limited(oneOf('userId', 'ada')), limited(oneOf('environment', region))];
  await flags.create({ name: 'shop.basket', strategies: strategies('dev') });
  await page.clock.install();
  await ui.activation.open('shop.basket');
  await ui.activation.constraintSentence('default (1 of 2)').click();
  const values = ui.activation.constraint('default (1 of 2)').getByLabel('Values');
  await expect(values).toBeFocused();
  // Another user changes the other strategy.
  await flags.update('shop.basket', { strategies: strategies('eu') });
  await page.clock.fastForward(60_000);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(ui.activation.strategy('default (2 of 2)')).toContainText('eu');
  await expect(values).toBeFocused();
  await values.fill('grace,');
  // The toggle is stored, and read again: what is opened until that ends stays open.
  const read = gate();
  await page.route('**/api/admin/features/shop.basket', async (route) => {
    if (route.request().method() === 'GET') await read.opened;
    await route.continue();
  });
  await ui.activation.saveButton('default (1 of 2)').click();
  const sentence = ui.activation.constraintSentence('default (1 of 2)');
  await expect(sentence).toContainText('grace');
  await sentence.click();
  read.open();
  await expect(values).toBeFocused();
});

test('a constraint without values stays open, warns, and cannot be saved', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  const empty = [limited(oneOf('userId'), notOneOf('environment'))];
  await flags.create({ name: 'shop.basket', strategies: empty });
  await ui.activation.open('shop.basket');
  const values = ui.activation.constraint('default').getByLabel('Values');
  await expect(values).toHaveAccessibleDescription('Without values, this constraint never matches.');
  await expect(ui.activation.constraint('default', 2).getByLabel('Values')).toHaveAccessibleDescription(
    'Without values, this constraint always matches.',
  );
  await expect(values).not.toHaveAttribute('aria-invalid');
  // The field shows the error once it was left, and only there.
  await values.focus();
  await page.keyboard.press('Escape');
  await expect(values).toBeFocused();
  await expect(values).toHaveAccessibleDescription(NO_VALUES);
  await expect(values).toHaveAttribute('aria-invalid');
  await values.fill('ada,');
  await expect(values).not.toHaveAttribute('aria-invalid');
  await expect(ui.activation.saveButton('default')).toHaveAccessibleDescription(
    `Constraint 2 (environment): ${NO_VALUES}`,
  );
  await expect(ui.activation.saveAll).toHaveAccessibleDescription(`default: Constraint 2 (environment): ${NO_VALUES}`);
  await ui.activation.saveButton('default').click({ force: true });
  await ui.activation.constraint('default', 2).getByRole('button', { name: 'Remove constraint 2' }).click();
  await ui.activation.saveButton('default').click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies).toEqual([limited(oneOf('userId', 'ada'))]);

  // Emptying a stored constraint warns at once, and shows the error when the field is left.
  await ui.activation.constraintSentence('default').click();
  await ui.activation.constraint('default').getByRole('button', { name: 'Remove ada' }).click();
  await expect(values).toBeFocused();
  await expect(values).toHaveAccessibleDescription('Without values, this constraint never matches.');
  await page.keyboard.press('Tab');
  await expect(values).toHaveAccessibleDescription(NO_VALUES);
  await expect(ui.activation.saveButton('default')).toBeDisabled();
});

test('constraints have no axe violations, and are large enough for fingers', { tag: ['@embedded', '@ci'] }, async ({
  page,
  ui,
  flags,
}) => {
  const long = 'a-very-long-user-name-that-does-not-fit-into-one-line-of-a-phone';
  await flags.create({
    name: 'shop.basket',
    strategies: [limited(oneOf('userId', 'ada', long), oneOf('environment'), oneOf('appName', 'web'))],
  });
  for (const { colorScheme, width } of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await ui.activation.open('shop.basket');
    await expect(ui.activation.constraintSentence('default', 3)).toBeVisible();
    expect(await axeViolations(page), `${colorScheme} at ${width}`).toEqual([]);
  }
  await expect
    .poll(async () => (await ui.activation.constraintSentence('default', 3).boundingBox())?.height)
    .toBeGreaterThanOrEqual(44);
});

test('the menu of constraints opens below its button, and is as high as its content', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  for (let number = 0; number < 12; number += 1)
    await flags.post('admin/context', { name: `field${number}`, description: 'One of many', legalValues: [] });
  await flags.create({ name: 'shop.basket' });
  await ui.activation.open('shop.basket');
  await ui.activation.editAll();
  const add = ui.activation.strategy('default').getByRole('button', { name: 'Add constraint' });
  const menu = page.getByRole('dialog', { name: 'Add constraint' });
  const edges = async (element: Locator) => {
    const { y, height } = (await element.boundingBox()) ?? { y: 0, height: 0 };
    return { top: y, bottom: y + height };
  };
  await add.click();
  await expect(ui.activation.highlightedItem).toBeVisible();
  const long = await edges(menu);
  expect(long.top).toBeGreaterThan((await edges(add)).bottom);
  expect(long.bottom).toBeLessThanOrEqual(800);
  await page.keyboard.type('field11');
  await expect(ui.activation.constraintItem('field10')).toHaveCount(0);
  const short = await edges(menu);
  expect(short.top).toBe(long.top);
  expect(short.bottom).toBeLessThan(long.top + 200);
  await page.keyboard.press('Escape');
  // Without enough space below, it is above, and does not cover the header.
  await page.setViewportSize({ width: 1280, height: Math.ceil((await edges(add)).bottom) + 60 });
  await add.click();
  await expect(ui.activation.highlightedItem).toBeVisible();
  const above = await edges(menu);
  expect(above.bottom).toBeLessThan((await edges(add)).top);
  expect(above.top).toBeGreaterThanOrEqual((await edges(page.getByRole('banner'))).bottom);
});

test('Escape closes the list of values, and then the editor', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.post('admin/context', { name: 'region', description: '', legalValues: ['eu', 'us', 'us-east'] });
  await flags.create({ name: 'shop.basket', strategies: [limited(oneOf('region', 'eu'))] });
  await ui.activation.open('shop.basket');
  await ui.activation.constraintSentence('default').click();
  const values = ui.activation.constraint('default').getByLabel('Values');
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await expect(values).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(list.getByRole('option')).toHaveText(['us', 'us-east']);
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(values).toBeFocused();
  await page.keyboard.type('us');
  await expect(list).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(ui.activation.constraintSentence('default')).toHaveAccessibleName('region is one of eu us-east');
  await page.keyboard.press('Escape');
  await expect(ui.activation.constraintSentence('default')).toBeFocused();
});
