// Features that the console hides or replaces for older servers, according to the version that they report. Unsupported and newer
// servers: src/testing/serverVersions.test.tsx.

import { expect, stubTest as test } from './support/fixtures';
import { gate } from './support/gate';
import { toggle } from './support/stubUpstream';

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
