// The replica for SDKs in the console: footer, banner, and the button that removes the copies.

import { expect, test as realTest, stubTest } from './support/fixtures';
import { afterPolls } from './support/polls';
import { removeCopies, replicaButton, replicaPanel } from './support/replicaPanel';
import { ONE_TRY } from './support/slowdown';

const NEVER = '24h';
/** Of a replica that notices an outage at once. */
const SETTINGS = ['--replica', '--replica-refresh', '100ms'];

realTest.describe('the copies for SDKs of a real server', { tag: '@upstream' }, () => {
  realTest.use({ settings: ['--replica', '--replica-refresh', NEVER] });

  realTest('are removed with the keyboard', async ({ page, ui, flags, request, realServer }) => {
    const authorization = realServer?.clientToken ?? '';
    const headers = { 'unleash-instanceid': 'shop-1', ...(authorization && { authorization }) };
    const toggles = async () => (await request.get('api/client/features', { headers })).text();
    await flags.create({ name: 'shop.old' });
    expect(await toggles()).toContain('shop.old');
    await flags.create({ name: 'shop.new' });
    expect(await toggles(), 'the copy').not.toContain('shop.new');

    await page.goto('features');
    const button = replicaButton(ui);
    await expect(button).toHaveText(/^SDKs: 1 instance, from memory, \d+ s old$/);
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(replicaPanel(ui)).toContainText(/Copies in memory\s*1/);
    await page.keyboard.press('Escape');
    await expect(replicaPanel(ui)).toBeHidden();
    await expect(button).toBeFocused();
    for (const key of ['Escape', 'Enter']) {
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await expect(removeCopies(ui)).toBeFocused();
      await page.keyboard.press('Enter');
      const confirm = ui.dialog.getByRole('button', { name: 'Remove copies' });
      await confirm.focus();
      await page.keyboard.press(key);
      await expect(ui.dialog).toBeHidden();
      await expect(button).toBeFocused();
    }
    await expect(ui.snackbar).toContainText('Removed 1 copy');
    expect(await toggles()).toContain('shop.new');
  });
});

stubTest.describe('the replica', { tag: '@stub' }, () => {
  stubTest.use({ settings: SETTINGS });

  stubTest.beforeEach(async ({ page, stub, request }) => {
    await page.clock.install();
    stub.respond('GET /api/client/features', { body: { version: 1, features: [] } });
    for (const instance of ['1', '2']) {
      const response = await request.get('api/client/features', { headers: { 'unleash-instanceid': instance } });
      expect(response.status()).toBe(200);
    }
  });

  stubTest('shows the instances, and the age of the toggles during an outage', async ({ page, ui, stub }) => {
    await page.goto('features');
    await expect(replicaButton(ui)).toContainText(/SDKs: 2 instances, from memory, 0 s old/);
    await expect(ui.outage).toHaveCount(0);

    await stub.stop();
    const state = /SDKs get the state of \d\d:\d\d:\d\d since \d\d:\d\d:\d\d\./;
    await afterPolls(page, () => expect(ui.outage).toContainText(state, ONE_TRY));
    await replicaButton(ui).click();
    await expect(replicaPanel(ui)).toContainText('No response since');
    await expect(replicaPanel(ui)).toContainText('run "flagdeck replica purge" on the machine of Flagdeck');
    await expect(removeCopies(ui)).toBeDisabled();
  });

  stubTest('shows the reason if the copies cannot be removed', async ({ page, ui, stub }) => {
    await page.goto('features');
    await replicaButton(ui).click();
    await removeCopies(ui).click();
    stub.respond('GET /api/admin/user', { body: { email: 'operator@example.com', permissions: ['CREATE_FEATURE'] } });
    await ui.dialog.getByRole('button', { name: 'Remove copies' }).click();
    await expect(ui.dialog).toContainText('Only administrators of the flag service can remove the copies.');
    await expect(ui.snackbar).toHaveCount(0);
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.reload();
    await replicaButton(ui).click();
    await expect(replicaPanel(ui)).toContainText('You need the permission ADMIN for this.');
    await expect(removeCopies(ui)).toBeDisabled();
  });

  stubTest.describe('in read-only mode', () => {
    stubTest.use({ settings: [...SETTINGS, '--read-only'] });

    stubTest('keeps its copies', async ({ page, ui }) => {
      await page.goto('features');
      await replicaButton(ui).click();
      await expect(replicaPanel(ui)).toContainText('This console is read-only.');
      await expect(removeCopies(ui)).toBeDisabled();
    });
  });
});

stubTest.describe('a console without a replica', { tag: '@stub' }, () => {
  stubTest('says nothing about SDKs', async ({ page, ui }) => {
    await page.goto('features');
    await expect(page.getByRole('contentinfo')).toContainText('3.17.6');
    await expect(replicaButton(ui)).toHaveCount(0);
  });
});
