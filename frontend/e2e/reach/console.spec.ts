// The console in front of a server with environments: creating and reviving, merging, history, projects and permissions.

import { entries, expandEntry } from '../support/events';
import { environmentOf, expect, type Reply, strategiesOf, TOGGLES, test } from './api';

const NAME = 'shop.basket';
const PARAMETERS = { rollout: '25', stickiness: 'userId', groupId: 'g' };
const ROLLOUT = { name: 'flexibleRollout', parameters: PARAMETERS, constraints: [] };

const percents = (strategies: Reply['body'][]) => strategies.map(({ parameters }) => parameters.rollout);

test.describe('a toggle created without strategies', () => {
  test('is off for everyone if it is created off', async ({ page, ui, server }) => {
    await page.goto('features/create');
    await expect(ui.main).toContainText('Without a strategy, the toggle is on for everyone in development.');
    await page.getByRole('switch', { name: 'Enabled', exact: true }).uncheck();
    await expect(ui.main).toContainText('Without a strategy, the toggle is off for everyone in development.');
    await page.getByRole('switch', { name: 'Enabled', exact: true }).check();
    await expect(ui.main).toContainText('On for everyone in development as soon as it is created.');
    await ui.nameField.fill(NAME);
    await page.getByRole('button', { name: 'Create switched off' }).click();
    await expect(ui.main.getByRole('heading', { name: 'No strategies in development' })).toBeVisible();
    expect(await server.state(NAME)).toMatchObject({ enabled: false, strategies: [] });
  });

  test('is on for everyone after a confirmation', async ({ page, ui, server }) => {
    await page.goto('features/create');
    await ui.nameField.fill(NAME);
    const create = page.getByRole('button', { name: 'Create', exact: true });
    await create.click();
    const question = page.getByRole('dialog', { name: `Enable ${NAME} in development` });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(ui.nameField).toHaveValue(NAME);
    expect((await server.send('GET', `${TOGGLES}/${NAME}`)).status).toBe(404);
    await create.click();
    await question.getByRole('button', { name: 'Add rollout and enable' }).click();
    await expect(ui.activation.titles()).toHaveText(['flexibleRollout']);
    expect(await server.state(NAME)).toMatchObject({ enabled: true, strategies: [{ parameters: { rollout: '100' } }] });
  });
});

test('the archive says that a revived toggle is off in every environment', async ({ page, ui, server }) => {
  await server.createToggle(NAME, ROLLOUT);
  await server.call('POST', `${environmentOf(NAME)}/on`);
  await server.call('DELETE', `${TOGGLES}/${NAME}`);
  await page.goto(`archive/strategies/${NAME}`);
  await expect(ui.main).toContainText('restores it with all its settings, off in every environment.');
  await page.goto('archive');
  // The page knows the server.
  await expect(ui.environmentPicker).toHaveText('Environment: development');
  await ui
    .row(NAME)
    .getByRole('button', { name: /Revive/ })
    .click();
  await expect(ui.dialog).toContainText('The toggle will be off in every environment.');
  await ui.dialog.getByRole('button', { name: 'Revive' }).click();
  await expect(ui.row(NAME)).toHaveCount(0);
  await ui.menu.getByRole('link', { name: 'Feature toggles' }).click();
  await expect(ui.switchOf(NAME)).not.toBeChecked();
  expect(await server.state(NAME)).toMatchObject({ enabled: false, strategies: [ROLLOUT] });
});

test.describe('saving a card', () => {
  test('keeps a card and a description of another user, and asks about the same card', { tag: '@smoke' }, async ({
    ui,
    server,
  }) => {
    const [{ id }] = (await server.createToggle(NAME, ROLLOUT)) as [{ id: string }];
    await ui.activation.open(NAME);
    await ui.activation.rolloutField('flexibleRollout').fill('50');
    await server.call('POST', strategiesOf(NAME), { name: 'default', parameters: {}, constraints: [] });
    await server.call('PATCH', `${TOGGLES}/${NAME}`, [{ op: 'replace', path: '/description', value: 'Theirs' }]);
    await ui.activation.saveButton('flexibleRollout').click();
    await expect(ui.activation.unsavedCards).toHaveCount(0);
    await expect(ui.activation.titles()).toHaveText(['flexibleRollout', 'default']);
    expect(percents(await server.strategies(NAME))).toEqual(['50', undefined]);
    expect(await server.call('GET', `${TOGGLES}/${NAME}`)).toMatchObject({ description: 'Theirs' });

    await ui.activation.rolloutField('flexibleRollout').fill('60');
    await server.call('PUT', `${strategiesOf(NAME)}/${id}`, {
      ...ROLLOUT,
      parameters: { ...PARAMETERS, rollout: '75' },
    });
    await ui.activation.saveButton('flexibleRollout').click();
    await expect(ui.dialog.getByRole('radio', { name: 'Saved version' })).toHaveAccessibleName(/rollout 50 → 75\s%/);
    expect(percents(await server.strategies(NAME))).toEqual(['75', undefined]);
    await ui.dialog.getByRole('radio', { name: 'Your version' }).check();
    await ui.dialog.getByRole('button', { name: 'Save' }).click();
    await expect(ui.activation.unsavedCards).toHaveCount(0);
    expect(percents(await server.strategies(NAME))).toEqual(['60', undefined]);
  });

  test('after the server refused a part says what is stored, and the next save sends the rest', async ({
    page,
    ui,
    server,
  }) => {
    const group = (groupId: string) => ({ ...ROLLOUT, parameters: { ...PARAMETERS, groupId } });
    await server.createToggle(NAME, group('one'), group('two'));
    // The console cannot enter a constraint that the server refuses.
    await page.route(`**/api/admin/features/${NAME}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      const toggle = route.request().postDataJSON();
      toggle.strategies[1].constraints = [{ contextName: 'userId', operator: 'NO_SUCH_OPERATOR', values: [] }];
      await route.continue({ postData: toggle });
    });
    await ui.activation.open(NAME);
    const card = (number: number) => ui.main.getByRole('group', { name: `flexibleRollout (${number} of 2)` });
    for (const number of [1, 2]) await card(number).getByLabel('Rollout', { exact: true }).fill(`3${number}`);
    await ui.activation.saveAll.click();
    await expect(ui.snackbar).toContainText('The change is stored in part, with 1 of 2 requests.');
    await expect(card(1).getByText('Unsaved')).toHaveCount(0);
    await expect(card(2).getByText('Unsaved')).toBeVisible();
    expect(percents(await server.strategies(NAME))).toEqual(['31', '25']);
    await page.unroute(`**/api/admin/features/${NAME}`);
    await card(2)
      .getByRole('button', { name: /^Save flexibleRollout/ })
      .click();
    await expect(ui.activation.unsavedCards).toHaveCount(0);
    expect(percents(await server.strategies(NAME))).toEqual(['31', '32']);
  });
});

test('the log shows the change of one strategy and its environment, and undoes it', async ({ page, ui, server }) => {
  const [{ id }] = (await server.createToggle(NAME, ROLLOUT)) as [{ id: string }];
  const changed = { ...ROLLOUT, parameters: { ...PARAMETERS, rollout: '50' } };
  await server.call('PUT', `${strategiesOf(NAME)}/${id}`, changed);
  await server.call('POST', strategiesOf(NAME, 'production'), ROLLOUT);
  await page.goto(`features/history/${NAME}`);
  const update = entries(ui).filter({ hasText: /flexibleRollout 25.*50\s%/ });
  await expect(update).toContainText('changed the toggle in development');
  await expandEntry(update);
  await expect(update).toContainText('feature-strategy-update');
  await expect(update.getByRole('listitem').filter({ hasText: 'rollout' }).last()).toContainText(
    /before: 25.*after: 50/,
  );
  await update.getByRole('button', { name: 'Undo this change' }).click();
  await expect(ui.snackbar).toContainText(`Change to ${NAME} undone in development.`);
  expect(percents(await server.strategies(NAME))).toEqual(['25']);
  expect(percents(await server.strategies(NAME, 'production'))).toEqual(['25']);
});

test.describe('projects', () => {
  const REASON = 'Creating and editing projects requires Unleash Enterprise.';

  test('cannot be changed, and each form says why', async ({ page, ui }) => {
    await page.goto('projects/create');
    await expect(ui.main.getByRole('heading', { name: 'Creating is disabled' })).toBeVisible();
    await expect(ui.main.getByText(REASON, { exact: true })).toHaveCount(1);
    await page.goto('projects/edit/default');
    await expect(page.getByLabel('Name')).toBeDisabled();
    await expect(ui.main.getByText(REASON, { exact: true })).toHaveCount(1);
    await page.goto('projects');
    await expect(ui.row('Default')).toBeVisible();
    await expect(ui.main.getByRole('button', { name: 'New project' })).toHaveAccessibleDescription(REASON);
  });
});

test('a context field in use is kept, with the reason of the server', { tag: '@since-8.2' }, async ({
  page,
  ui,
  server,
}) => {
  const field = { name: 'region', description: '', stickiness: false, sortOrder: 9, legalValues: [{ value: 'eu' }] };
  await server.call('POST', '/api/admin/context', field);
  const constraints = [{ contextName: 'region', operator: 'IN', values: ['eu'] }];
  await server.createToggle(NAME, { ...ROLLOUT, constraints });
  await page.goto('context');
  await ui.row('region').getByRole('button', { name: 'Remove region' }).click();
  await expect(ui.dialog).toContainText(NAME);
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.dialog.getByRole('alert')).toContainText(/in use/);
  expect(await server.call('GET', '/api/admin/context/region')).toMatchObject({ name: 'region' });
});

test('the list says that usage is counted per hour', { tag: '@smoke' }, async ({ page, ui, server }) => {
  await server.createToggle(NAME, ROLLOUT);
  await page.goto('features');
  await expect(ui.row(NAME)).toBeVisible();
  await ui.openFilters();
  await expect(ui.filters).toContainText('This server reports usage per hour.');
});

test.describe('a viewer', () => {
  test.use({ account: 'viewer' });

  test('sees toggles read-only, with the reason', { tag: '@smoke' }, async ({ page, ui, server }) => {
    await server.createToggle(NAME, ROLLOUT);
    await page.goto('features');
    await expect(ui.switchOf(NAME)).toBeDisabled();
    await expect(page.getByRole('link', { name: 'New toggle' })).toHaveCount(0);
    await page.goto(`features/strategies/${NAME}`);
    await expect(ui.main.getByText('You need the permission UPDATE_FEATURE for this.').first()).toBeVisible();
    await expect(ui.main.getByRole('switch', { name: 'Enabled', exact: true })).toBeDisabled();
    await expect(ui.activation.rolloutField('flexibleRollout')).toHaveCount(0);
  });
});

test.describe('an editor', () => {
  test.use({ account: 'editor' });

  test('can switch and save', { tag: '@smoke' }, async ({ ui, server }) => {
    await server.createToggle(NAME, ROLLOUT);
    await ui.activation.open(NAME);
    await ui.main.getByRole('switch', { name: 'Enabled', exact: true }).click();
    await expect(ui.snackbar).toContainText(`${NAME} switched on in development.`);
    await ui.activation.rolloutField('flexibleRollout').fill('50');
    await ui.activation.saveButton('flexibleRollout').click();
    await expect(ui.activation.unsavedCards).toHaveCount(0);
    expect(await server.state(NAME)).toMatchObject({ enabled: true, strategies: [{ parameters: { rollout: '50' } }] });
  });
});
