// Hazards of switching toggles, signing out and reading, each on the server itself and through Flagdeck.

import { environmentOf, expect, type Reply, requireServer, strategiesOf, test } from './api';

const ROLLOUT = { name: 'flexibleRollout', parameters: { rollout: '40', stickiness: 'default', groupId: 'g' } };
const DISABLED = { ...ROLLOUT, disabled: true };

test.describe('enabling a toggle without strategies', () => {
  test('adds a 100 % rollout on the server', async ({ server }) => {
    await server.createToggle('shop.basket');
    await server.call('POST', `${environmentOf('shop.basket')}/on`);
    const { enabled, strategies } = await server.state('shop.basket');
    expect(enabled).toBe(true);
    expect(strategies).toMatchObject([{ parameters: { rollout: '100' } }]);
  });

  test('is rejected by Flagdeck with would_add_rollout, and adds nothing', async ({ server, console }) => {
    await server.createToggle('shop.basket');
    const { status, body } = await console.send('POST', '/api/admin/features/shop.basket/toggle/on');
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'would_add_rollout' });
    expect(await server.state('shop.basket')).toMatchObject({ enabled: false, strategies: [] });
  });

  test('adds the rollout after a confirmation, by the switch and by a save', { tag: '@smoke' }, async ({
    server,
    console,
  }) => {
    const rollout = { enabled: true, strategies: [{ parameters: { rollout: '100' } }] };
    await server.createToggle('shop.basket');
    await console.call('POST', '/api/admin/features/shop.basket/toggle/on?confirm=would_add_rollout');
    expect(await server.state('shop.basket')).toMatchObject(rollout);
    await server.createToggle('shop.cart');
    const change = (toggle: object) => ({ ...toggle, enabled: true });
    const asked = await console.save('shop.cart', change);
    expect(asked).toMatchObject({ status: 409, body: { code: 'would_add_rollout' } });
    expect((await console.save('shop.cart', change, '?confirm=would_add_rollout')).status).toBe(200);
    expect(await server.state('shop.cart')).toMatchObject(rollout);
  });
});

test.describe('enabling a toggle whose strategies are all disabled', () => {
  test('adds a 100 % rollout on the server', async ({ server }) => {
    await server.createToggle('shop.basket', DISABLED);
    await server.call('POST', `${environmentOf('shop.basket')}/on`);
    const { strategies } = await server.state('shop.basket');
    expect(strategies).toHaveLength(2);
    expect(strategies[1]).toMatchObject({ disabled: false, parameters: { rollout: '100' } });
  });

  test('adds nothing if the request activates the disabled strategies', async ({ server }) => {
    await server.createToggle('shop.basket', DISABLED);
    await server.call('POST', `${environmentOf('shop.basket')}/on?shouldActivateDisabledStrategies=true`);
    const { enabled, strategies } = await server.state('shop.basket');
    expect(enabled).toBe(true);
    expect(strategies).toMatchObject([{ disabled: false, parameters: { rollout: '40' } }]);
  });

  test('is rejected by Flagdeck, and adds nothing', async ({ server, console }) => {
    await server.createToggle('shop.basket', DISABLED);
    const asked = await console.send('POST', '/api/admin/features/shop.basket/toggle/on');
    expect(asked).toMatchObject({ status: 409, body: { code: 'would_enable_strategies' } });
    const { enabled, strategies } = await server.state('shop.basket');
    expect(enabled).toBe(false);
    expect(strategies).toMatchObject([{ disabled: true }]);
  });

  test('enables them after a confirmation, and adds nothing', async ({ server, console }) => {
    await server.createToggle('shop.basket', DISABLED);
    await console.call('POST', '/api/admin/features/shop.basket/toggle/on?confirm=would_enable_strategies');
    const { enabled, strategies } = await server.state('shop.basket');
    expect(enabled).toBe(true);
    expect(strategies).toMatchObject([{ disabled: false, parameters: { rollout: '40' } }]);
  });
});

test.describe('the last strategy', () => {
  test('disables the toggle on the server when it is deleted', async ({ server }) => {
    const [stored] = await server.createToggle('shop.basket', ROLLOUT);
    await server.call('POST', `${environmentOf('shop.basket')}/on`);
    await server.call('DELETE', `${strategiesOf('shop.basket')}/${stored.id}`);
    expect(await server.state('shop.basket')).toMatchObject({ enabled: false });
  });

  test('disables the toggle on the server when it is disabled', async ({ server }) => {
    const [stored] = await server.createToggle('shop.basket', ROLLOUT);
    await server.call('POST', `${environmentOf('shop.basket')}/on`);
    await server.call('PUT', `${strategiesOf('shop.basket')}/${stored.id}`, { ...DISABLED, constraints: [] });
    expect(await server.state('shop.basket')).toMatchObject({ enabled: false });
  });

  const LAST_CHANGES: [change: string, tag: string[], apply: (strategy: object) => object[]][] = [
    ['removed', ['@smoke'], () => []],
    ['disabled', [], (strategy) => [{ ...strategy, disabled: true }]],
  ];
  for (const [change, tag, apply] of LAST_CHANGES)
    test(`is ${change} by Flagdeck after a confirmation, and without one while the toggle is off`, { tag }, async ({
      server,
      console,
    }) => {
      await server.createToggle('shop.basket', ROLLOUT);
      await server.call('POST', `${environmentOf('shop.basket')}/on`);
      const before = await server.state('shop.basket');
      const edit = ({ strategies: [first], ...toggle }: Reply['body']) => ({ ...toggle, strategies: apply(first) });
      const asked = await console.save('shop.basket', edit);
      expect(asked).toMatchObject({ status: 409, body: { code: 'would_disable_toggle' } });
      expect(await server.state('shop.basket')).toEqual(before);
      expect((await console.save('shop.basket', edit, '?confirm=would_disable_toggle')).status).toBe(200);
      const expected = apply({ name: 'flexibleRollout' });
      expect(await server.state('shop.basket')).toMatchObject({ enabled: false, strategies: expected });
      await server.createToggle('shop.off', ROLLOUT);
      expect((await console.save('shop.off', edit)).status).toBe(200);
      expect(await server.state('shop.off')).toMatchObject({ enabled: false, strategies: expected });
    });

  test('can be replaced through Flagdeck while the toggle stays on', async ({ server, console }) => {
    await server.createToggle('shop.basket', ROLLOUT);
    await server.call('POST', `${environmentOf('shop.basket')}/on`);
    const saved = await console.save('shop.basket', (toggle) => ({
      ...toggle,
      strategies: [{ name: 'default', parameters: {} }],
    }));
    expect(saved.status).toBe(200);
    const { enabled, strategies } = await server.state('shop.basket');
    expect(enabled).toBe(true);
    expect(strategies).toMatchObject([{ name: 'default' }]);
  });
});

test.describe('the old list', () => {
  test('shows the disabled environment default on the server', { tag: '@until-5.12' }, async ({ server }) => {
    await server.createToggle('shop.basket', ROLLOUT);
    for (const environment of ['development', 'production']) {
      if (environment === 'production') await server.call('POST', strategiesOf('shop.basket', environment), ROLLOUT);
      await server.call('POST', `${environmentOf('shop.basket', environment)}/on`);
    }
    const { features } = await server.call('GET', '/api/admin/features');
    expect(features).toMatchObject([{ name: 'shop.basket', enabled: false }]);
  });

  test.describe('through Flagdeck', () => {
    // Each request selects its environment.
    test.use({ environment: '' });

    test('shows the selected environment', async ({ server, console }) => {
      await server.createToggle('shop.basket', ROLLOUT);
      await server.call('POST', `${environmentOf('shop.basket')}/on`);
      const { features } = await console.call('GET', '/api/admin/features');
      expect(features).toMatchObject([{ name: 'shop.basket', enabled: true }]);
      const other = { 'flagdeck-environment': 'production' };
      const { body } = await console.send('GET', '/api/admin/features', undefined, other);
      expect(body.features).toMatchObject([{ name: 'shop.basket', enabled: false }]);
    });
  });
});

test.describe('a write without an environment', () => {
  test.use({ environment: '' });

  test('is rejected by Flagdeck if the server has several', async ({ server, realServer, flagdeck }) => {
    await server.createToggle('shop.basket', ROLLOUT);
    const cookie = `unleash-session=${await requireServer(realServer).session('operator')}`;
    const headers = { cookie, 'content-type': 'application/json' };
    const url = `${flagdeck.url}api/admin/features/shop.basket/toggle/on`;
    expect((await fetch(url, { method: 'POST', headers })).status).toBe(428);
    expect(await server.state('shop.basket')).toMatchObject({ enabled: false });
  });
});

test.describe('a client token', () => {
  test('is ignored on the server if the request has a session', { tag: '@until-5.12' }, async ({
    server,
    realServer,
  }) => {
    await server.createToggle('shop.basket', ROLLOUT);
    await server.call('POST', `${environmentOf('shop.basket')}/on`);
    const authorization = requireServer(realServer).clientToken ?? '';
    const { body } = await server.send('GET', '/api/client/features', undefined, { authorization });
    expect(body.features).toMatchObject([{ name: 'shop.basket', enabled: false, strategies: [] }]);
    const alone = await fetch(`${requireServer(realServer).url}/api/client/features`, { headers: { authorization } });
    expect((await alone.json()).features).toMatchObject([{ name: 'shop.basket', enabled: true, strategies: [{}] }]);
  });
});

test.describe('signing out', () => {
  // Ends its session, which therefore belongs to no other test.
  test.use({ account: 'colleague' });

  test('with GET does not end the session on the server', { tag: '@since-6.10' }, async ({ realServer }) => {
    const server = requireServer(realServer);
    const headers = { cookie: `unleash-session=${await server.session('colleague')}` };
    await fetch(`${server.url}/logout`, { headers, redirect: 'manual' });
    expect((await fetch(`${server.url}/api/admin/user`, { headers })).status).toBe(200);
  });

  test('through Flagdeck ends the session', { tag: '@smoke' }, async ({ realServer, flagdeck }) => {
    const server = requireServer(realServer);
    const headers = { cookie: `unleash-session=${await server.session('colleague')}` };
    await fetch(`${flagdeck.url}-/logout`, { method: 'POST', headers });
    expect((await fetch(`${server.url}/api/admin/user`, { headers })).status).toBe(401);
  });
});

test.describe('an export', () => {
  test('writes an event with the whole export on the server', async ({ server }) => {
    await server.createToggle('shop.basket', ROLLOUT);
    await server.call('POST', '/api/admin/features-batch/export', { environment: 'development', features: [] });
    const events = await server.call('GET', '/api/admin/events?limit=100');
    const types = events.events.map(({ type }: { type: string }) => type);
    expect(types).toContain('features-exported');
  });

  test('is never used by Flagdeck', async ({ server, console }) => {
    await server.createToggle('shop.basket', ROLLOUT);
    await console.send('GET', '/api/admin/features');
    await console.send('GET', '/api/admin/features/shop.basket');
    const { events } = await server.call('GET', '/api/admin/events?limit=100');
    expect(events.map(({ type }: { type: string }) => type)).not.toContain('features-exported');
  });
});

test.describe('the old call that creates a toggle', () => {
  test('creates it with its strategies through Flagdeck', async ({ server, console }) => {
    const toggle = { name: 'shop.new', enabled: true, strategies: [{ name: 'default', parameters: {} }] };
    expect((await console.send('POST', '/api/admin/features', toggle)).status).toBe(201);
    expect(await server.state('shop.new')).toMatchObject({ enabled: true, strategies: [{ name: 'default' }] });
  });
});
