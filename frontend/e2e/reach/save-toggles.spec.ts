// Saving and creating toggles through Flagdeck: properties, variants of one environment, tags, copies and revival.

import { type Api, environmentOf, expect, type Reply, strategiesOf, TOGGLES, test } from './api';

const NAME = 'shop.basket';
const PARAMETERS = { rollout: '40', stickiness: 'userId', groupId: 'g' };
const ROLLOUT = { name: 'flexibleRollout', parameters: PARAMETERS, constraints: [] };
const BLUE = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'userId' };
const TOGGLE = { name: NAME, description: 'Basket', type: 'experiment', impressionData: true };
const CONFIRM_VARIANTS = '?confirm=variants_deprecated';

async function variantsIn(server: Api, environment: string, toggle = NAME): Promise<string[]> {
  const { variants } = await server.call('GET', `${environmentOf(toggle, environment)}/variants`);
  return variants.map(({ name }: Reply['body']) => name);
}

test.describe('saving', () => {
  test('description, type and status changes nothing else', async ({ server, console }) => {
    await server.createToggle(NAME, ROLLOUT);
    await server.call('POST', `${environmentOf(NAME)}/on`);
    const before = await server.state(NAME);
    const saved = await console.save(NAME, (toggle) => ({
      ...toggle,
      description: 'Basket',
      type: 'experiment',
      stale: true,
    }));
    expect(saved).toMatchObject({ status: 200, body: { description: 'Basket', type: 'experiment', stale: true } });
    const stored = await server.call('GET', `${TOGGLES}/${NAME}`);
    expect(stored).toMatchObject({ description: 'Basket', type: 'experiment', stale: true });
    expect(await server.state(NAME)).toEqual(before);
    const { events } = await console.call('GET', `/api/admin/events/${NAME}`);
    const types: string[] = events.map(({ type }: Reply['body']) => type);
    expect(types.filter((type) => type.startsWith('feature-strategy'))).toEqual(['feature-strategy-add']);
  });

  test('the description of a toggle without strategies adds none', async ({ server, console }) => {
    await server.createToggle(NAME);
    const saved = await console.save(NAME, (toggle) => ({ ...toggle, description: 'Basket' }));
    expect(saved.status).toBe(200);
    expect(await server.call('GET', `${TOGGLES}/${NAME}`)).toMatchObject({ description: 'Basket' });
    expect(await server.state(NAME)).toMatchObject({ enabled: false, strategies: [] });
  });

  test('strategies without the variants of the toggle keeps them', async ({ server, console }) => {
    await server.createToggle(NAME, ROLLOUT);
    await server.setVariants(NAME, 'development', [BLUE]);
    const saved = await console.save(NAME, ({ variants, strategies: [first], ...toggle }) => {
      expect(variants).toMatchObject([BLUE]);
      return { ...toggle, strategies: [{ ...first, parameters: { ...PARAMETERS, rollout: '41' } }] };
    });
    expect(saved.status).toBe(200);
    expect(await server.state(NAME)).toMatchObject({ strategies: [{ parameters: { rollout: '41' } }] });
    expect(await variantsIn(server, 'development')).toEqual(['blue']);
  });

  test('variants changes those of the selected environment only', async ({ server, console }) => {
    await server.createToggle(NAME, ROLLOUT);
    await server.setVariants(NAME, 'development', [BLUE]);
    await server.setVariants(NAME, 'production', [{ ...BLUE, name: 'red' }]);
    const green = { ...BLUE, name: 'green', weight: 500 };
    const saved = await console.save(NAME, (toggle) => ({ ...toggle, variants: [{ ...BLUE, weight: 500 }, green] }));
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    expect(await variantsIn(server, 'development')).toEqual(['blue', 'green']);
    expect(await variantsIn(server, 'production')).toEqual(['red']);
  });

  test('the first variants of a toggle asks', { tag: '@since-6.10' }, async ({ server, console }) => {
    await server.createToggle(NAME, ROLLOUT);
    const change = (toggle: Reply['body']) => ({ ...toggle, variants: [BLUE], description: 'Basket' });
    const asked = await console.save(NAME, change);
    expect(asked).toMatchObject({ status: 409, body: { code: 'variants_deprecated' } });
    expect((await server.call('GET', `${TOGGLES}/${NAME}`)).description).not.toBe('Basket');
    expect((await console.save(NAME, change, CONFIRM_VARIANTS)).status).toBe(200);
    expect(await variantsIn(server, 'development')).toEqual(['blue']);
    expect(await variantsIn(server, 'production')).toEqual([]);
  });
});

test.describe('a new toggle', () => {
  const WHOLE = { ...TOGGLE, enabled: true, strategies: [ROLLOUT, { name: 'default' }], variants: [BLUE] };

  test('is stored with its strategies, variants and tags, in the selected environment only', { tag: '@smoke' }, async ({
    server,
    console,
  }) => {
    const { status, body } = await console.send('POST', `/api/admin/features${CONFIRM_VARIANTS}`, WHOLE);
    expect(status, JSON.stringify(body)).toBe(201);
    await console.call('POST', `/api/admin/features/${NAME}/tags`, { type: 'simple', value: 'q4' });
    expect(await server.call('GET', `${TOGGLES}/${NAME}`)).toMatchObject(TOGGLE);
    expect(await server.state(NAME)).toMatchObject({ enabled: true });
    expect(await server.strategies(NAME)).toMatchObject([ROLLOUT, { name: 'default' }]);
    expect(await variantsIn(server, 'development')).toEqual(['blue']);
    const { tags } = await server.call('GET', `/api/admin/features/${NAME}/tags`);
    expect(tags).toMatchObject([{ type: 'simple', value: 'q4' }]);
    const production = await server.call('GET', environmentOf(NAME, 'production'));
    expect(production).toMatchObject({ enabled: false, strategies: [] });
    expect(await variantsIn(server, 'production')).toEqual([]);
  });

  test('with variants asks before anything is created', async ({ server, console }) => {
    const asked = await console.send('POST', '/api/admin/features', WHOLE);
    expect(asked).toMatchObject({ status: 409, body: { code: 'variants_deprecated' } });
    expect((await server.send('GET', `${TOGGLES}/${NAME}`)).status).toBe(404);
  });

  test('without strategies stays without them if it is off, and asks if it is on', async ({ server, console }) => {
    const empty = { ...TOGGLE, strategies: [] };
    const on = { ...empty, enabled: true };
    const asked = await console.send('POST', '/api/admin/features', on);
    expect(asked).toMatchObject({ status: 409, body: { code: 'would_add_rollout' } });
    await console.call('POST', '/api/admin/features', { ...empty, enabled: false });
    expect(await server.state(NAME)).toMatchObject({ enabled: false, strategies: [] });
    await console.call('POST', '/api/admin/features?confirm=would_add_rollout', { ...on, name: 'shop.on' });
    const rollout = [{ name: 'flexibleRollout', parameters: { rollout: '100' } }];
    expect(await server.state('shop.on')).toMatchObject({ enabled: true, strategies: rollout });
  });

  test('copied from another one has new strategies with the same properties', async ({ server, console }) => {
    const constraint = { contextName: 'appName', operator: 'STR_CONTAINS', values: ['shop'], inverted: true };
    const segment = await server.call('POST', '/api/admin/segments', { name: 'beta', constraints: [constraint] });
    const full = { ...ROLLOUT, title: 'Beta', constraints: [constraint], segments: [segment.id], variants: [BLUE] };
    await server.createToggle(NAME, full, { name: 'default', disabled: true });
    await server.setVariants(NAME, 'development', [BLUE]);
    await server.call('POST', `${environmentOf(NAME)}/on`);
    const before = await server.strategies(NAME);
    const { strategies, ...toggle } = await console.call('GET', `/api/admin/features/${NAME}`);
    const copies = strategies.map(({ id: _, ...strategy }: Reply['body']) => strategy);
    const copy = { ...toggle, name: 'shop.copy', strategies: copies };
    await console.call('POST', `/api/admin/features${CONFIRM_VARIANTS}`, copy);
    expect(await server.state('shop.copy')).toMatchObject({ enabled: true });
    expect(await variantsIn(server, 'development', 'shop.copy')).toEqual(['blue']);
    const copied = await server.strategies('shop.copy');
    const withoutIds = (all: Reply['body'][]) =>
      all.map(({ id: _, createdAt: __, featureName: ___, ...strategy }) => strategy);
    expect(withoutIds(copied)).toEqual(withoutIds(before));
    expect(copied.map(({ id }) => id)).not.toContain(before[0].id);
    expect(await server.strategies(NAME)).toEqual(before);
  });
});

test.describe('a revived toggle', () => {
  const revive = async (server: Api, console: Api) => {
    await server.createToggle(NAME, ROLLOUT);
    await server.call('POST', strategiesOf(NAME, 'production'), ROLLOUT);
    for (const one of ['development', 'production']) await server.call('POST', `${environmentOf(NAME, one)}/on`);
    await console.call('DELETE', `/api/admin/features/${NAME}`);
    await console.call('POST', `/api/admin/archive/revive/${NAME}`);
    const settings = await console.call('GET', '/-/settings');
    const { enabled, otherEnvironments } = await console.call('GET', `/api/admin/features/${NAME}`);
    return { announced: settings.capabilities.reviveStaysOff, enabled, otherEnvironments };
  };

  test('is off in every environment', async ({ server, console }) => {
    const { otherEnvironments, ...state } = await revive(server, console);
    expect(state).toEqual({ announced: true, enabled: false });
    expect(otherEnvironments).toMatchObject([{ name: 'production', enabled: false, strategies: 1 }]);
  });
});
