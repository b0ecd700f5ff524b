// Progress and result of a request about toggles, failed reads, and the duration of messages. All actions:
// src/testing/toggleProgress.test.tsx.

import { ONE_TOGGLE } from '../src/testing/responses';
import { expect, stubTest as test } from './support/fixtures';
import { gate } from './support/gate';
import { retry } from './support/retry';
import { toggle } from './support/stubUpstream';
import { TOGGLE_ACTIONS } from './support/toggleActions';

const UNEXPECTED = 'Unexpected exception when talking to the Flagdeck API (status 500)';

test('adding a tag shows progress, failure and success [S4-022] [S4-023]', { tag: '@stub' }, async ({
  page,
  ui,
  stub,
}) => {
  stub.respondWith(ONE_TOGGLE);
  const action = TOGGLE_ACTIONS.find(({ name }) => name === 'adding a tag');
  if (!action) throw new Error('There is no such action');
  await action.prepare(page, ui);
  for (const response of [{ status: 500 }, action.response]) {
    const { opened, open } = gate();
    stub.respond(action.call, async () => {
      await opened;
      return response;
    });
    const control = action.control(page, ui);
    await control.click();
    await expect(control).toHaveAttribute('aria-busy', 'true');
    open();
    if (response !== action.response) await expect(action.errorMessage(page, ui)).toContainText(UNEXPECTED);
  }
  await action.expectSuccess(page, ui);
});

test.describe('a failed read', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => stub.respondWith(ONE_TOGGLE));

  test('of the toggle types is reported, and the default type remains [S3-014] [S8-020]', async ({
    page,
    ui,
    stub,
  }) => {
    stub.respond('GET /api/admin/feature-types', { status: 500 });
    await page.goto('features/create');
    await expect(ui.snackbar).toContainText(`The toggle types could not be loaded: ${UNEXPECTED}`);
    await expect(page.getByLabel('Toggle type').getByRole('option')).toHaveText(['Release']);
    await expect(page.getByLabel('Toggle type')).toHaveValue('release');
  });

  test('of the applications is shown in their section until they are known [S8-021]', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/metrics/seen-apps', { status: 500 });
    await page.goto('features/view/shop.basket');
    await expect(ui.section('Applications').getByRole('alert')).toContainText(UNEXPECTED);
    await expect(ui.section('Applications')).not.toContainText('Not used in an app');
    stub.respond('GET /api/admin/metrics/seen-apps', { body: { 'shop.basket': [{ appName: 'shop' }] } });
    await page.reload();
    await expect(ui.section('Applications').getByRole('listitem')).toHaveText(['shop']);
  });

  test('of the archive shows a panel with a retry button [S8-022]', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/archive/features', { status: 500 });
    await page.goto('archive');
    await expect(ui.main.getByRole('alert')).toContainText(UNEXPECTED);
    await retry(ui, stub, 'GET /api/admin/archive/features', { body: { features: [toggle('shop.gone')] } });
    await expect(ui.row('shop.gone')).toBeVisible();
  });

  test('of the console configuration is reported and blocks nothing [S8-026]', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/ui-config', { status: 500 });
    await page.goto('features');
    await expect(ui.snackbar).toContainText(`The console’s name and links could not be loaded: ${UNEXPECTED}`);
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect(page).toHaveTitle('Feature toggles - Flagdeck');
  });
});

test('every API request carries the session cookie [S7-001]', { tag: '@stub' }, async ({ page, ui, stub }) => {
  test.setTimeout(120_000);
  stub.respondWith(ONE_TOGGLE);
  stub.signIn = { type: 'unsecure', path: '/api/admin/login', message: 'Who is there?' };
  stub.respond('POST /api/admin/login', () => {
    stub.signedIn = true;
    return { body: {}, headers: { 'set-cookie': 'session=one; Path=/; HttpOnly' } };
  });
  await page.goto('features');
  await ui.signInByEmail('operator@example.com');
  const signedIn = stub.calls.length;
  for (const { call, response, prepare, control, expectSuccess } of TOGGLE_ACTIONS) {
    stub.respond(call, response);
    await prepare(page, ui);
    await control(page, ui).click();
    await expectSuccess(page, ui);
  }
  const requests = stub.calls.slice(signedIn).filter(({ path }) => path.startsWith('/api/'));
  expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET', 'POST', 'PUT', 'DELETE']));
  expect(requests.filter(({ headers }) => headers.cookie !== 'session=one')).toEqual([]);
});

test.describe('a message', { tag: '@stub' }, () => {
  test.beforeEach(async ({ stub, page }) => {
    stub.respondWith(ONE_TOGGLE);
    stub.respond('PUT /api/admin/features/shop.basket', { status: 200 });
    await page.clock.install({ time: '2026-03-01T12:00:00Z' });
  });

  test('about a save disappears after a second, then undo is offered [S9-023] [S4-017]', async ({ page, ui }) => {
    await ui.activation.open('shop.basket');
    await ui.activation.rolloutField('flexibleRollout').fill('50');
    await page.clock.pauseAt('2026-03-01T12:01:00Z');
    await ui.activation.saveButton('flexibleRollout').press('Enter');
    await ui.snackbar.filter({ hasText: 'shop.basket successfully updated!' }).waitFor();
    await page.clock.runFor(900);
    await ui.snackbar.filter({ hasText: 'shop.basket successfully updated!' }).waitFor();
    await page.clock.runFor(200);
    await expect(page.getByText('successfully updated!')).toHaveCount(0);
    await expect(ui.snackbar.getByRole('button', { name: 'Undo' })).toBeVisible();
  });
});

test('a dialog is 500 px wide if the window is wide enough, and as wide as a phone [S9-022]', { tag: '@stub' }, async ({
  page,
  ui,
  stub,
}) => {
  stub.respondWith(ONE_TOGGLE);
  await page.goto('features/strategies/shop.basket');
  await ui.archiveFromDetail();
  await expect.poll(async () => (await ui.dialog.boundingBox())?.width).toBe(500);
  await page.setViewportSize({ width: 360, height: 700 });
  await expect.poll(async () => (await ui.dialog.boundingBox())?.width).toBe(360);
});
