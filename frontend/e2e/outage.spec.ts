// Outages of the flag service, of the program itself and of a proxy.

import type { Locator } from '@playwright/test';
import { expect, stubTest as test } from './support/fixtures';
import { afterPolls } from './support/polls';
import { ONE_TRY } from './support/slowdown';
import { toggle } from './support/stubUpstream';

// An outage and its end are detected by the next poll.
const expectText = (one: Locator, text: string) =>
  afterPolls(one.page(), () => expect(one).toContainText(text, ONE_TRY));
const expectVisible = (one: Locator) => afterPolls(one.page(), () => expect(one).toBeVisible(ONE_TRY));
const expectGone = (one: Locator) => afterPolls(one.page(), () => expect(one).toHaveCount(0, ONE_TRY));

test.beforeEach(({ page }) => page.clock.install());

test.describe('while the flag service is unreachable', { tag: '@stub' }, () => {
  test.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  });

  test('loaded data stays with its age, changes are disabled, and the page recovers', async ({ page, ui, stub }) => {
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    const { host } = new URL(stub.url);
    await stub.stop();
    await expectText(ui.outage, 'Flagdeck cannot reach the flag service');
    await expect(ui.outage).toContainText(host);
    await expect(ui.outage.getByRole('time')).toBeVisible();
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect(ui.switchOf('shop.basket')).toBeDisabled();
    await expect(ui.switchOf('shop.basket')).toHaveAccessibleDescription(/until the flag service responds/);
    // The outage is reported only once.
    await expect(ui.snackbar).toHaveCount(0);

    stub.respond('GET /api/admin/features', {
      body: { version: 1, features: [toggle('shop.basket'), toggle('shop.meanwhile')] },
    });
    await stub.startAgain();
    await expectGone(ui.outage);
    await expect(ui.row('shop.meanwhile')).toBeVisible();
    await expect(ui.switchOf('shop.basket')).toBeEnabled();
  });

  test('the page loads, and shows the data when the service responds', async ({ page, ui, stub }) => {
    await stub.stop();
    await page.goto('features');
    await expect(ui.outage).toContainText('Flagdeck cannot reach the flag service');
    await expect(ui.outage.getByRole('time')).toHaveCount(0);
    // The outage is reported only once, with one button.
    await expect(ui.main.getByText('This loads when the connection is restored.')).toBeVisible();
    await page.goto('features/strategies/shop.basket');
    await expect(ui.main.getByRole('heading', { level: 1, name: 'shop.basket' })).toBeVisible();
    await page.goto('features');
    await expect(ui.main.getByText('This loads when the connection is restored.')).toBeVisible();
    await expect(ui.main.getByRole('alert')).toHaveCount(1);
    await expect(ui.main.getByRole('button', { name: /Retry/ })).toHaveCount(1);
    await expect(ui.main.getByText(new URL(stub.url).host)).toHaveCount(1);
    await stub.startAgain();
    await expectVisible(ui.row('shop.basket'));
    await expect(ui.outage).toHaveCount(0);
    await expect(ui.switchOf('shop.basket')).toBeEnabled();
  });
});

test('an outage of the program itself has its own message', { tag: '@stub' }, async ({ page, ui, stub, flagdeck }) => {
  stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  await page.goto('features');
  await expect(ui.row('shop.basket')).toBeVisible();
  await flagdeck.stop();
  await expectText(ui.outage, 'This browser cannot reach Flagdeck');
  await flagdeck.restart();
  await expectGone(ui.outage);
  await expect(ui.switchOf('shop.basket')).toBeEnabled();
});

test('a page that was opened while the program did not run loads when it runs again', { tag: '@stub' }, async ({
  page,
  ui,
  stub,
  flagdeck,
}) => {
  stub.respond('GET /api/admin/strategies', { body: { version: 1, strategies: [] } });
  await page.goto('features');
  await expect(ui.main.getByText('Empty list of feature toggles')).toBeVisible();
  await flagdeck.stop();
  await ui.menu.getByRole('link', { name: 'Strategies' }).click();
  // No request of a poll has failed yet.
  await expect(ui.main.getByText('This page could not be loaded')).toBeVisible();
  await expect(ui.outage).toContainText('This browser cannot reach Flagdeck');
  await flagdeck.restart();
  await expectGone(ui.outage);
  await expect(ui.main.getByRole('heading', { name: 'Strategies', exact: true })).toBeVisible();
  await expect(ui.main.getByRole('alert')).toHaveCount(0);
});
