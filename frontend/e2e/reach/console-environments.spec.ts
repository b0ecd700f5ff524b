// The console in front of a server with several environments, of which each tab selects one.

import { Ui } from '../support/ui';
import { environmentOf, expect, type Reply, strategiesOf, test } from './api';

const NAME = 'shop.basket';
const PARAMETERS = { rollout: '10', stickiness: 'userId', groupId: 'g' };
const ROLLOUT = { name: 'flexibleRollout', parameters: PARAMETERS, constraints: [] };
const ENVIRONMENTS = ['development', 'production'] as const;

type Environment = (typeof ENVIRONMENTS)[number];

test.use({ environment: '' });

test.describe('with a toggle that is on in both environments', () => {
  test.beforeEach(async ({ server }) => {
    await server.createToggle(NAME, ROLLOUT);
    const parameters = { ...PARAMETERS, rollout: '40' };
    await server.call('POST', strategiesOf(NAME, 'production'), { ...ROLLOUT, parameters });
    for (const environment of ENVIRONMENTS) await server.call('POST', `${environmentOf(NAME, environment)}/on`);
  });

  test('two tabs change only their own environment', { tag: '@smoke' }, async ({ page, ui, context, server }) => {
    const state = async (environment: Environment) => {
      const { enabled, strategies } = await server.call('GET', environmentOf(NAME, environment));
      return [enabled, ...strategies.map(({ parameters }: Reply['body']) => parameters.rollout)];
    };
    await page.goto(`features/strategies/${NAME}?environment=development`);
    const other = new Ui(await context.newPage());
    await other.page.goto(`features/strategies/${NAME}?environment=production`);
    await other.activation.editAll();
    await ui.activation.editAll();
    await expect(other.activation.rolloutField('flexibleRollout')).toHaveValue('40');
    await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('10');
    await ui.activation.rolloutField('flexibleRollout').fill('20');
    await ui.activation.saveButton('flexibleRollout').click();
    await expect(ui.activation.unsavedCards).toHaveCount(0);
    await other.main.getByRole('switch', { name: 'Enabled', exact: true }).click();
    await expect(other.snackbar).toContainText(`${NAME} switched off in production.`);
    expect(await state('development')).toEqual([true, '20']);
    expect(await state('production')).toEqual([false, '40']);
    await other.snackbar.getByRole('button', { name: 'Undo' }).click();
    await expect(other.main.getByRole('switch', { name: 'Enabled', exact: true })).toBeChecked();
    await ui.page.reload();
    await expect(ui.environmentPicker).toHaveText('development');
    await ui.activation.editAll();
    await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('20');
    expect(await state('development')).toEqual([true, '20']);
    expect(await state('production')).toEqual([true, '40']);
    await other.page.close();
  });

  test('a plan changes the environment of its review', { tag: '@smoke' }, async ({ page, ui, server }) => {
    const file = `version: 1
toggles:
  ${NAME}:
    enabled: false
    strategies:
      - name: flexibleRollout
        parameters: { rollout: "20", stickiness: userId, groupId: g }
  shop.new:
    description: New
`;
    await page.goto('plans?environment=development');
    await ui.main.getByLabel('Or paste the text').fill(file);
    await ui.main.getByRole('button', { name: 'Review' }).click();
    await expect(ui.main.getByText('2 changes, none of which widens who gets the feature')).toBeVisible();
    await expect(ui.main.getByRole('listitem', { name: NAME })).toContainText('rollout 10 → 20 %');
    await ui.main.getByRole('button', { name: 'Apply 2 changes' }).click();
    await expect(ui.main.getByText('2 of 2 changes applied.')).toBeVisible();
    const state = async (environment: Environment) => {
      const { enabled, strategies } = await server.call('GET', environmentOf(NAME, environment));
      return [enabled, ...strategies.map(({ parameters }: Reply['body']) => parameters.rollout)];
    };
    expect(await state('development')).toEqual([false, '20']);
    expect(await state('production')).toEqual([true, '40']);
  });

  test('a page without a selection asks, and shows and changes the chosen environment', { tag: '@smoke' }, async ({
    page,
    ui,
    server,
  }) => {
    const statuses = new Set<number>();
    page.on('response', (response) => {
      if (response.url().includes('/api/admin/features')) statuses.add(response.status());
    });
    await page.goto(`features/strategies/${NAME}`);
    const dialog = page.getByRole('dialog', { name: 'Choose an environment' });
    await expect(dialog.getByRole('listitem')).toHaveText([/^development/, /^production/]);
    expect([...statuses]).toEqual([428]);
    await dialog.getByRole('button', { name: 'production' }).click();
    await ui.activation.editAll();
    await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('40');
    await ui.main.getByRole('switch', { name: 'Enabled', exact: true }).click();
    await expect(ui.snackbar).toContainText(`${NAME} switched off in production.`);
    expect(await server.state(NAME)).toMatchObject({ enabled: true });
    expect(await server.call('GET', environmentOf(NAME, 'production'))).toMatchObject({ enabled: false });
  });

  test('variants belong to one environment', async ({ page, ui, server }) => {
    const variant = (name: string) => ({ name, weight: 1000, weightType: 'variable', stickiness: 'default' });
    await server.setVariants(NAME, 'development', [variant('green')]);
    await server.setVariants(NAME, 'production', [variant('red')]);
    await page.goto(`features/variants/${NAME}?environment=development`);
    await expect(ui.variants.row('green')).toBeVisible();
    await expect(ui.variants.row('red')).toHaveCount(0);
    await ui.variants.add('blue');
    await expect(ui.variants.row('blue')).toBeVisible();
    const stored = async (environment: Environment) => {
      const { variants } = await server.call('GET', `${environmentOf(NAME, environment)}/variants`);
      return variants.map(({ name }: Reply['body']) => name);
    };
    expect((await stored('development')).sort()).toEqual(['blue', 'green']);
    expect(await stored('production')).toEqual(['red']);
    await page.goto(`features/variants/${NAME}?environment=production`);
    await expect(ui.variants.row('red')).toBeVisible();
    await expect(ui.variants.row('blue')).toHaveCount(0);
  });
});

test.describe('a user with permissions in one environment', () => {
  test.use({ account: 'developer' });

  test('can change it, and sees the others read-only with the reason', async ({ page, ui, server }) => {
    await server.createToggle(NAME, ROLLOUT);
    await server.call('POST', strategiesOf(NAME, 'production'), ROLLOUT);
    await page.goto('features?environment=production');
    await expect(ui.switchOf(NAME)).toBeDisabled();
    await page.goto(`features/strategies/${NAME}?environment=production`);
    await expect(ui.main.getByText('You need the permission UPDATE_FEATURE for this.').first()).toBeVisible();
    await expect(ui.main.getByRole('article', { name: 'flexibleRollout' })).toBeVisible();
    await expect(ui.activation.rolloutField('flexibleRollout')).toHaveCount(0);
    await page.goto(`features/strategies/${NAME}?environment=development`);
    await ui.activation.editAll();
    await ui.activation.rolloutField('flexibleRollout').fill('20');
    await ui.activation.saveButton('flexibleRollout').click();
    await expect(ui.activation.unsavedCards).toHaveCount(0);
    await ui.main.getByRole('switch', { name: 'Enabled', exact: true }).click();
    await expect(ui.snackbar).toContainText(`${NAME} switched on in development.`);
    expect(await server.state(NAME)).toMatchObject({ enabled: true, strategies: [{ parameters: { rollout: '20' } }] });
    expect(await server.call('GET', environmentOf(NAME, 'production'))).toMatchObject({ enabled: false });
  });
});

test.describe('with confirmations', () => {
  test.use({ settings: ['--confirm-writes'] });

  test('each question before a switch names the environment', async ({ page, ui, server }) => {
    await server.createToggle(NAME);
    await page.goto('features?environment=production');
    await ui.switchOf(NAME).click();
    const title = `Enable ${NAME} in production`;
    await page.getByRole('dialog', { name: title }).getByRole('button', { name: 'Enable', exact: true }).click();
    const question = page.getByRole('dialog', { name: title });
    await expect(question).toContainText('The toggle has no strategies in production.');
    await question.getByRole('button', { name: 'Add rollout and enable' }).click();
    await expect(ui.snackbar).toContainText(`${NAME} switched on in production.`);
    expect(await server.state(NAME)).toMatchObject({ enabled: false, strategies: [] });
    const production = await server.call('GET', environmentOf(NAME, 'production'));
    expect(production).toMatchObject({ enabled: true, strategies: [{ parameters: { rollout: '100' } }] });
  });
});
