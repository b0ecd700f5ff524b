// Editors of strategy parameters and constraints.

import { expect, stubTest, test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

const PARAMETERS = [
  { name: 'city', type: 'string', description: '', required: false },
  { name: 'share', type: 'percentage', description: '', required: false },
  { name: 'shops', type: 'list', description: '', required: false },
  { name: 'limit', type: 'number', description: 'Most orders a day', required: false },
  { name: 'strict', type: 'boolean', description: '', required: false },
];

test('each parameter type has its editor [S2-086] [S3-006] [S5-016] [S5-017] [S5-018] [S9-016]', async ({
  page,
  ui,
  flags,
}) => {
  await flags.post('admin/strategies', { name: 'ofAllKinds', description: '', parameters: PARAMETERS });
  try {
    await flags.create({ name: 'shop.basket', strategies: [{ name: 'ofAllKinds', parameters: {} }] });
    await ui.openActivation('shop.basket');
    const card = ui.strategy('ofAllKinds');
    await card.getByLabel('City').fill(' Oslo ');
    await card.getByLabel('Share', { exact: true }).fill('150');
    await expect(card.getByRole('slider')).toHaveValue('100');
    await card.getByLabel('Share', { exact: true }).fill('30');
    await card.getByLabel('Shops').fill('a, b,,a,c,');
    await expect(card.getByRole('button', { name: /^Remove [abc]$/ })).toHaveCount(3);
    await card.getByRole('button', { name: 'Remove c' }).click();
    const strict = card.getByRole('switch', { name: 'Strict' });
    const text = card.getByText('Strict', { exact: true });
    const [label, limit] = await Promise.all([text.boundingBox(), card.getByLabel('Limit').boundingBox()]);
    // The switch and its label must start at the left edge of their column, next to the column of the limit.
    expect((label?.x ?? Number.NaN) - ((limit?.x ?? 0) + (limit?.width ?? 0))).toBeLessThan(80);
    await strict.check();
    await card.getByLabel('Limit').fill('12,5');
    await expect(card).toContainText('limit is not a number!');
    await expect(ui.saveOf('ofAllKinds')).toBeDisabled();
    await card.getByLabel('Limit').fill('-12.5');
    await expect(card).not.toContainText('limit is not a number!');
    await ui.saveOf('ofAllKinds').click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect((await flags.find('shop.basket'))?.strategies).toEqual([
      { name: 'ofAllKinds', parameters: { city: 'Oslo', share: '30', shops: 'a,b', limit: '-12.5', strict: 'true' } },
    ]);
  } finally {
    await flags.remove('admin/strategies/ofAllKinds');
  }
});

test('required parameters are marked and cause a warning while they are empty, but can be saved', async ({
  page,
  ui,
  flags,
}) => {
  const parameters = PARAMETERS.map((parameter) => ({ ...parameter, required: parameter.type !== 'boolean' }));
  await flags.post('admin/strategies', { name: 'ofAllKinds', description: '', parameters });
  try {
    await flags.create({ name: 'shop.basket', strategies: [{ name: 'ofAllKinds', parameters: { limit: '1' } }] });
    await ui.openActivation('shop.basket');
    const card = ui.strategy('ofAllKinds');
    for (const label of ['City', 'Share', 'Shops', 'Limit']) {
      await expect(card.getByLabel(label, { exact: true })).toHaveAttribute('aria-required', 'true');
    }
    const warning = ui.main.getByRole('region', { name: 'Warnings' }).getByText('requires a value for City');
    await expect(warning).toBeVisible();
    await card.getByLabel('Share', { exact: true }).fill('5');
    await ui.saveOf('ofAllKinds').click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect((await flags.find('shop.basket'))?.strategies?.[0]?.parameters).toMatchObject({ share: '5' });
    await card.getByLabel('City').fill('Oslo');
    await expect(warning).toHaveCount(0);
    await ui.chooseForStrategy('ofAllKinds', 'Discard changes');
    await expect(warning).toBeVisible();
    await page.goto('features/create#name=shop.new');
    await ui.addStrategy('ofAllKinds');
    await expect(ui.strategy('ofAllKinds').getByLabel('City')).toHaveAttribute('aria-required', 'true');
  } finally {
    await flags.remove('admin/strategies/ofAllKinds');
  }
});

test('the default strategy has no parameters and shows an explanation', { tag: '@embedded' }, async ({ ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await ui.openActivation('shop.basket');
  await expect(ui.strategy('default')).toContainText('On for everyone while the toggle is enabled.');
  await expect(ui.strategy('default').getByRole('textbox')).toHaveCount(0);
});

test('a rollout offers the stickiness fields of the service [S9-009]', { tag: '@embedded' }, async ({ ui, flags }) => {
  await flags.post('admin/context', { name: 'tenant', description: '', stickiness: true, legalValues: [] });
  try {
    const parameters = { rollout: '10', stickiness: 'sessionId', groupId: 'shop.basket' };
    await flags.create({ name: 'shop.basket', strategies: [{ name: 'flexibleRollout', parameters }] });
    await ui.openActivation('shop.basket');
    const stickiness = ui.strategy('flexibleRollout').getByLabel('Stickiness');
    await expect(stickiness).toHaveValue('sessionId');
    await expect(stickiness.getByRole('option')).toContainText(['default', 'userId', 'sessionId', 'random', 'tenant']);
  } finally {
    await flags.remove('admin/context/tenant');
  }
});

test('a strategy that the service does not have keeps and shows its values', async ({ page, ui, flags }) => {
  const gone = { name: 'gone', parameters: { level: '5' }, constraints: [] };
  await flags.create({ name: 'shop.basket', strategies: [gone, { name: 'default', parameters: {} }] });
  await ui.openActivation('shop.basket');
  await expect(ui.strategy('gone')).toContainText('The strategy "gone" does not exist on this server.');
  await expect(ui.strategy('gone')).toContainText('level');
  await expect(ui.strategy('gone').getByText('5', { exact: true })).toBeVisible();
  await ui.addStrategy('userWithId');
  await ui.saveOf('userWithId').click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies?.[0]).toEqual(gone);
});

test('constraints can be added, changed and removed, with suggested legal values', async ({ page, ui, flags }) => {
  await flags.post('admin/context', { name: 'region', description: '', stickiness: false, legalValues: ['eu', 'us'] });
  try {
    await flags.create({ name: 'shop.basket' });
    await ui.openActivation('shop.basket');
    const card = ui.strategy('default');
    await card.getByRole('button', { name: 'Add constraint' }).click();
    const constraint = card.getByRole('group', { name: 'Constraint 1' });
    await constraint.getByLabel('Context field').selectOption('region');
    await constraint.getByLabel('Operator').selectOption('is none of');
    await expect(constraint.getByLabel('Values')).toHaveAccessibleDescription('Add at least one value.');
    await expect(ui.saveOf('default')).toHaveAccessibleDescription('Constraint 1 (region): Add at least one value.');
    await ui.saveOf('default').click({ force: true });
    await constraint.getByRole('button', { name: 'Add us' }).click();
    await expect(constraint.getByLabel('Values')).not.toHaveAttribute('aria-invalid');
    await constraint.getByLabel('Values').fill('mars');
    await constraint.getByLabel('Values').press('Enter');
    await ui.saveOf('default').click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect((await flags.find('shop.basket'))?.strategies).toEqual([
      {
        name: 'default',
        parameters: {},
        constraints: [{ contextName: 'region', operator: 'NOT_IN', values: ['us', 'mars'] }],
      },
    ]);
    await card.getByRole('button', { name: 'Remove constraint 1' }).click();
    await ui.saveOf('default').click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect((await flags.find('shop.basket'))?.strategies?.[0]?.constraints ?? []).toEqual([]);
  } finally {
    await flags.remove('admin/context/region');
  }
});

stubTest.describe('on a server with unknown features', { tag: '@stub' }, () => {
  stubTest(
    'unknown operators, fields and strategy properties are shown, kept and sent back',
    async ({ page, ui, stub }) => {
      const constraints = [
        { contextName: 'userId', operator: 'STR_STARTS_WITH', values: ['a'], caseInsensitive: true },
        { contextName: 'planet', operator: 'IN', values: ['mars'] },
      ];
      const unknown = { name: 'default', id: '7', parameters: {}, constraints, segments: [3], title: 'Mine' };
      const users = { name: 'userWithId', id: '8', parameters: { userIds: 'ada' } };
      const stored = toggle('shop.basket', { strategies: [unknown, users], impressionData: true });
      stub.respond('GET /api/admin/features', { body: { version: 1, features: [stored] } });
      stub.respond('GET /api/admin/features/shop.basket', { body: stored });
      stub.respond('GET /api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events: [] } });
      stub.respond('GET /api/admin/context', { body: [{ name: 'userId', description: '', sortOrder: 1 }] });
      stub.respond('PUT /api/admin/features/shop.basket', { status: 200 });
      await ui.openActivation('shop.basket');
      const card = ui.strategy('default');
      await expect(card.getByRole('group', { name: 'Constraint 1' })).toContainText('STR_STARTS_WITH');
      await expect(card.getByRole('group', { name: 'Constraint 1' }).getByRole('combobox')).toHaveCount(0);
      await expect(card.getByRole('group', { name: 'Constraint 2' })).toContainText(
        'This server has no context field planet.',
      );
      await card.getByRole('button', { name: 'Add constraint' }).click();
      await card.getByLabel('Values').fill('ada,');
      await ui.saveOf('default').click();
      await expect.poll(() => stub.called('PUT /api/admin/features/shop.basket').length).toBe(1);
      const added = { contextName: 'userId', operator: 'IN', values: ['ada'] };
      expect(stub.called('PUT /api/admin/features/shop.basket')[0]?.body).toEqual({
        ...stored,
        strategies: [{ ...unknown, constraints: [...constraints, added] }, users],
      });
      await expect(page.getByText('successfully updated!')).toBeVisible();
    },
  );
});
