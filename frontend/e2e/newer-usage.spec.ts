// Usage, copies and the archive of a newer server.

import { expect } from './support/fixtures';
import { newerTest, respondByEnvironment } from './support/newerServer';
import { toggle } from './support/stubUpstream';

const test = newerTest;
const ROLLOUT = { name: 'flexibleRollout', parameters: { rollout: '25', groupId: 'shop.basket' } };
const TOGGLE = 'features/view/shop.basket?environment=production';

test.beforeEach(({ stub }) => {
  respondByEnvironment(stub, [{ name: 'shop.basket', on: { production: [ROLLOUT], development: [] } }]);
});

test('the metrics of a toggle show the applications of this toggle', { tag: '@stub' }, async ({ page, stub }) => {
  stub.respond('GET /api/admin/metrics/seen-apps', ({ query }) =>
    query === '?toggle=shop.basket'
      ? { body: { 'shop.basket': [{ appName: 'shop-web' }] } }
      : { status: 410, body: { code: 'not_reported', message: 'All toggles' } },
  );
  await page.goto(TOGGLE);
  await expect(page.getByRole('region', { name: 'Applications' })).toContainText('shop-web');
});

test('the metrics of an unused toggle name the period and the environment', { tag: '@stub' }, async ({ page }) => {
  await page.goto(TOGGLE);
  const applications = page.getByRole('region', { name: 'Applications' });
  await expect(applications).toContainText('Not used in an app in the last 24 hours in production.');
});

test('the list shows why it has no counts', { tag: '@stub' }, async ({ page, stub }) => {
  const message = 'This server reports usage of single toggles only.';
  const headers = { 'x-flagdeck-error': 'not_reported' };
  stub.respond('GET /api/admin/metrics/feature-toggles', { status: 410, headers, body: { message } });
  await page.goto('features?environment=production');
  await expect(page.getByRole('note').filter({ hasText: message })).toBeVisible();
  await expect(page.getByRole('link', { name: 'shop.basket', exact: true }).last()).toBeVisible();
});

test('the metrics of a toggle show the calls of the last hour only', { tag: '@stub' }, async ({ page, stub }) => {
  const lastHour = { 'shop.basket': { yes: 3, no: 1 } };
  stub.respond('GET /api/admin/metrics/feature-toggles', { body: { lastHour, lastMinute: {} } });
  await page.goto(TOGGLE);
  const calls = page.getByRole('region', { name: 'Calls' });
  await expect(calls).toContainText(/Last hour\s*3 yes · 1 no/);
  await expect(calls).not.toContainText('Last minute');
});

test('a copy names its original', { tag: '@stub' }, async ({ page, stub }) => {
  stub.respond('POST /api/admin/features', { status: 201, body: toggle('shop.copy') });
  await page.goto('features/copy/shop.basket?environment=production');
  await expect(page.getByText('in all environments and the same tags')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('shop.copy');
  await page.getByRole('button', { name: 'Copy feature toggle' }).click();
  await expect(page).toHaveURL(/shop\.copy/);
  const [call] = stub.called('POST /api/admin/features');
  expect(call?.query).toBe('?copyOf=shop.basket&replaceGroupId=true');
});

test('the archive tells that toggles are missing', { tag: '@stub' }, async ({ page, stub }) => {
  const archived = { version: 1, total: 1234, features: [toggle('shop.old')] };
  stub.respond('GET /api/admin/archive/features', { body: archived });
  await page.goto('archive?environment=production');
  await expect(page.getByRole('note')).toContainText('the 1 newest of 1,234 archived toggles');
});
