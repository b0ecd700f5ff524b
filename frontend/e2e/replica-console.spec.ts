// The replica for SDKs in the console: footer and banner.

import { expect, stubTest as test } from './support/fixtures';
import { afterPolls } from './support/polls';

test.use({ settings: ['--replica', '--replica-refresh', '100ms', '--upstream-pause', '100ms'] });

test.beforeEach(({ page }) => page.clock.install());

test.describe('the replica', { tag: '@stub' }, () => {
  test('shows the instances, and the age of the toggles during an outage', async ({ page, ui, stub, request }) => {
    stub.respond('GET /api/client/features', { body: { version: 1, features: [] } });
    for (const instance of ['1', '2']) {
      const response = await request.get('api/client/features', { headers: { 'unleash-instanceid': instance } });
      expect(response.status()).toBe(200);
    }
    await page.goto('features');
    const footer = page.getByRole('contentinfo');
    await expect(footer).toContainText(/SDKs: 2 instances, from memory, 0 s old/);
    await expect(ui.outage).toHaveCount(0);

    await stub.stop();
    const state = /SDKs get the state of \d\d:\d\d:\d\d since \d\d:\d\d:\d\d\./;
    await afterPolls(page, () => expect(ui.outage).toContainText(state, { timeout: 500 }));
  });
});

test.describe('a console without a replica', { tag: '@stub' }, () => {
  test.use({ settings: [] });

  test('says nothing about SDKs', async ({ page }) => {
    await page.goto('features');
    await expect(page.getByRole('contentinfo')).toContainText('3.17.6');
    await expect(page.getByText(/^SDKs:/)).toHaveCount(0);
  });
});
