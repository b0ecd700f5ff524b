// The session cookie of requests, the duration of messages, and the width of dialogs. Progress and results of all actions:
// src/testing/toggleProgress.test.tsx.

import { ONE_TOGGLE } from '../src/testing/responses';
import { expect, stubTest as test } from './support/fixtures';
import { TOGGLE_ACTIONS } from './support/toggleActions';

test('every API request carries the session cookie [S7-001]', { tag: '@stub' }, async ({ page, ui, stub }) => {
  stub.respondWith(ONE_TOGGLE);
  stub.signIn = { type: 'unsecure', path: '/api/admin/login', message: 'Who is there?' };
  stub.respond('POST /api/admin/login', () => {
    stub.signedIn = true;
    return { body: {}, headers: { 'set-cookie': 'session=one; Path=/; HttpOnly' } };
  });
  await page.goto('features');
  await ui.signInByEmail('operator@example.com');
  const signedIn = stub.calls.length;
  // One of each method.
  const actions = TOGGLE_ACTIONS.filter(({ name }) => ['saving one card', 'adding a tag', 'archiving'].includes(name));
  for (const { call, response, prepare, control, expectSuccess } of actions) {
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
