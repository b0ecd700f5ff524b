// The evaluation page on servers with environments.

import { expect, test } from './api';

test('evaluates segments, and says that variants and dependencies are missing', async ({ page, ui, server, flags }) => {
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['ada'] }];
  const segment = await server.call('POST', '/api/admin/segments', { name: 'beta', constraints });
  await flags.create({ name: 'shop.basket', strategies: [] });
  await server.call('POST', '/api/admin/projects/default/features/shop.basket/environments/development/strategies', {
    name: 'default',
    parameters: {},
    segments: [segment.id],
  });
  await server.call('POST', '/api/admin/projects/default/features/shop.basket/environments/development/on');
  await page.goto('evaluation#userId=ada');
  await expect(ui.row('shop.basket')).toContainText('matches: in segment beta');
  await expect(page.getByRole('note')).toContainText('Variants and dependencies of this server are not evaluated here');
  await page.getByRole('textbox', { name: 'userId' }).fill('bob');
  await expect(ui.row('shop.basket')).toContainText('not in segment beta');
});

test('evaluates the strategies of the selected environment', { tag: '@smoke' }, async ({ page, ui, flags }) => {
  const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'userId', groupId: 'g' } }];
  await flags.create({ name: 'shop.basket', strategies });
  await page.goto('evaluation#userId=ada');
  await expect(ui.row('shop.basket')).toContainText(/On.*ada is at \d+ of 100, within the rollout of 100\s%/);
});
