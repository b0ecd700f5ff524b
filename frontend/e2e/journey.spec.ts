// The main tasks of a new user in one test, including a restart.

import { EMAIL, expect, test } from './support/fixtures';
import { revive } from './support/revive';

test.use({ durable: true, signedIn: false });

test('loads or creates, searches, switches, creates, archives and revives toggles, and keeps them after a restart [S1-001]', async ({
  page,
  ui,
  flagdeck,
  backend,
  version,
  signIn,
}) => {
  await page.goto('');
  if (backend === 'upstream') {
    await signIn(EMAIL);
    for (const name of ['search.semantic', 'search.typo']) {
      await ui.openCreateForm();
      await ui.nameField.fill(name);
      await ui.activation.addStrategy('default');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await expect(page.getByRole('heading', { name })).toBeVisible();
      await ui.menu.getByRole('link', { name: 'Feature toggles' }).click();
    }
  } else {
    await page.getByRole('button', { name: 'Load example toggles' }).click();
  }
  await expect(ui.names().first()).toBeVisible();
  const switched = (await ui.names().first().textContent()) ?? '';

  await ui.search.fill(switched);
  await ui.search.press('Enter');
  await ui.expectNames(switched);
  const wasOn = await ui.switchOf(switched).isChecked();
  await ui.switchOf(switched).click();
  await expect(ui.switchOf(switched)).toBeChecked({ checked: !wasOn });

  await ui.openCreateForm();
  await ui.nameField.fill('my.flag.js');
  await ui.activation.addStrategy('default');
  await page.getByLabel('Description').fill('Made on the way');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(/\/features\/strategies\/my\.flag\.js$/);

  await ui.archiveFromDetail();
  await ui.dialog.getByRole('button', { name: 'Archive' }).click();
  await expect(page).toHaveURL(/\/features/);
  await ui.menu.getByRole('link', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await revive(ui, ui.row('my.flag.js').getByRole('button', { name: /Revive/ }), version);
  await expect(ui.row('my.flag.js')).toHaveCount(0);

  await flagdeck.restart();
  await page.goto('features');
  await expect(ui.row('my.flag.js')).toContainText('Made on the way');
  await expect(ui.switchOf(switched)).toBeChecked({ checked: !wasOn });
  await page.goto('archive');
  await expect(ui.row('my.flag.js')).toHaveCount(0);
});
