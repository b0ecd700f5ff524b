// Toggles of a newer server: states by environment, toggles without strategies, questions of the server, and saves.

import { expect } from './support/fixtures';
import { adapted, respondByEnvironment, STUB_HEADER, newerTest as test } from './support/newerServer';
import { type Call, type StubUpstream, toggle } from './support/stubUpstream';

const ROLLOUT = {
  name: 'flexibleRollout',
  displayName: 'Gradual rollout',
  description: '',
  editable: false,
  parameters: [{ name: 'rollout', type: 'percentage', description: '', required: false }],
};

const strategy = (id: string, more: object = {}) => ({
  id,
  name: 'flexibleRollout',
  parameters: { rollout: '25' },
  constraints: [],
  segments: [],
  variants: [],
  title: null,
  disabled: false,
  milestoneId: null,
  ...more,
});

const beta = strategy('s1', {
  title: 'Beta users',
  segments: [7],
  variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
});

const PUT = 'PUT /api/admin/features/shop.basket';
const ON = 'POST /api/admin/features/shop.basket/toggle/on';
const PAGE = 'features/strategies/shop.basket?environment=production';

function question(code: string) {
  return ({ path, query }: Call) =>
    query.includes(`confirm=${code}`) ? { status: 200 } : { status: 409, body: { code, message: path } };
}

function respondWith(stub: StubUpstream, production: object[], more: object = {}) {
  respondByEnvironment(stub, [
    {
      name: 'shop.basket',
      off: { production, development: [] },
      more,
    },
  ]);
}

test.describe('a toggle of a newer server', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/strategies', { body: { version: 1, strategies: [ROLLOUT] } });
    stub.respond('GET /api/admin/context', { body: [{ name: 'appVersion', description: '', sortOrder: 1 }] });
    stub.respond('GET /api/admin/segments', { body: { segments: [{ id: 7, name: 'beta-testers', constraints: [] }] } });
    respondWith(stub, [beta]);
  });

  test('shows its state in all environments', async ({ page, ui }) => {
    await page.goto(PAGE);
    const states = page.getByTestId('toggle-environments');
    await expect(states).toHaveText('development: off · production (here): off, 1 strategy');
    await states.getByRole('link', { name: 'development' }).click();
    await expect(page).toHaveURL(/shop\.basket\?environment=development$/);
    await expect(ui.main.getByRole('heading', { name: 'No strategies in development' })).toBeVisible();
  });

  test('is saved without strategies, with the entity tag of the read toggle', async ({ page, ui, stub }) => {
    respondWith(stub, []);
    stub.respond(PUT, { status: 200 });
    await page.goto(PAGE);
    await expect(ui.main.getByRole('heading', { name: 'No strategies in production' })).toBeVisible();
    await ui.main.getByRole('button', { name: 'Edit description' }).click();
    await ui.main.getByRole('textbox', { name: 'Description' }).fill('New');
    await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
    await ui.snackbar.filter({ hasText: 'shop.basket successfully updated!' }).waitFor();
    const [call] = stub.called(PUT);
    expect(call?.headers['if-match']).toBe('"shop.basket production"');
    expect(call?.headers[STUB_HEADER]).toBe('production');
    expect(call?.body).toMatchObject({ description: 'New', strategies: [] });
  });

  test('changed between reading and writing is read and merged again', async ({ page, ui, stub }) => {
    let puts = 0;
    stub.respond(PUT, () => {
      puts += 1;
      if (puts > 1) return { status: 200 };
      respondWith(stub, [beta], { description: 'From a colleague' });
      return { status: 412, body: { code: 'toggle_changed', message: 'Changed' } };
    });
    await page.goto(PAGE);
    await ui.activation.editAll();
    const card = ui.main.getByRole('group', { name: 'flexibleRollout', exact: true });
    await card.getByRole('textbox', { name: 'Title' }).fill('All testers');
    await card.getByRole('button', { name: 'Save flexibleRollout' }).click();
    await ui.snackbar.filter({ hasText: 'shop.basket successfully updated!' }).waitFor();
    const bodies = stub.called(PUT).map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toMatchObject({ description: 'From a colleague', strategies: [{ title: 'All testers' }] });
  });

  test('keeps all properties of a strategy that the console does not edit', async ({ page, ui, stub }) => {
    stub.respond(PUT, { status: 200 });
    await page.goto(PAGE);
    await ui.activation.editAll();
    const card = ui.main.getByRole('group', { name: 'flexibleRollout', exact: true });
    await expect(card).toContainText('beta-testers');
    await expect(card).toContainText('1 variant');
    await card.getByRole('textbox', { name: 'Title' }).fill('');
    await card.getByRole('switch', { name: 'Strategy enabled' }).click();
    await card.getByRole('button', { name: 'Save flexibleRollout' }).click();
    await ui.snackbar.filter({ hasText: 'shop.basket successfully updated!' }).waitFor();
    const [call] = stub.called(PUT);
    expect(call?.body).toMatchObject({ strategies: [{ ...beta, title: '', disabled: true }] });
  });

  for (const [code, title, confirm] of [
    ['would_add_rollout', 'Enable shop.basket in production', 'Add rollout and enable'],
    ['would_enable_strategies', 'Enable shop.basket in production', 'Enable with all strategies'],
  ] as const) {
    test(`asks before a switch if the server responds ${code}`, async ({ page, ui, stub }) => {
      stub.respond(ON, question(code));
      await page.goto('features?environment=production');
      await ui.switchOf('shop.basket').click();
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(dialog).toHaveCount(0);
      await expect(ui.switchOf('shop.basket')).not.toBeChecked();
      await expect(ui.snackbar).toHaveCount(0);
      await ui.switchOf('shop.basket').click();
      await dialog.getByRole('button', { name: confirm }).click();
      await expect(ui.switchOf('shop.basket')).toBeChecked();
      await expect(ui.snackbar).toContainText('shop.basket switched on in production.');
    });
  }

  test('asks once for a bulk action', async ({ page, ui, stub }) => {
    const names = ['shop.a', 'shop.b', 'shop.c'];
    respondByEnvironment(
      stub,
      names.map((name) => ({ name, off: { production: [] } })),
    );
    for (const name of names)
      stub.respond(
        `POST /api/admin/features/${name}/toggle/on`,
        name === 'shop.c' ? { status: 200 } : question('would_add_rollout'),
      );
    await page.goto('features?environment=production');
    await page.getByRole('checkbox', { name: 'Select all 3' }).check();
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('menuitem', { name: 'Enable' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enable 2 toggles in production' });
    await expect(dialog.getByRole('listitem')).toHaveText(['shop.a', 'shop.b']);
    await dialog.getByRole('button', { name: 'Add rollout and enable' }).click();
    await expect(ui.snackbar).toContainText('3 toggles switched on in production.');
    for (const name of names) await expect(ui.switchOf(name)).toBeChecked();
  });

  test('of which only a part was saved keeps the other edits', async ({ page, ui, stub }) => {
    const [one, two] = [strategy('s1'), strategy('s2')];
    respondWith(stub, [one, two]);
    stub.respond(PUT, ({ body }) => {
      const { strategies } = body as { strategies: object[] };
      const stored = [strategies[0] ?? {}, two];
      respondWith(stub, stored);
      const message = 'The change is stored in part, with 1 of 2 requests. Then the flag service refused POST /on: No.';
      const present = toggle('shop.basket', { enabled: false, strategies: stored });
      return {
        status: 400,
        body: { code: 'half_saved', message, done: 1, of: 2, refused: 'No.', toggle: present },
      };
    });
    await page.goto(PAGE);
    await ui.activation.editAll();
    const card = (number: number) => ui.main.getByRole('group', { name: `flexibleRollout (${number} of 2)` });
    for (const number of [1, 2]) await card(number).getByRole('textbox', { name: 'Title' }).fill(`Title ${number}`);
    await page.getByRole('button', { name: 'Save all' }).click();
    await expect(ui.snackbar).toContainText('The change is stored in part, with 1 of 2 requests.');
    await expect(card(1).getByText('Unsaved')).toHaveCount(0);
    await expect(card(2).getByText('Unsaved')).toBeVisible();
    await expect(card(2).getByRole('textbox', { name: 'Title' })).toHaveValue('Title 2');
  });

  test('edits constraints of all operators', async ({ page, ui, stub }) => {
    const version = { contextName: 'appVersion', operator: 'SEMVER_GT', value: '1.2.3', values: [], inverted: true };
    const unknown = { contextName: 'appVersion', operator: 'GEO_WITHIN', values: ['no'] };
    respondWith(stub, [strategy('s1', { constraints: [version, unknown] })]);
    stub.respond(PUT, { status: 200 });
    await page.goto(PAGE);
    await ui.activation.editAll();
    const card = ui.main.getByRole('group', { name: 'flexibleRollout', exact: true });
    await expect(card).toContainText('This console does not support the operator GEO_WITHIN.');
    await card.getByRole('button', { name: 'appVersion is not above version 1.2.3' }).click();
    await card.getByRole('textbox', { name: 'Value' }).fill('two');
    await card.getByRole('checkbox', { name: 'Invert' }).uncheck();
    await card.getByRole('button', { name: 'Done' }).click();
    await expect(card).toContainText('Enter a version, such as 1.2.3.');
    await card.getByRole('textbox', { name: 'Value' }).fill('2.0.0');
    await card.getByRole('combobox', { name: 'Operator' }).selectOption({ label: 'is at least version' });
    await card.getByRole('button', { name: 'Done' }).click();
    await card.getByRole('button', { name: 'Save flexibleRollout' }).click();
    await ui.snackbar.filter({ hasText: 'shop.basket successfully updated!' }).waitFor();
    const [call] = stub.called(PUT);
    const edited = { ...version, operator: 'SEMVER_GTE', value: '2.0.0', inverted: false };
    expect(call?.body).toMatchObject({ strategies: [{ constraints: [edited, unknown] }] });
  });
});

test.describe('the toggle list of a newer server', { tag: '@stub' }, () => {
  test('offers to load strategies for a filter and a sort order', async ({ page, ui, stub }) => {
    const flags = ['shop.a', 'shop.b'].map((name) => ({ name, on: { production: [] } }));
    respondByEnvironment(stub, flags);
    const list = adapted((environment) => ({
      body: {
        version: 1,
        features: flags.map(({ name }) =>
          toggle(name, {
            strategies: name === 'shop.b' ? [strategy('s1'), strategy('s2')] : [],
            enabled: environment === 'production',
          }),
        ),
      },
    }));
    await page.goto('features?environment=production');
    await expect(ui.row('shop.a')).toBeVisible();
    await expect(page.getByRole('note')).toHaveCount(0);
    await ui.sortBy('Strategies');
    await expect(page.getByRole('note')).toContainText('The list is not sorted by strategies: they are not loaded.');
    stub.respond('GET /api/admin/features', list);
    await page.getByRole('button', { name: 'Load strategies' }).click();
    await expect(page.getByRole('note')).toHaveCount(0);
    await expect(page.getByRole('row').filter({ hasText: 'shop.' })).toContainText(['shop.b', 'shop.a']);
  });

  test('shows usage per hour only', async ({ page, ui, stub }) => {
    respondByEnvironment(stub, [{ name: 'shop.a', on: { production: [] } }]);
    stub.respond('GET /api/admin/metrics/feature-toggles', {
      body: { lastHour: { 'shop.a': { yes: 1, no: 3 } }, lastMinute: {} },
    });
    await page.goto('features?environment=production');
    await expect(ui.ringOf('shop.a')).toHaveAccessibleName('25 % yes');
    await expect(ui.main).toContainText('This server reports usage per hour.');
    await expect(page.getByRole('radio', { name: 'Last minute' })).toHaveCount(0);
  });
});
