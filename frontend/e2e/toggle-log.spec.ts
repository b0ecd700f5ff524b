// The log tab of a toggle: changes, full events and restoring versions.

import { chooseForEntry, entries, expandEntry } from './support/events';
import { EMAIL, expect, test } from './support/fixtures';
import { storedSettings } from './support/storage';

test('lists every change with its author, type and diff, without the name in the heading [S1-003] [S2-007] [S2-065] [S3-024] [S3-025]', {
  tag: '@whole-toggle-events',
}, async ({ page, ui, flags, backend }) => {
  await flags.create({ name: 'shop.basket', description: 'Small' }, { name: 'shop.other' });
  await flags.update('shop.basket', { description: 'Large', enabled: false });
  await page.goto('features/strategies/shop.basket');
  await ui.tab('Log').click();
  await expect(page).toHaveURL(/\/features\/history\/shop\.basket$/);
  await expect(ui.main.getByRole('heading', { level: 1 })).toHaveText('shop.basket');
  await expect(ui.main.getByRole('heading', { level: 3 })).toHaveText('Today');
  await expect(entries(ui)).toHaveCount(2);
  const newest = entries(ui).first();
  await expect(newest).toContainText(backend === 'upstream' ? EMAIL : 'operator');
  await expect(newest).toContainText(/switched the toggle off.*description/);
  // The name of the toggle is the heading of the page.
  await expect(newest).not.toContainText('shop.basket');
  // The tooltip shows the exact time.
  await expect(newest.locator('time')).toHaveAttribute('data-tip', /\d\d:\d\d:\d\d/);
  await expandEntry(newest);
  await expect(newest).toContainText('feature-updated');
  const diff = newest.getByRole('listitem').getByRole('listitem');
  await expect(diff.filter({ hasText: 'Description' })).toContainText(/Small.*Large/);
  await expect(diff.filter({ hasText: 'Enabled' })).toContainText(/on.*off/);
  // Without a previous version, the event shows its data.
  await expandEntry(entries(ui).last());
  await expect(entries(ui).last()).toContainText('feature-created');
  await expect(entries(ui).last()).toContainText(/Description\s*after: Small/);
});

test('an expanded change shows texts word by word', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  const payload = (value: string) => ({ variants: [{ ...VARIANT, payload: { type: 'json', value } }] });
  await flags.create({ name: 'shop.basket', description: 'Half of our customers see it.', ...payload('{"size": 1}') });
  await flags.update('shop.basket', { description: 'All of our customers saw it.', ...payload('{"size": 2}') });
  await page.goto('features/history/shop.basket');
  const newest = entries(ui).first();
  await expandEntry(newest);
  await expect(newest.locator('del')).toHaveText(['before: Half', 'before: see', 'before: 1']);
  await expect(newest.locator('ins')).toHaveText(['after: All', 'after: saw', 'after: 2']);
  await newest.getByRole('button', { expanded: true }).first().click();
  await expect(newest.locator('del')).toHaveCount(0);
});

const VARIANT = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' };

test('Full events shows the stored events, and the setting is kept [S2-064] [S3-038] [S3-036]', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await flags.update('shop.basket', { description: 'Large' });
  await page.goto('features/history/shop.basket');
  const newest = entries(ui).first();
  await expect(newest).not.toContainText('"name": "shop.basket"');
  await page.getByRole('switch', { name: 'Full events' }).click();
  await expect(newest).toContainText('"name": "shop.basket"');
  await expect(newest).toContainText('"description": "Large"');
  expect(await storedSettings(page)).toEqual({ '/:settings:history': { showData: true } });
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Full events' })).toBeChecked();
  await expect(newest).toContainText('"name": "shop.basket"');
});

test('a change in the header appears in the log at once', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/history/shop.basket');
  await expect(entries(ui)).toHaveCount(1);
  await ui.main.getByRole('switch', { name: 'Enabled' }).click();
  await expect(ui.main.getByText('Disabled', { exact: true })).toBeVisible();
  await expect(entries(ui)).toHaveCount(2);
  await expect(entries(ui).first()).toContainText('switched the toggle off');
});

test('a version can be restored after a preview, and restoring can be undone', {
  tag: ['@whole-toggle-events', '@variant-stickiness', '@reach'],
}, async ({ page, ui, flags }) => {
  const old = {
    description: 'Small',
    type: 'experiment',
    strategies: [{ name: 'userWithId', parameters: { userIds: 'ada' } }],
    variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
  };
  const now = {
    description: 'Large',
    type: 'release',
    strategies: [{ name: 'default', parameters: {} }],
    variants: [],
  };
  await flags.create({ name: 'shop.basket', ...old });
  await flags.update('shop.basket', now);
  await page.goto('features/history/shop.basket');
  // The current version has nothing to restore.
  await entries(ui)
    .first()
    .getByRole('button', { name: /^Actions for the event of/ })
    .click();
  await expect(page.getByRole('menuitem', { name: 'Restore this version' })).toContainText(
    'This is the current version.',
  );
  await page.keyboard.press('Escape');
  const restore = () => chooseForEntry(entries(ui).last(), 'Restore this version');
  await restore();
  await expect(ui.dialog).toContainText(/Large.*Small/);
  await expect(ui.dialog).toContainText(/userWithId.*1 user/);
  await ui.dialog.getByText('JSON diff').click();
  await expect(ui.dialog).toContainText(/description\s*−\s*before: "Large"\s*\+\s*after: "Small"/);
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  expect(await flags.find('shop.basket')).toMatchObject(now);

  await restore();
  await ui.dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(entries(ui)).toHaveCount(3);
  expect(await flags.find('shop.basket')).toMatchObject({ ...old, enabled: true });
  await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => flags.find('shop.basket')).toMatchObject(now);
});
