// Dialogs stay open during their request, and open without the state of the previous dialog.

import type { Page } from '@playwright/test';
import { expect, stubTest as test } from './support/fixtures';
import { gate } from './support/gate';
import type { StubUpstream } from './support/stubUpstream';
import type { Ui } from './support/ui';

/** Delays the response to the call; the returned function sends it with the given status. */
function hold(stub: StubUpstream, call: string) {
  const { opened, open } = gate();
  let status = 200;
  stub.respond(call, async () => {
    await opened;
    return { status };
  });
  return (finalStatus: number) => {
    status = finalStatus;
    open();
  };
}

/** Tries every way to close a dialog during its request. */
async function tryToClose(page: Page, ui: Ui): Promise<void> {
  const cancel = ui.dialog.getByRole('button', { name: 'Cancel' });
  await expect(cancel).toHaveAccessibleDescription('Wait for the request to finish.');
  await cancel.click({ force: true });
  await ui.dialog.getByRole('button', { name: 'Close' }).click({ force: true });
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 400);
}

test.describe('a dialog during its request', { tag: '@stub' }, () => {
  test('stays open, and the dialog of another row starts without its state', async ({ page, ui, stub }) => {
    const field = (name: string) => ({ name, description: '', sortOrder: 1, stickiness: false, legalValues: [] });
    stub.respond('GET /api/admin/context', { body: [field('region'), field('plan')] });
    const respond = hold(stub, 'DELETE /api/admin/context/region');
    await page.goto('context');
    await ui.row('region').getByRole('button', { name: 'Remove region' }).click();
    await ui.dialog.getByRole('button', { name: 'Remove' }).click();
    await tryToClose(page, ui);
    respond(500);
    await expect(ui.dialog.getByRole('alert')).toContainText('status 500');

    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(ui.dialog).toBeHidden();
    await ui.row('plan').getByRole('button', { name: 'Remove plan' }).click();
    await expect(ui.dialog).toContainText('plan');
    await expect(ui.dialog.getByRole('button', { name: 'Remove' })).toBeEnabled();
    await expect(ui.dialog.getByRole('alert')).toHaveCount(0);
  });
});
