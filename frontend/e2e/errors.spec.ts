// Error messages for each kind of failed request.

import { expect, stubTest as test } from './support/fixtures';
import { gate } from './support/gate';
import { retry } from './support/retry';
import { toggle } from './support/stubUpstream';

const SWITCH_OFF = 'POST /api/admin/features/shop.basket/toggle/off';

test.describe('a failed request', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  });

  for (const [response, text, proves] of [
    [
      { status: 403, body: { permission: 'UPDATE_FEATURE', message: 'Ask an editor' } },
      'Ask an editor',
      '[S8-005] [S6-018]',
    ],
    [{ status: 403 }, '403 Forbidden', '[S8-003] [S8-005]'],
    [{ status: 404 }, 'The requested resource could not be found but may be available in the future', '[S8-006]'],
    [{ status: 400, body: { isJoi: true, details: [{ message: '"name" is odd' }] } }, '"name" is odd', '[S8-007]'],
    [{ status: 409, body: [{ msg: 'Somebody was faster' }] }, 'Somebody was faster', '[S8-007]'],
    [{ status: 499, body: { errors: [{ message: 'You hung up' }, { message: 'Later' }] } }, 'You hung up', '[S8-007]'],
    [{ status: 500 }, 'Unexpected exception when talking to the Flagdeck API', '[S8-009]'],
    [{ status: 503, body: { message: 'secret detail' } }, '503', '[S8-008]'],
  ] as const) {
    test(`with ${response.status} and ${'body' in response ? 'a body' : 'no body'} shows '${text}' ${proves}`, async ({
      page,
      ui,
      stub,
    }) => {
      stub.respond(SWITCH_OFF, response);
      await page.goto('features');
      await ui.switchOf('shop.basket').click();
      await expect(ui.snackbar).toContainText(text);
      await expect(ui.snackbar).not.toContainText('secret detail');
      await expect(ui.switchOf('shop.basket')).toBeChecked();
    });
  }

  test('for the list shows a panel with a retry button [S8-008] [S8-009] [S8-014]', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/ui-config', { body: { name: 'Toggle tower', version: '3.17.6' } });
    stub.respond('GET /api/admin/features', { status: 500 });
    await page.goto('features');
    await expect(ui.main).toContainText('Unexpected exception when talking to the Toggle tower API');
    await expect(page.getByText('Empty list of feature toggles')).toHaveCount(0);
    const features = [toggle('shop.basket')];
    await retry(ui, stub, 'GET /api/admin/features', { body: { version: 1, features } });
    await expect(ui.row('shop.basket')).toBeVisible();
  });

  test('of a form is shown in the form [S6-017] [S8-004]', async ({ page, ui, stub }) => {
    stub.respond('POST /api/admin/features/validate', { status: 200 });
    stub.respond('POST /api/admin/features', { status: 403 });
    await page.goto('features/create');
    await ui.nameField.fill('shop.new');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(ui.main).toContainText('You cannot perform this action');
    await expect(ui.nameField).toHaveValue('shop.new');
  });

  test('of a confirmation dialog is shown in the dialog, which stays open [S8-014]', async ({ page, ui, stub }) => {
    stub.respond('DELETE /api/admin/features/shop.basket', { status: 500 });
    await page.goto('features');
    await ui.choose('shop.basket', 'Archive');
    await ui.dialog.getByRole('button', { name: 'Archive' }).click();
    await expect(ui.dialog).toContainText('Unexpected exception when talking to the Flagdeck API');
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(ui.row('shop.basket')).toBeVisible();
  });

  test('with 403 shows the message of the server below the heading in dialogs, forms and lists [S8-004] [S8-005]', async ({
    page,
    ui,
    stub,
  }) => {
    const refused = { status: 403, body: { permission: 'DELETE_FEATURE', message: 'Ask an editor' } };
    stub.respond('DELETE /api/admin/features/shop.basket', refused);
    stub.respond('POST /api/admin/features/validate', { status: 200 });
    stub.respond('POST /api/admin/features', refused);
    stub.respond('GET /api/admin/tag-types', refused);
    await page.goto('features');
    await ui.choose('shop.basket', 'Archive');
    await ui.dialog.getByRole('button', { name: 'Archive' }).click();
    await expect(ui.dialog.getByRole('alert')).toHaveText('You cannot perform this actionAsk an editor');
    await page.goto('features/create');
    await ui.nameField.fill('shop.new');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(ui.main.getByRole('alert')).toHaveText('You cannot perform this actionAsk an editor');
    await page.goto('tag-types');
    await expect(ui.main.getByRole('alert')).toContainText('You cannot perform this actionAsk an editor');
  });

  test('with 403 of the name check is shown under the name, with the message of the server [S8-004] [S8-005]', async ({
    page,
    ui,
    stub,
  }) => {
    await page.goto('features/create');
    for (const [body, text] of [
      [{ message: 'Ask an editor' }, 'You cannot perform this action: Ask an editor'],
      [undefined, 'You cannot perform this action'],
    ] as const) {
      stub.respond('POST /api/admin/features/validate', { status: 403, body });
      await ui.nameField.fill(body ? 'shop.new' : 'shop.newer');
      await ui.nameField.blur();
      await expect(ui.nameField).toHaveAttribute('aria-invalid', 'true');
      await expect(ui.main.getByRole('alert')).toHaveText(text);
      await expect(ui.snackbar).toHaveCount(0);
    }
  });

  test('to an unreachable server names its host', async ({ page, ui, stub }) => {
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    // A read that fails first would show the outage, which disables the switch.
    await page.waitForLoadState('networkidle');
    const { host } = new URL(stub.url);
    await stub.stop();
    await ui.switchOf('shop.basket').click();
    await expect(ui.outage).toContainText(host);
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await page.reload();
    await expect(ui.main).toContainText(host);
  });

  test('is shown once, can be dismissed, and disappears after ten seconds [S8-010] [S8-012] [S8-013] [S2-115] [S2-116] [S9-024] [S1-005]', async ({
    page,
    ui,
    stub,
  }) => {
    stub.respond(SWITCH_OFF, { status: 500 });
    await page.clock.install({ time: '2026-03-01T12:00:00Z' });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    await page.clock.pauseAt('2026-03-01T12:01:00Z');
    await ui.switchOf('shop.basket').click();
    await expect(ui.snackbar).toContainText('Unexpected exception');
    await expect(ui.switchOf('shop.basket')).toBeEnabled();
    await ui.switchOf('shop.basket').click();
    await expect.poll(() => stub.called(SWITCH_OFF).length).toBe(2);
    await expect(ui.switchOf('shop.basket')).toBeEnabled();
    await ui.snackbar.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByText('Unexpected exception')).toHaveCount(0);

    await ui.switchOf('shop.basket').click();
    await expect(ui.snackbar).toContainText('Unexpected exception');
    await page.clock.runFor(9_900);
    await expect(ui.snackbar).toContainText('Unexpected exception');
    await page.clock.runFor(200);
    await expect(page.getByText('Unexpected exception')).toHaveCount(0);
  });

  test('of another kind is shown first, and the older one again after it is dismissed [S2-115] [S8-010] [S8-012]', async ({
    page,
    ui,
    stub,
  }) => {
    const features = [toggle('shop.basket'), toggle('shop.pay')];
    stub.respond('GET /api/admin/features', { body: { version: 1, features } });
    stub.respond(SWITCH_OFF, { status: 409, body: { message: 'The first failure' } });
    stub.respond('POST /api/admin/features/shop.pay/toggle/off', {
      status: 409,
      body: { message: 'The second failure' },
    });
    await page.goto('features');
    await ui.switchOf('shop.basket').click();
    await expect(ui.snackbar).toContainText('The first failure');
    await ui.switchOf('shop.pay').click();
    await expect(ui.snackbar).toContainText('The second failure');
    await expect(page.getByText('The first failure')).toHaveCount(0);
    await ui.snackbar.getByRole('button', { name: 'Dismiss' }).click();
    await expect(ui.snackbar).toContainText('The first failure');
  });

  test('of the metrics poll shows one message, is retried with growing delays, and opens no sign-in dialog', async ({
    page,
    ui,
    stub,
  }) => {
    const METRICS = 'GET /api/admin/metrics/feature-toggles';
    stub.respond(METRICS, { status: 401, body: { type: 'unsecure', message: 'Who?' } });
    await page.clock.install({ time: '2026-03-01T12:00:00Z' });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect(ui.snackbar).toContainText('Authentication required');
    await page.clock.pauseAt('2026-03-01T12:01:00Z');
    for (const polls of [2, 3, 4]) {
      // Advances to the next poll, which comes no earlier than after the usual five seconds.
      await page.clock.runFor(4_000);
      await expect(async () => {
        await page.clock.runFor(1_000);
        expect(stub.called(METRICS).length).toBeGreaterThanOrEqual(polls);
      }).toPass();
      await expect(page.getByText('Authentication required')).toHaveCount(1);
    }
    expect(stub.called(METRICS).length).toBeLessThan(8);
    await ui.snackbar.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByText('Authentication required')).toHaveCount(0);
    await expect(ui.signInDialog).toHaveCount(0);
  });
});

test.describe('a full connection pool', { tag: '@stub' }, () => {
  test.use({ settings: ['--upstream-pool-size', '1', '--upstream-pool-wait', '100ms'] });

  test('is reported in place, without the outage banner, and a retry succeeds', async ({
    page,
    ui,
    stub,
    context,
    flagdeck,
  }) => {
    const basket = toggle('shop.basket');
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [basket] } });
    stub.respond(SWITCH_OFF, { body: { ...basket, enabled: false } });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    // Each worker has one connection. The test occupies all of them.
    const { opened, open } = gate();
    stub.respond('GET /api/admin/held', () => opened.then(() => ({ body: {} })));
    let refused = 0;
    const held = Array.from({ length: 32 }, async () => {
      const response = await context.request.get(`${flagdeck.url}api/admin/held`);
      if (response.status() === 503) refused += 1;
    });
    await expect.poll(() => refused + stub.called('GET /api/admin/held').length).toBe(32);
    await ui.switchOf('shop.basket').click();
    await expect(ui.snackbar).toContainText('Flagdeck has no free connection to the flag service');
    await expect(ui.outage).toHaveCount(0);
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await expect(ui.switchOf('shop.basket')).toBeEnabled();
    open();
    await Promise.all(held);
    await ui.switchOf('shop.basket').click();
    await expect(ui.switchOf('shop.basket')).not.toBeChecked();
  });
});
