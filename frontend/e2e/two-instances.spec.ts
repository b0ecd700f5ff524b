// Concurrent edits of a toggle on two instances with one PostgreSQL database.

import type { Binary } from './support/binary';
import { test as base, expect } from './support/fixtures';
import { Ui } from './support/ui';

const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
});

const test = base.extend<{ other: Binary }>({
  other: async ({ flagdeck, database }, use) => {
    base.skip(!database, 'two instances need FLAGDECK_TEST_ENGINE=postgres');
    const other = await flagdeck.startAnother();
    await use(other);
    await other.stop();
  },
});

test.use({ auth: 'unsecure' });

test('an edit on another instance is shown side by side, and is not overwritten', { tag: '@embedded' }, async ({
  page,
  context,
  browser,
  ui,
  flags,
  other,
}) => {
  const stored = async () => (await flags.find('shop.basket'))?.strategies;
  await page.goto('features');
  await ui.signInByEmail('grace@example.com');
  await flags.create({ name: 'shop.basket', strategies: [rollout('25')] });
  await ui.activation.open('shop.basket');
  await ui.activation.rolloutField('flexibleRollout').fill('50');

  // Cookies do not depend on the port: the session is the same on the other instance.
  const sameUser = new Ui(await context.newPage());
  await sameUser.page.goto(`${other.url}features/strategies/shop.basket`);
  await sameUser.activation.editAll();
  await expect(sameUser.activation.rolloutField('flexibleRollout')).toHaveValue('25');
  await expect(sameUser.signInDialog).toBeHidden();
  await sameUser.page.close();

  const colleague = new Ui(await browser.newPage({ baseURL: other.url }));
  await colleague.page.goto('features');
  await colleague.signInByEmail('ada@example.com');
  await colleague.activation.open('shop.basket');
  await colleague.activation.rolloutField('flexibleRollout').fill('75');
  await colleague.activation.saveButton('flexibleRollout').click();
  await expect(colleague.page.getByText('Unsaved')).toHaveCount(0);

  await ui.activation.saveButton('flexibleRollout').click();
  await expect(ui.dialog).toContainText('shop.basket was changed by ada@example.com');
  await expect(ui.dialog.getByRole('radio', { name: 'Your version' })).toHaveAccessibleName(/rollout 25 → 50\s%/);
  await expect(ui.dialog.getByRole('radio', { name: 'Saved version' })).toHaveAccessibleName(/rollout 25 → 75\s%/);
  expect(await stored()).toEqual([rollout('75')]);

  await ui.dialog.getByRole('radio', { name: 'Your version' }).check();
  await ui.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect(await stored()).toEqual([rollout('50')]);
  await colleague.page.reload();
  await colleague.activation.editAll();
  await expect(colleague.activation.rolloutField('flexibleRollout')).toHaveValue('50');
  await colleague.page.close();
});
