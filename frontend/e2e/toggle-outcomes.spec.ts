// What becomes of each call about toggles: it is seen to begin, and then to have succeeded or failed.

import { expect, stubTest as test } from './support/fixtures';
import { gate } from './support/gate';
import { retry } from './support/retry';
import { toggle } from './support/stubUpstream';
import { answerOneToggle, DEEDS } from './support/toggleDeeds';

const UNEXPECTED = 'Unexpected exception when talking to the Flagdeck API (status 500)';

test.describe('an operation', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => answerOneToggle(stub));

  test('of reading is seen to begin, to fail and to succeed [S4-022] [S4-023]', async ({ page, ui, stub }) => {
    const { opened, open } = gate();
    stub.answer('GET /api/admin/features', async () => {
      await opened;
      return { status: 418, body: { message: 'Not today' } };
    });
    await page.goto('features');
    await expect(page.getByRole('status', { name: 'Loading toggles' })).toBeVisible();
    open();
    await expect(ui.main.getByRole('alert')).toContainText('Not today');
    stub.answer('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    await ui.main.getByRole('button', { name: 'Retry' }).click();
    await expect(ui.row('shop.basket')).toBeVisible();
  });

  for (const what of ['creating', 'one card', 'archiving', 'adding a tag', 'removing a tag', 'a switch']) {
    test(`of ${what} is seen to begin, to fail and to succeed [S4-022] [S4-023]`, async ({ page, ui, stub }) => {
      const deed = DEEDS.find((one) => one.what === what);
      if (!deed) throw new Error(`No deed is called ${what}`);
      await deed.prepare(page, ui);
      for (const answer of [{ status: 500 }, deed.answer]) {
        const { opened, open } = gate();
        stub.answer(deed.call, async () => {
          await opened;
          return answer;
        });
        const press = deed.press(page, ui);
        await press.click();
        await expect(press).toHaveAttribute('aria-busy', 'true');
        open();
        if (answer !== deed.answer) await expect(deed.told(page, ui)).toContainText(UNEXPECTED);
      }
      await deed.done(page, ui);
    });
  }
});

test.describe('a reading that fails', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => answerOneToggle(stub));

  test('of the toggle types is told, and leaves the one there always is [S3-014] [S8-020]', async ({
    page,
    ui,
    stub,
  }) => {
    stub.answer('GET /api/admin/feature-types', { status: 500 });
    await page.goto('features/create');
    await expect(ui.snackbar).toContainText(`The toggle types could not be loaded: ${UNEXPECTED}`);
    await expect(page.getByLabel('Toggle type').getByRole('option')).toHaveText(['Release']);
    await expect(page.getByLabel('Toggle type')).toHaveValue('release');
  });

  test('of the applications is told where they would stand, until they are known [S8-021]', async ({
    page,
    ui,
    stub,
  }) => {
    stub.answer('GET /api/admin/metrics/seen-apps', { status: 500 });
    await page.goto('features/view/shop.basket');
    await expect(ui.part('Applications').getByRole('alert')).toContainText(UNEXPECTED);
    await expect(ui.part('Applications')).not.toContainText('Not used in an app');
    stub.answer('GET /api/admin/metrics/seen-apps', { body: { 'shop.basket': [{ appName: 'shop' }] } });
    await page.reload();
    await expect(ui.part('Applications').getByRole('listitem')).toHaveText(['shop']);
  });

  test('of the archive is a panel with a way to try again [S8-022]', async ({ page, ui, stub }) => {
    stub.answer('GET /api/admin/archive/features', { status: 500 });
    await page.goto('archive');
    await expect(ui.main.getByRole('alert')).toContainText(UNEXPECTED);
    await retry(ui, stub, 'GET /api/admin/archive/features', { body: { features: [toggle('shop.gone')] } });
    await expect(ui.row('shop.gone')).toBeVisible();
  });

  test('of how the console is called is told, and nothing waits for it [S8-026]', async ({ page, ui, stub }) => {
    stub.answer('GET /api/admin/ui-config', { status: 500 });
    await page.goto('features');
    await expect(ui.snackbar).toContainText(`The console’s name and links could not be loaded: ${UNEXPECTED}`);
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect(page).toHaveTitle('Feature toggles - Flagdeck');
  });
});

test('every call carries the session [S7-001]', { tag: '@stub' }, async ({ page, ui, stub }) => {
  test.setTimeout(120_000);
  answerOneToggle(stub);
  stub.signIn = { type: 'unsecure', path: '/api/admin/login', message: 'Who is there?' };
  stub.answer('POST /api/admin/login', () => {
    stub.signedIn = true;
    return { body: {}, headers: { 'set-cookie': 'session=one; Path=/; HttpOnly' } };
  });
  await page.goto('features');
  await ui.signInByEmail('operator@example.com');
  const signedIn = stub.calls.length;
  for (const { call, answer, prepare, press, done } of DEEDS) {
    stub.answer(call, answer);
    await prepare(page, ui);
    await press(page, ui).click();
    await done(page, ui);
  }
  const asked = stub.calls.slice(signedIn).filter(({ path }) => path.startsWith('/api/'));
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['GET', 'POST', 'PUT', 'DELETE']));
  expect(asked.filter(({ headers }) => headers.cookie !== 'session=one')).toEqual([]);
});

test.describe('a message', { tag: '@stub' }, () => {
  test.beforeEach(async ({ stub, page }) => {
    answerOneToggle(stub);
    stub.answer('PUT /api/admin/features/shop.basket', { status: 200 });
    await page.clock.install({ time: '2026-03-01T12:00:00Z' });
  });

  test('of a save goes after a second, then the way back is offered [S9-023] [S4-017]', async ({ page, ui }) => {
    await ui.openActivation('shop.basket');
    await ui.rolloutOf('flexibleRollout').fill('50');
    await page.clock.pauseAt('2026-03-01T12:01:00Z');
    await ui.saveOf('flexibleRollout').press('Enter');
    await expect(ui.snackbar).toContainText('shop.basket successfully updated!');
    await page.clock.runFor(900);
    await expect(ui.snackbar).toContainText('shop.basket successfully updated!');
    await page.clock.runFor(200);
    await expect(page.getByText('successfully updated!')).toHaveCount(0);
    await expect(ui.snackbar.getByRole('button', { name: 'Undo' })).toBeVisible();
  });
});

test('a dialog is 500 px wide where there is room [S9-022]', { tag: '@stub' }, async ({ page, ui, stub }) => {
  answerOneToggle(stub);
  await page.goto('features/strategies/shop.basket');
  await ui.archiveFromDetail();
  await expect.poll(async () => (await ui.dialog.boundingBox())?.width).toBe(500);
  await page.setViewportSize({ width: 360, height: 700 });
  await expect.poll(async () => (await ui.dialog.boundingBox())?.width).toBeLessThan(360);
});
