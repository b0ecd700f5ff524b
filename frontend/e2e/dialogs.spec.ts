// A dialog whose request is under way stays open, and the next opening starts without the state of the last one.

import type { Page } from '@playwright/test';
import { expect, stubTest as test } from './support/fixtures';
import { gate } from './support/gate';
import type { StubUpstream } from './support/stubUpstream';
import { answerOneToggle } from './support/toggleDeeds';
import type { Ui } from './support/ui';

/** Holds the call; the returned function answers it. */
function hold(stub: StubUpstream, call: string) {
  const { opened, open } = gate();
  let status = 200;
  stub.answer(call, async () => {
    await opened;
    return { status };
  });
  return (answered: number) => {
    status = answered;
    open();
  };
}

/** Tries every way to close a dialog whose request is under way. */
async function tryToClose(page: Page, ui: Ui): Promise<void> {
  const cancel = ui.dialog.getByRole('button', { name: 'Cancel' });
  await expect(cancel).toHaveAccessibleDescription('Wait for the request to finish.');
  await cancel.click({ force: true });
  await ui.dialog.getByRole('button', { name: 'Close' }).click({ force: true });
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 400);
}

test.describe('a dialog whose request is under way', { tag: '@stub' }, () => {
  test('stays open, and the dialog of another row starts without its state', async ({ page, ui, stub }) => {
    const field = (name: string) => ({ name, description: '', sortOrder: 1, stickiness: false, legalValues: [] });
    stub.answer('GET /api/admin/context', { body: [field('region'), field('plan')] });
    const answer = hold(stub, 'DELETE /api/admin/context/region');
    await page.goto('context');
    await ui.row('region').getByRole('button', { name: 'Remove region' }).click();
    await ui.dialog.getByRole('button', { name: 'Remove' }).click();
    await tryToClose(page, ui);
    answer(500);
    await expect(ui.dialog.getByRole('alert')).toContainText('status 500');

    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(ui.dialog).toBeHidden();
    await ui.row('plan').getByRole('button', { name: 'Remove plan' }).click();
    await expect(ui.dialog).toContainText('plan');
    await expect(ui.dialog.getByRole('button', { name: 'Remove' })).toBeEnabled();
    await expect(ui.dialog.getByRole('alert')).toHaveCount(0);
  });

  test('stays open over a variant until it is stored', async ({ page, ui, stub }) => {
    answerOneToggle(stub);
    const answer = hold(stub, 'PUT /api/admin/features/shop.basket');
    await page.goto('features/variants/shop.basket');
    await ui.openVariant();
    await ui.dialog.getByLabel('Name', { exact: true }).fill('blue');
    await ui.saveVariant();
    await tryToClose(page, ui);
    answer(500);
    await expect(ui.dialog.getByRole('alert')).toContainText('status 500');
    await expect(ui.dialog.getByLabel('Name', { exact: true })).toHaveValue('blue');
  });

  test('stays open over a tag until it is added', async ({ page, ui, stub }) => {
    answerOneToggle(stub);
    const answer = hold(stub, 'POST /api/admin/features/shop.basket/tags');
    await page.goto('features/strategies/shop.basket');
    await ui.addTag('spring');
    await tryToClose(page, ui);
    answer(500);
    await expect(ui.dialog.getByRole('alert')).toContainText('status 500');
  });
});
