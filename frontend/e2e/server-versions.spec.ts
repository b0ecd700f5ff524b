// Unsupported servers, too new or too old: the explanation, the features that work, and disabled controls.

import { expect, stubTest as test } from './support/fixtures';
import { gate } from './support/gate';
import { ONE_TRY } from './support/slowdown';
import { toggle } from './support/stubUpstream';

test.describe('an unsupported server', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/ui-config', { body: { versionInfo: { current: { oss: '5.6.1' }, latest: {} } } });
  });

  for (const status of [404, 410]) {
    test(`without a list of toggles (${status}) is named, with the supported features`, async ({ page, ui, stub }) => {
      stub.respond('GET /api/admin/features', { status, body: { message: 'Gone for good' } });
      stub.respond('GET /api/admin/metrics/feature-toggles', { status: 410 });
      await page.goto('features');
      await expect(ui.main).toContainText('The server has version 5.6.1');
      await expect(ui.main).toContainText(`failed with status ${status}`);
      const feature = (name: string) => ui.main.getByRole('listitem').filter({ hasText: name });
      await expect(feature('Strategies')).toHaveText(/^Strategies\s*supported$/);
      await expect(feature('Strategies').getByRole('link')).toHaveAttribute('href', /\/strategies$/);
      await expect(feature('Metrics')).toContainText('not supported (410)');
      await expect(feature('Addons')).toContainText('not supported (404)');
      stub.respond('GET /api/admin/features/shop.basket', { body: toggle('shop.basket') });
      stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
      await ui.main.getByRole('button', { name: 'Retry' }).click();
      await expect(ui.row('shop.basket')).toBeVisible();
    });
  }

  test('that lists toggles but cannot return one is named on every page of a toggle', async ({ page, ui, stub }) => {
    // The responses of Unleash 5.6.
    stub.respond('GET /api/admin/features', { body: { version: 2, features: [toggle('shop.basket')] } });
    stub.respond('GET /api/admin/features/shop.basket', { status: 404 });
    stub.respond('GET /api/admin/metrics/feature-toggles', { status: 410 });
    for (const address of ['features', 'features/strategies/shop.basket', 'features/copy/shop.basket']) {
      await page.goto(address);
      await expect(ui.main).toContainText('The server has version 5.6.1');
      await expect(ui.main).toContainText(
        'The request for one toggle (GET api/admin/features/…) failed with status 404',
      );
      await expect(ui.main.getByRole('listitem').filter({ hasText: 'List of toggles' })).toHaveText(
        /^List of toggles\s*supported$/,
      );
      await expect(page.getByRole('switch')).toHaveCount(0);
      await expect(ui.snackbar).toHaveCount(0);
    }
  });

  const listed = { body: { version: 2, features: [toggle('shop.basket')] } };
  for (const [kind, response, request] of [
    ['has no list of toggles', { status: 404 }, 'the toggles (GET api/admin/features)'],
    ['lists toggles', listed, 'one toggle (GET api/admin/features/…)'],
    // Without a toggle to request, the version and the metrics decide.
    ['is new and empty', { body: { version: 2, features: [] } }, 'metrics'],
  ] as const) {
    test(`that ${kind} offers no form for a new toggle`, async ({ page, ui, stub }) => {
      stub.respond('GET /api/admin/features', response);
      stub.respond('GET /api/admin/metrics/feature-toggles', { status: 410 });
      await page.goto('features');
      await expect(ui.main.getByRole('alert')).toContainText(`The request for ${request}`);
      await expect(ui.main.getByRole('link', { name: 'New toggle' })).toHaveCount(0);
      await expect(ui.main.getByRole('button', { name: 'Copy', exact: true })).toHaveCount(0);
      await expect(ui.search).toHaveCount(0);
      // The shortcuts are loaded when the browser is idle.
      await expect(async () => {
        await page.keyboard.type('gn');
        await expect(page).toHaveURL(/\/features\/create$/, ONE_TRY);
      }).toPass();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('New toggle');
      await expect(ui.main.getByRole('alert')).toContainText(`The request for ${request}`);
      await expect(ui.nameField).toHaveCount(0);
    });
  }

  test('that lists toggles offers no creation or change from other pages', async ({ page, ui, stub }) => {
    const web = { appName: 'web', instances: [], strategies: [missing('own')], seenToggles: [missing('shop.new')] };
    stub.respond('GET /api/admin/features', listed);
    stub.respond('GET /api/admin/metrics/feature-toggles', { status: 410 });
    stub.respond('GET /api/admin/metrics/applications', { body: { applications: [web] } });
    stub.respond('GET /api/admin/metrics/applications/web', { body: web });
    await page.goto('missing-toggles');
    await expect(ui.main.getByRole('link', { name: 'Create own' })).toBeVisible();
    await expect(ui.main.getByRole('link', { name: 'Create shop.new' })).toHaveCount(0);
    await page.goto('applications/web');
    await expect(ui.main.getByText('shop.new')).toBeVisible();
    await expect(ui.main.getByRole('link', { name: 'Missing, want to create? own' })).toBeVisible();
    await expect(ui.main.getByRole('link', { name: 'Missing, want to create? shop.new' })).toHaveCount(0);
    await page.keyboard.press('Control+k');
    const field = ui.dialog.getByRole('combobox');
    for (const [typed, name] of [
      ['new toggle', 'New toggle'],
      ['disable shop', 'Disable shop.basket'],
      ['copy shop', 'Copy shop.basket'],
    ] as const) {
      await field.fill(typed);
      const option = ui.dialog.getByRole('option', { name });
      await expect(option).toContainText('does not support managing toggles');
      await expect(option).toHaveAttribute('aria-disabled', 'true');
    }
    await field.fill('new strategy');
    await expect(ui.dialog.getByRole('option', { name: 'New strategy' })).not.toHaveAttribute('aria-disabled');
  });

  test('with another metrics format reports that on the page of a toggle', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 2, features: [toggle('shop.basket')] } });
    stub.respond('GET /api/admin/features/shop.basket', { body: toggle('shop.basket') });
    stub.respond('GET /api/admin/metrics/feature-toggles', { status: 410 });
    stub.respond('GET /api/admin/metrics/seen-apps', { status: 410 });
    await page.goto('features/strategies/shop.basket');
    await expect(ui.main.getByText('not reported by this server')).toHaveCount(3);
    await page.goto('features/view/shop.basket');
    await expect(ui.main.getByRole('note')).toContainText('(version 5.6.1) reports metrics in a format');
    await expect(ui.main.getByRole('region', { name: 'Applications' })).toContainText('does not report applications');
    await expect(ui.snackbar).toHaveCount(0);
  });

  test('with another metrics format shows the list and explains the empty rings', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    stub.respond('GET /api/admin/features/shop.basket', { body: toggle('shop.basket') });
    stub.respond('GET /api/admin/metrics/feature-toggles', { status: 410, body: { message: 'Use something else' } });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect(ui.main.getByRole('note')).toContainText('(version 5.6.1) reports metrics in a format');
    await expect(ui.snackbar).toHaveCount(0);
    await expect(ui.switchOf('shop.basket')).toBeEnabled();
  });
});

const missing = (name: string) => ({ name, notFound: true });

test('Unleash 3.10 cannot filter by tag, store the stickiness of variants or report applications, and each place says so', {
  tag: '@stub',
}, async ({ page, ui, stub }) => {
  const variant = (name: string) => ({ name, weight: 500, weightType: 'variable' });
  const stored = toggle('shop.basket', { variants: [variant('blue'), variant('green')] });
  stub.respond('GET /api/admin/ui-config', { body: { version: '3.10.1' } });
  stub.respond('GET /api/admin/features', { body: { version: 1, features: [stored] } });
  stub.respond('GET /api/admin/features/shop.basket', { body: stored });
  stub.respond('GET /api/admin/metrics/seen-apps', { body: {} });
  await page.goto('features?tag=simple:winter');
  await expect(ui.main.getByRole('alert')).toContainText('Servers before 3.11 cannot list the toggles with a tag.');
  await expect(ui.main.getByRole('rowheader')).toHaveCount(0);
  await ui.removeFilter('simple: winter');
  await ui.expectNames('shop.basket');
  await page.goto('features/view/shop.basket');
  await expect(ui.section('Applications')).toContainText('This server does not report applications.');
  await page.goto('features/variants/shop.basket');
  const reason = 'Servers before 3.12 do not store the stickiness of variants.';
  await expect(ui.main.getByLabel('Stickiness')).toHaveAttribute('data-reason', reason);
  await page.goto('context/create');
  await expect(ui.main.getByText('Servers before 3.12 do not store this.')).toHaveCount(2);
});

test('Unleash 4.2 gets the position of each strategy, because it stores them in no particular order otherwise', {
  tag: '@stub',
}, async ({ page, ui, stub }) => {
  const [first, second] = [
    { id: 's1', name: 'default', sortOrder: 9999 },
    { id: 's2', name: 'userWithId', parameters: { userIds: 'ada' }, sortOrder: 9999 },
  ];
  const listed = toggle('shop.basket', { strategies: [second, first] });
  const stored = toggle('shop.basket', { strategies: [first, second] });
  const version = gate();
  stub.respond('GET /api/admin/ui-config', async () => {
    await version.opened;
    return { body: { version: '4.2.2' } };
  });
  stub.respond('GET /api/admin/features', { body: { version: 1, features: [listed] } });
  stub.respond('GET /api/admin/features/shop.basket', { body: stored });
  stub.respond('PUT /api/admin/features/shop.basket', { body: stored });
  const parameters = [{ name: 'userIds', type: 'list', description: '', required: false }];
  const definition = { name: 'userWithId', description: null, deprecated: false, editable: false, parameters };
  stub.respond('GET /api/admin/strategies', { body: { version: 1, strategies: [definition] } });
  await page.goto('features/strategies/shop.basket');
  // The order in the list is not shown meanwhile: an edit of it would be lost.
  await expect(ui.menu.getByRole('link', { name: 'Feature toggles' })).toContainText('1');
  await expect(ui.main.getByRole('progressbar', { name: 'Loading the toggle' })).toBeVisible();
  version.open();
  await expect(ui.activation.titles()).toHaveText(['default', 'userWithId']);
  await ui.activation.editAll();
  await ui.activation.strategy('userWithId').getByLabel('userIds').fill('grace,');
  await ui.activation.saveButton('userWithId').click();
  await expect(ui.snackbar).toContainText('shop.basket');
  const [call] = stub.called('PUT /api/admin/features/shop.basket');
  expect(call?.body).toMatchObject({
    strategies: [
      { name: 'default', sortOrder: 0 },
      { name: 'userWithId', parameters: { userIds: 'ada,grace' }, sortOrder: 1 },
    ],
  });
});
