// Each kind of failure, worded for the person who has to act on it.

import { expect, stubTest as test } from './support/fixtures';
import { gate } from './support/gate';
import { retry } from './support/retry';
import { toggle } from './support/stubUpstream';

const FLIP = 'POST /api/admin/features/shop.basket/toggle/off';

test.describe('a failed call', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => {
    stub.answer('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  });

  for (const [answer, text] of [
    [{ status: 403, body: { permission: 'UPDATE_FEATURE', message: 'Ask an editor' } }, 'Ask an editor'],
    [{ status: 403 }, '403 Forbidden'],
    [{ status: 404 }, 'The requested resource could not be found but may be available in the future'],
    [{ status: 400, body: { isJoi: true, details: [{ message: '"name" is odd' }] } }, '"name" is odd'],
    [{ status: 409, body: [{ msg: 'Somebody was faster' }] }, 'Somebody was faster'],
    [{ status: 499, body: { errors: [{ message: 'You hung up' }, { message: 'Later' }] } }, 'You hung up'],
    [{ status: 500 }, 'Unexpected exception when talking to the Flagdeck API'],
    [{ status: 503, body: { message: 'secret detail' } }, '503'],
  ] as const) {
    test(`with ${answer.status} and ${'body' in answer ? 'a body' : 'no body'} says '${text}' [S8-003] [S8-005] [S8-006] [S8-007] [S8-008] [S8-009] [S8-014] [S6-018]`, async ({
      page,
      ui,
      stub,
    }) => {
      stub.answer(FLIP, answer);
      await page.goto('features');
      await ui.switchOf('shop.basket').click();
      await expect(ui.snackbar).toContainText(text);
      await expect(ui.snackbar).not.toContainText('secret detail');
      await expect(ui.switchOf('shop.basket')).toBeChecked();
    });
  }

  test('of the whole list is a panel with a way to try again [S8-008] [S8-009] [S8-014]', async ({
    page,
    ui,
    stub,
  }) => {
    stub.answer('GET /api/admin/ui-config', { body: { name: 'Toggle tower', version: '3.17.6' } });
    stub.answer('GET /api/admin/features', { status: 500 });
    await page.goto('features');
    await expect(ui.main).toContainText('Unexpected exception when talking to the Toggle tower API');
    await expect(page.getByText('Empty list of feature toggles')).toHaveCount(0);
    const features = [toggle('shop.basket')];
    await retry(ui, stub, 'GET /api/admin/features', { body: { version: 1, features } });
    await expect(ui.row('shop.basket')).toBeVisible();
  });

  test('in a form stands in the form [S6-017] [S8-004]', async ({ page, ui, stub }) => {
    stub.answer('POST /api/admin/features/validate', { status: 200 });
    stub.answer('POST /api/admin/features', { status: 403 });
    await page.goto('features/create');
    await ui.nameField.fill('shop.new');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(ui.main).toContainText('You cannot perform this action');
    await expect(ui.nameField).toHaveValue('shop.new');
  });

  test('in a question stands in the question, which stays [S8-014]', async ({ page, ui, stub }) => {
    stub.answer('DELETE /api/admin/features/shop.basket', { status: 500 });
    await page.goto('features');
    await ui.choose('shop.basket', 'Archive');
    await ui.dialog.getByRole('button', { name: 'Archive' }).click();
    await expect(ui.dialog).toContainText('Unexpected exception when talking to the Flagdeck API');
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(ui.row('shop.basket')).toBeVisible();
  });

  test('with 403 shows the message of the server below, wherever it is shown in place [S8-004] [S8-005]', async ({
    page,
    ui,
    stub,
  }) => {
    const refused = { status: 403, body: { permission: 'DELETE_FEATURE', message: 'Ask an editor' } };
    stub.answer('DELETE /api/admin/features/shop.basket', refused);
    stub.answer('POST /api/admin/features/validate', { status: 200 });
    stub.answer('POST /api/admin/features', refused);
    stub.answer('GET /api/admin/tag-types', refused);
    await page.goto('features');
    await ui.choose('shop.basket', 'Archive');
    await ui.dialog.getByRole('button', { name: 'Archive' }).click();
    await expect(ui.dialog.getByRole('alert')).toHaveText('You cannot perform this actionAsk an editor');
    await page.goto('features/create');
    await ui.nameField.fill('shop.new');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(ui.main.getByRole('alert')).toHaveText('You cannot perform this actionAsk an editor');
    await page.goto('tag-types');
    await expect(ui.main.getByRole('alert')).toContainText('You cannot perform this actionAsk an editor');
  });

  test('with 403 of the name check stands under the name, with the message of the server [S8-004] [S8-005]', async ({
    page,
    ui,
    stub,
  }) => {
    await page.goto('features/create');
    for (const [body, text] of [
      [{ message: 'Ask an editor' }, 'You cannot perform this action: Ask an editor'],
      [undefined, 'You cannot perform this action'],
    ] as const) {
      stub.answer('POST /api/admin/features/validate', { status: 403, body });
      await ui.nameField.fill(body ? 'shop.new' : 'shop.newer');
      await ui.nameField.blur();
      await expect(ui.nameField).toHaveAttribute('aria-invalid', 'true');
      await expect(ui.main.getByRole('alert')).toHaveText(text);
      await expect(ui.snackbar).toHaveCount(0);
    }
  });

  test('because nobody answers names the host that does not', async ({ page, ui, stub }) => {
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    const { host } = new URL(stub.url);
    await stub.stop();
    await ui.switchOf('shop.basket').click();
    await expect(ui.outage).toContainText(host);
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await page.reload();
    await expect(ui.main).toContainText(host);
  });

  test('is told once, can be dismissed, and goes after ten seconds [S8-010] [S8-012] [S8-013] [S2-115] [S2-116] [S9-024] [S1-005]', async ({
    page,
    ui,
    stub,
  }) => {
    stub.answer(FLIP, { status: 500 });
    await page.clock.install({ time: '2026-03-01T12:00:00Z' });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    await page.clock.pauseAt('2026-03-01T12:01:00Z');
    await ui.switchOf('shop.basket').click();
    await expect(ui.snackbar).toContainText('Unexpected exception');
    await expect(ui.switchOf('shop.basket')).toBeEnabled();
    await ui.switchOf('shop.basket').click();
    await expect.poll(() => stub.called(FLIP).length).toBe(2);
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

  test('of two kinds: the newest is shown, and the older one again once it is dismissed [S2-115] [S8-010] [S8-012]', async ({
    page,
    ui,
    stub,
  }) => {
    const features = [toggle('shop.basket'), toggle('shop.pay')];
    stub.answer('GET /api/admin/features', { body: { version: 1, features } });
    stub.answer(FLIP, { status: 409, body: { message: 'The first failure' } });
    stub.answer('POST /api/admin/features/shop.pay/toggle/off', {
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

  test('of the metrics poll is one message, is retried with growing pauses, and opens no sign-in dialog', async ({
    page,
    ui,
    stub,
  }) => {
    const METRICS = 'GET /api/admin/metrics/feature-toggles';
    stub.answer(METRICS, { status: 401, body: { type: 'unsecure', message: 'Who?' } });
    await page.clock.install({ time: '2026-03-01T12:00:00Z' });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect(ui.snackbar).toContainText('Authentication required');
    await page.clock.pauseAt('2026-03-01T12:01:00Z');
    for (const polls of [2, 3, 4]) {
      // Until the next poll: never sooner than after the usual five seconds.
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

  test('is reported in place, without an outage, and trying again succeeds', async ({
    page,
    ui,
    stub,
    context,
    flagdeck,
  }) => {
    const basket = toggle('shop.basket');
    stub.answer('GET /api/admin/features', { body: { version: 1, features: [basket] } });
    stub.answer(FLIP, { body: { ...basket, enabled: false } });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    // Each worker of the program has one connection, and each of them is held.
    const { opened, open } = gate();
    stub.answer('GET /api/admin/held', () => opened.then(() => ({ body: {} })));
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
