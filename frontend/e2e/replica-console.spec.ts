// The replica for SDKs in the console: footer, banner, and the removal of the copies. Refusals: ../src/layout/ReplicaPopover.test.tsx.

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

  stubTest('shows the instances, and the age of the toggles during an outage', async ({ page, ui, stub, request }) => {
    await page.clock.install();
    stub.respond('GET /api/client/features', { body: { version: 1, features: [] } });
    for (const instance of ['1', '2']) {
      const response = await request.get('api/client/features', { headers: { 'unleash-instanceid': instance } });
      expect(response.status()).toBe(200);
    }
    await page.goto('features');
    await expect(replicaButton(ui)).toContainText(/SDKs: 2 instances, from memory, 0 s old/);
    await expect(ui.outage).toHaveCount(0);

    await stub.stop();
    const state = /SDKs still get the toggles of \d\d?:\d\d.* old\)\./;
    await afterPolls(page, () => expect(ui.outage).toContainText(state, ONE_TRY));
    await replicaButton(ui).click();
    await expect(replicaPanel(ui)).toContainText('No response since');
    await expect(replicaPanel(ui)).toContainText('run "flagdeck replica purge" on the machine of Flagdeck');
    await expect(removeCopies(ui)).toBeDisabled();
  });
});
