// Editors of strategy parameters.

import { expect, test } from './support/fixtures';

const PARAMETERS = [
  { name: 'city', type: 'string', description: '', required: false },
  { name: 'share', type: 'percentage', description: '', required: false },
  { name: 'shops', type: 'list', description: '', required: false },
  { name: 'limit', type: 'number', description: 'Most orders a day', required: false },
  { name: 'strict', type: 'boolean', description: '', required: false },
];

test('each parameter type has its editor [S2-086] [S3-006] [S5-016] [S5-017] [S5-018] [S9-016]', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await flags.post('admin/strategies', { name: 'ofAllKinds', description: '', parameters: PARAMETERS });
  try {
    await flags.create({ name: 'shop.basket', strategies: [{ name: 'ofAllKinds', parameters: {} }] });
    await ui.activation.open('shop.basket');
    const card = ui.activation.strategy('ofAllKinds');
    await card.getByLabel('City').fill(' Oslo ');
    await card.getByLabel('Share', { exact: true }).fill('150');
    await expect(card.getByRole('slider')).toHaveValue('100');
    await card.getByLabel('Share', { exact: true }).fill('30');
    await card.getByLabel('Shops').fill('a, b,,a,c,');
    await expect(card.getByRole('button', { name: /^Remove [abc]$/ })).toHaveCount(3);
    await card.getByRole('button', { name: 'Remove c' }).click();
    const strict = card.getByRole('switch', { name: 'Strict' });
    await strict.check();
    await card.getByLabel('Limit').fill('12,5');
    await expect(card).toContainText('limit is not a number!');
    await expect(ui.activation.saveButton('ofAllKinds')).toBeDisabled();
    await card.getByLabel('Limit').fill('-12.5');
    await expect(card).not.toContainText('limit is not a number!');
    await ui.activation.saveButton('ofAllKinds').click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect((await flags.find('shop.basket'))?.strategies).toEqual([
      { name: 'ofAllKinds', parameters: { city: 'Oslo', share: '30', shops: 'a,b', limit: '-12.5', strict: 'true' } },
    ]);
  } finally {
    await flags.remove('admin/strategies/ofAllKinds');
  }
});

test('a boolean parameter has its label, switch and description at the left edge, like other fields', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  const parameters = [
    { name: 'from', type: 'number', description: 'First hour', required: true },
    { name: 'until', type: 'number', description: 'Last hour', required: true },
    { name: 'holidays', type: 'boolean', description: 'On holidays too', required: false },
  ];
  await flags.post('admin/strategies', { name: 'openingHours', description: '', parameters });
  try {
    await flags.create({ name: 'shop.basket', strategies: [{ name: 'openingHours', parameters: {} }] });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await ui.activation.open('shop.basket');
      const card = ui.activation.strategy('openingHours');
      const holidays = card.getByRole('switch', { name: 'Holidays' });
      await expect(holidays).toHaveAccessibleDescription('On holidays too');
      const from = await card.getByLabel('From').boundingBox();
      const parts = [
        card.getByText('Holidays', { exact: true }),
        holidays.locator('..'),
        card.getByText('On holidays too'),
      ];
      for (const part of parts)
        await expect.poll(async () => (await part.boundingBox())?.x).toBeCloseTo(from?.x ?? Number.NaN, 0);
      await card.getByText('Holidays', { exact: true }).click();
      await expect(holidays).toBeChecked();
      await page.getByRole('button', { name: 'Clear all' }).click();
    }
  } finally {
    await flags.remove('admin/strategies/openingHours');
  }
});

test('required parameters are marked and cause a warning while they are empty, but can be saved', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  const parameters = PARAMETERS.map((parameter) => ({ ...parameter, required: parameter.type !== 'boolean' }));
  await flags.post('admin/strategies', { name: 'ofAllKinds', description: '', parameters });
  try {
    await flags.create({ name: 'shop.basket', strategies: [{ name: 'ofAllKinds', parameters: { limit: '1' } }] });
    await ui.activation.open('shop.basket');
    const card = ui.activation.strategy('ofAllKinds');
    for (const label of ['City', 'Share', 'Shops', 'Limit']) {
      await expect(card.getByLabel(label, { exact: true })).toHaveAttribute('aria-required', 'true');
    }
    const warning = ui.main.getByRole('region', { name: 'Warnings' }).getByText('requires a value for City');
    await expect(warning).toBeVisible();
    await card.getByLabel('Share', { exact: true }).fill('5');
    await ui.activation.saveButton('ofAllKinds').click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect((await flags.find('shop.basket'))?.strategies?.[0]?.parameters).toMatchObject({ share: '5' });
    await card.getByLabel('City').fill('Oslo');
    await expect(warning).toHaveCount(0);
    await ui.activation.choose('ofAllKinds', 'Discard changes');
    await expect(warning).toBeVisible();
    await page.goto('features/create#name=shop.new');
    await ui.activation.addStrategy('ofAllKinds');
    await expect(ui.activation.strategy('ofAllKinds').getByLabel('City')).toHaveAttribute('aria-required', 'true');
  } finally {
    await flags.remove('admin/strategies/ofAllKinds');
  }
});

test('the default strategy has no parameters and shows an explanation', { tag: '@embedded' }, async ({ ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await ui.activation.open('shop.basket');
  await expect(ui.activation.strategy('default')).toContainText('On for everyone while the toggle is enabled.');
  await expect(ui.activation.strategy('default').getByRole('textbox')).toHaveCount(0);
});

test('a rollout offers the stickiness fields of the service [S9-009]', { tag: '@embedded' }, async ({ ui, flags }) => {
  await flags.post('admin/context', { name: 'tenant', description: '', stickiness: true, legalValues: [] });
  try {
    const parameters = { rollout: '10', stickiness: 'sessionId', groupId: 'shop.basket' };
    await flags.create({ name: 'shop.basket', strategies: [{ name: 'flexibleRollout', parameters }] });
    await ui.activation.open('shop.basket');
    await ui.activation.openDetails('flexibleRollout');
    const stickiness = ui.activation.strategy('flexibleRollout').getByLabel('Stickiness');
    await expect(stickiness).toHaveValue('sessionId');
    await expect(stickiness.getByRole('option')).toContainText(['default', 'userId', 'sessionId', 'random', 'tenant']);
  } finally {
    await flags.remove('admin/context/tenant');
  }
});

test('a strategy that the service does not have keeps and shows its values', { tag: '@reach' }, async ({
  page,
  ui,
  flags,
}) => {
  const gone = { name: 'gone', parameters: { level: '5' } };
  await flags.create({ name: 'shop.basket', strategies: [gone, { name: 'default', parameters: {} }] });
  await ui.activation.open('shop.basket');
  await expect(ui.activation.strategy('gone')).toContainText('The strategy "gone" does not exist on this server.');
  await expect(ui.activation.strategy('gone')).toContainText('level');
  await expect(ui.activation.strategy('gone').getByRole('definition')).toHaveText('5');
  await ui.activation.addStrategy('userWithId');
  await ui.activation.saveButton('userWithId').click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies?.[0]).toEqual(gone);
});
