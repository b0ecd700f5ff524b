// The panel that evaluates a toggle, with the segments, strategy variants and parents of newer servers.

import { Lab } from '../support/lab';
import { ENVIRONMENT } from '../support/versions';
import { type Api, environmentOf, expect, TOGGLES, test } from './api';

const CONSTRAINT = { contextName: 'userId', operator: 'IN', values: ['ada'] };
const VARIANTS = [
  { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'userId' },
  { name: 'red', weight: 0, weightType: 'fix', stickiness: 'userId' },
];
const ROLLOUT = { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'userId', groupId: 'g' } };

async function createSegment(server: Api): Promise<number> {
  return (await server.call('POST', '/api/admin/segments', { name: 'beta', constraints: [CONSTRAINT] })).id;
}

test.describe('the panel', () => {
  test('shows the outcome of segments, and the variant of the strategy', { tag: '@smoke' }, async ({
    page,
    ui,
    server,
  }) => {
    const segments = [await createSegment(server)];
    await server.createToggle('shop.basket', { ...ROLLOUT, segments, variants: VARIANTS });
    await server.call('POST', `${environmentOf('shop.basket')}/on`);
    await page.goto('features/strategies/shop.basket#userId=ada');
    const lab = new Lab(page);
    const card = ui.activation.strategy('flexibleRollout');
    await ui.activation.editAll();
    await expect(lab.result).toContainText('Matches: in segment beta');
    await expect(lab.result).toContainText('Variant blue');
    await expect(lab.result).toContainText('Shares: blue 100 %, red 0 %');
    await lab.fill('userId', 'grace');
    await expect(card).toContainText('not in segment beta');
    await expect(lab.result).toContainText('Does not match: not in segment beta');
    await expect(lab.result).toContainText('Does not match: userId is grace');
    await expect(lab.result).toContainText('No rule matches.');
  });

  test('shows the condition on a parent toggle', async ({ page, server }) => {
    await server.createToggle('shop.parent', ROLLOUT);
    await server.createToggle('shop.basket', ROLLOUT);
    await server.call('POST', `${environmentOf('shop.basket')}/on`);
    await server.call('POST', `${TOGGLES}/shop.basket/dependencies`, { feature: 'shop.parent' });
    await page.goto('features/strategies/shop.basket#userId=ada');
    const { result } = new Lab(page);
    await expect(result).toContainText('The condition on the parent toggle "shop.parent" does not hold.');
    await server.call('POST', `${environmentOf('shop.parent')}/on`);
    await page.reload();
    await expect(result).toContainText('shop.parent must be on; it is on');
    await expect(result).toContainText('Rule 1 matches.');
  });

  test('shows the effect of an edit on a population', async ({ page, ui, server }) => {
    const segments = [await createSegment(server)];
    await server.createToggle('shop.basket', { ...ROLLOUT, segments });
    await server.call('POST', `${environmentOf('shop.basket')}/on`);
    await page.goto('features/strategies/shop.basket');
    const lab = new Lab(page);
    await lab.open();
    await lab.paste('ada\ngrace\nalan');
    await expect(lab.summary).toHaveText('On for 1 of these 3.');
    await ui.activation.editAll();
    await ui.activation.rolloutField('flexibleRollout').fill('0');
    await expect(lab.summary).toHaveText('This edit turns it on for 0 and off for 1 of these 3.');
  });

  test.describe('for a viewer', () => {
    test.use({ account: 'viewer' });

    test('shows the result in the selected environment', async ({ page, server }) => {
      await server.createToggle('shop.basket', { ...ROLLOUT, constraints: [CONSTRAINT] });
      await server.call('POST', `${environmentOf('shop.basket', ENVIRONMENT)}/on`);
      await page.goto('features/strategies/shop.basket#userId=ada');
      // The first requests of a user detect the server.
      await expect(new Lab(page).panel).toBeVisible({ timeout: 20_000 });
      await expect(new Lab(page).result).toContainText('Rule 1 matches.');
      await expect(new Lab(page).result).toContainText('Matches: userId is ada');
    });
  });
});
