// The form for a new toggle. Its project, and leaving it: ../src/features/toggles/togglePage.test.tsx.

import { afterRead } from './support/afterRead';
import { expect, test } from './support/fixtures';
import { messagesOf } from './support/serverMessages';

test('creates a toggle from the input and opens it [S2-042] [S2-043] [S4-009] [S5-003] [S7-006] [S2-005]', async ({
  page,
  ui,
  flags,
}) => {
  await page.goto('features');
  await page.getByRole('link', { name: 'New toggle' }).first().click();
  await ui.nameField.fill('  checkout.express-pay ');
  await page.getByLabel('Toggle type').selectOption('Experiment');
  await page.getByLabel('Description').fill(' One-tap payment ');
  await page.getByRole('switch', { name: 'Enabled' }).uncheck();
  await ui.activation.addStrategy('gradualRolloutUserId');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/checkout\.express-pay$/);
  await expect(page.getByRole('heading', { name: 'checkout.express-pay' })).toBeVisible();
  expect(await flags.find('checkout.express-pay')).toMatchObject({
    description: 'One-tap payment',
    type: 'experiment',
    enabled: false,
    stale: false,
    strategies: [{ name: 'gradualRolloutUserId', parameters: { percentage: '100', groupId: 'checkout.express-pay' } }],
  });
});

test('uses defaults for fields that were not filled in [S4-007] [S4-008] [S9-013] [S9-014] [S3-001]', {
  tag: ['@strategy-required', '@reach'],
}, async ({ page, ui, flags }) => {
  await afterRead(page, 'api/admin/projects', () => page.goto('features/create'));
  await expect(page.getByLabel('Toggle type')).toHaveValue('release');
  await expect(page.getByRole('switch', { name: 'Enabled' })).toBeChecked();
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(0);
  // Here the service has only the default project.
  await expect(page.getByLabel('Project')).toHaveCount(0);
  await ui.nameField.fill('plain');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/plain$/);
  expect(await flags.find('plain')).toMatchObject({
    type: 'release',
    project: 'default',
    enabled: true,
    stale: false,
    strategies: [{ name: 'default', parameters: {} }],
    variants: [],
  });
});

test('says who gets the feature as soon as it is created, and creates it off with one click', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await page.goto('features/create');
  // Servers with environments add the name of the environment.
  const saysOn = (audience: string) =>
    expect(create).toHaveAccessibleDescription(
      new RegExp(`^On for ${audience.replace(' ', '\\s')}( in development)? as soon as it is created\\.`),
    );
  const off = page.getByRole('button', { name: 'Create switched off' });
  const create = page.getByRole('button', { name: 'Create', exact: true });
  await saysOn('everyone');
  const enabled = page.getByRole('switch', { name: 'Enabled' });
  await enabled.uncheck();
  await expect(create).toHaveAccessibleDescription('When enabled, on for everyone.');
  await expect(off).toBeVisible();
  await enabled.check();
  await ui.nameField.fill('shop.basket');
  await ui.activation.addStrategy('flexibleRollout');
  await saysOn('100 % of users');
  await ui.activation.rolloutField('flexibleRollout').fill('25');
  await saysOn('25 % of users');
  await ui.activation.addStrategy('default');
  await saysOn('everyone');
  await off.click();
  await expect(page).toHaveURL(/\/features\/strategies\/shop\.basket$/);
  expect(await flags.find('shop.basket')).toMatchObject({ enabled: false, strategies: [{}, { name: 'default' }] });
});

test('shows the result of the name validation of the server under the name [S5-002] [S7-007] [S7-061]', async ({
  page,
  ui,
  flags,
  version,
}) => {
  const { nameTaken, nameTakenInArchive } = messagesOf(version);
  await flags.create({ name: 'shop.basket' }, { name: 'shop.gone' });
  await flags.archive('shop.gone');
  await page.goto('features/create');
  for (const [name, message] of [
    ['shop.basket', nameTaken],
    ['shop.gone', nameTakenInArchive],
    ['50%', /"name" must be URL friendly/],
  ] as const) {
    const validated = page.waitForRequest('**/api/admin/features/validate');
    await ui.nameField.fill(name);
    await ui.nameField.blur();
    expect((await validated).postDataJSON()).toEqual({ name });
    await expect(ui.nameField).toHaveAccessibleDescription(message);
    await expect(ui.nameField).toHaveAttribute('aria-invalid', 'true');
  }
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/features\/create$/);
  await ui.nameField.fill('shop.free');
  await ui.nameField.blur();
  await expect(ui.nameField).not.toHaveAttribute('aria-invalid', 'true');
});

test('links from the name of an archived toggle to that toggle and keeps the form', { tag: '@reach' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.gone' });
  await flags.archive('shop.gone');
  await page.goto('features/create');
  await page.getByLabel('Description').fill('Half typed');
  await ui.nameField.fill('shop.gone');
  await ui.nameField.blur();
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Show the archived toggle' }).click();
  const archived = await opened;
  await expect(archived).toHaveURL(/\/archive\/strategies\/shop\.gone$/);
  await expect(archived.getByRole('heading', { name: 'shop.gone' })).toBeVisible();
  await expect(page.getByLabel('Description')).toHaveValue('Half typed');
});

test('offers strategies once the name has two characters, with typed parameters and default values [S5-004] [S9-008] [S2-086] [S5-018] [S5-019]', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await page.goto('features/create');
  await ui.nameField.fill('x');
  await expect(ui.activation.addStrategyButton).toBeDisabled();
  await expect(ui.main.getByText('Enter a name first.')).toBeVisible();
  await ui.nameField.fill('xy');
  await expect(ui.activation.addStrategyButton).toBeEnabled();
  await expect(ui.main.getByText('Enter a name first.')).toBeHidden();

  await ui.activation.addStrategy('flexibleRollout');
  const rollout = ui.activation.strategy('flexibleRollout');
  await expect(rollout.getByRole('slider')).toHaveValue('100');
  await ui.activation.openDetails('flexibleRollout');
  await expect(rollout.getByLabel('groupId')).toHaveValue('xy');
  await expect(rollout.getByLabel('Stickiness')).toHaveValue('default');
  await rollout.getByRole('slider').fill('25');

  await ui.activation.addStrategy('userWithId');
  const users = ui.activation.strategy('userWithId').getByLabel('userIds');
  await users.fill('ada, grace,, ada');
  await users.press('Enter');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/xy$/);
  expect(await flags.find('xy')).toMatchObject({
    strategies: [
      { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'default', groupId: 'xy' } },
      { name: 'userWithId', parameters: { userIds: 'ada,grace' } },
    ],
  });
});
