// Copies of toggles: the server copies all environments with one request.

import { environmentOf, expect, type Reply, strategiesOf, TOGGLES, test } from './api';

const EVERYONE = { name: 'default', parameters: {} };
const ROLLOUT = {
  name: 'flexibleRollout',
  parameters: { rollout: '40', stickiness: 'default', groupId: 'shop.basket' },
};
const COPY = '/api/admin/features?copyOf=shop.basket&replaceGroupId=true';

function byOrder(strategies: Reply['body'][]): Reply['body'][] {
  return [...strategies].sort((one, other) => one.sortOrder - other.sortOrder);
}

test('a copy has the strategies of all environments, the order and the tags', async ({ server, console }) => {
  const stored = await server.createToggle('shop.basket', ROLLOUT, EVERYONE);
  const order = stored.map(({ id }, index) => ({ id, sortOrder: index }));
  await server.call('POST', `${strategiesOf('shop.basket')}/set-sort-order`, order);
  await server.call('POST', strategiesOf('shop.basket', 'production'), ROLLOUT);
  await server.call('POST', `${environmentOf('shop.basket')}/on`);
  await server.call('POST', '/api/admin/features/shop.basket/tags', { type: 'simple', value: 'team' });

  const toggle = await console.call('GET', '/api/admin/features/shop.basket');
  const strategies = toggle.strategies.map(({ id: _, parameters, ...strategy }: Reply['body']) => ({
    ...strategy,
    parameters: parameters.groupId ? { ...parameters, groupId: 'shop.copy' } : parameters,
  }));
  const created = await console.send('POST', COPY, { ...toggle, name: 'shop.copy', strategies });
  expect(created.status, JSON.stringify(created.body)).toBe(201);

  const { enabled, strategies: copied } = await server.state('shop.copy');
  expect(enabled).toBe(true);
  expect(byOrder(copied)).toMatchObject([
    { name: 'flexibleRollout', parameters: { groupId: 'shop.copy', rollout: '40' } },
    { name: 'default' },
  ]);
  const inProduction = await server.call('GET', environmentOf('shop.copy', 'production'));
  expect(inProduction).toMatchObject({ enabled: false, strategies: [{ parameters: { groupId: 'shop.copy' } }] });
  expect(await server.call('GET', '/api/admin/features/shop.copy/tags')).toMatchObject({
    tags: [{ type: 'simple', value: 'team' }],
  });
  expect(await server.call('GET', `${TOGGLES}/shop.copy`)).toMatchObject({ type: 'release', stale: false });
});
