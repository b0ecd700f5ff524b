// Hazards of saving, each on the server itself and through Flagdeck.

import { environmentOf, expect, type Reply, strategiesOf, TOGGLES, test } from './api';

const VARIANTS = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'userId' }];
const CONSTRAINTS = [{ contextName: 'userId', operator: 'IN', values: ['1', '2'] }];
const FULL = {
  name: 'flexibleRollout',
  title: 'Beta users',
  disabled: false,
  parameters: { rollout: '41', stickiness: 'userId', groupId: 'g' },
  constraints: CONSTRAINTS,
  variants: VARIANTS,
};

test.describe('an incomplete update of a strategy', () => {
  test('removes constraints on the server', async ({ server }) => {
    const [stored] = await server.createToggle('shop.basket', FULL);
    const path = `${strategiesOf('shop.basket')}/${stored.id}`;
    await server.call('PUT', path, { name: FULL.name, parameters: FULL.parameters });
    expect(await server.call('GET', path)).toMatchObject({ constraints: [] });
  });

  test('removes variants on the server and keeps title, disabled and segments', async ({ server }) => {
    const segment = await server.call('POST', '/api/admin/segments', { name: 'beta', constraints: CONSTRAINTS });
    const [stored] = await server.createToggle('shop.basket', { ...FULL, segments: [segment.id] });
    const path = `${strategiesOf('shop.basket')}/${stored.id}`;
    await server.call('PUT', path, { name: FULL.name, parameters: FULL.parameters });
    const strategies = await server.call('GET', strategiesOf('shop.basket'));
    expect(strategies).toMatchObject([{ title: 'Beta users', disabled: false, segments: [segment.id], variants: [] }]);
  });

  test('resets parameters to their defaults on the server', { tag: '@since-8.2' }, async ({ server }) => {
    const [stored] = await server.createToggle('shop.basket', FULL);
    const path = `${strategiesOf('shop.basket')}/${stored.id}`;
    await server.call('PUT', path, { name: FULL.name, constraints: [] });
    expect(await server.call('GET', path)).toMatchObject({ parameters: { rollout: '100' } });
  });

  test('through Flagdeck changes only the edited field and keeps the id', { tag: '@smoke' }, async ({
    server,
    console,
  }) => {
    const [stored] = await server.createToggle('shop.basket', FULL, { name: 'default', parameters: {} });
    const before = await server.call('GET', `${strategiesOf('shop.basket')}/${stored.id}`);
    const saved = await console.save('shop.basket', ({ strategies, ...toggle }) => ({
      ...toggle,
      strategies: strategies.map(({ id, name, parameters }: Reply['body']) => ({
        id,
        name,
        parameters: name === 'default' ? parameters : { ...parameters, rollout: '42' },
      })),
    }));
    expect(saved.status).toBe(200);
    const after = await server.call('GET', `${strategiesOf('shop.basket')}/${stored.id}`);
    expect(after).toEqual({ ...before, parameters: { ...before.parameters, rollout: '42' } });
  });
});

test.describe('constraints', () => {
  test('with unknown keys are rejected by the server', async ({ server }) => {
    await server.createToggle('shop.basket');
    const constraints = [{ ...CONSTRAINTS[0], unknown: 1 }];
    const { status } = await server.send('POST', strategiesOf('shop.basket'), { ...FULL, constraints });
    expect(status).toBe(400);
  });

  const OPERATORS: [operator: string, value: object][] = [
    ['NOT_IN', { values: ['a'], inverted: true }],
    ['STR_CONTAINS', { values: ['a'], caseInsensitive: true }],
    ['STR_STARTS_WITH', { values: ['a'] }],
    ['STR_ENDS_WITH', { values: ['a'] }],
    ['NUM_EQ', { value: '5', values: [] }],
    ['NUM_GT', { value: '5', values: [] }],
    ['NUM_GTE', { value: '5', values: [] }],
    ['NUM_LT', { value: '5', values: [] }],
    ['NUM_LTE', { value: '5', values: [] }],
    ['DATE_AFTER', { value: '2027-01-01T00:00:00.000Z', values: [] }],
    ['DATE_BEFORE', { value: '2027-01-01T00:00:00.000Z', values: [] }],
    ['SEMVER_EQ', { value: '1.2.3', values: [] }],
    ['SEMVER_GT', { value: '1.2.3', values: [] }],
    ['SEMVER_LT', { value: '1.2.3', values: [] }],
  ];
  const constraints = OPERATORS.map(([operator, value]) => ({ contextName: 'appName', operator, ...value }));

  test('of every operator are stored unchanged by the server', async ({ server }) => {
    await server.createToggle('shop.basket', { ...FULL, constraints });
    const { strategies } = await server.state('shop.basket');
    expect(strategies[0].constraints).toMatchObject(constraints);
  });

  test('of every operator survive a save through Flagdeck', { tag: '@smoke' }, async ({ server, console }) => {
    await server.createToggle('shop.basket', { ...FULL, constraints });
    const before = await server.state('shop.basket');
    const saved = await console.save('shop.basket', (toggle) => ({
      ...toggle,
      strategies: [{ ...toggle.strategies[0], parameters: { ...FULL.parameters, rollout: '42' } }],
    }));
    expect(saved.status).toBe(200);
    const after = await server.state('shop.basket');
    expect(after.strategies[0].constraints).toEqual(before.strategies[0].constraints);
  });
});

test.describe('a new strategy', () => {
  test('added through Flagdeck keeps its position', async ({ server, console }) => {
    await server.createToggle('shop.basket', FULL);
    const saved = await console.save('shop.basket', (toggle) => ({
      ...toggle,
      strategies: [{ name: 'default', parameters: {} }, ...toggle.strategies],
    }));
    expect(saved.status).toBe(200);
    const strategies = await server.strategies('shop.basket');
    expect(strategies).toMatchObject([{ name: 'default' }, { name: 'flexibleRollout' }]);
  });
});

test.describe('impression data', () => {
  test('is switched off on the server by an update without it', async ({ server }) => {
    await server.call('POST', TOGGLES, { name: 'shop.basket', type: 'release', impressionData: true });
    await server.call('PUT', `${TOGGLES}/shop.basket`, { name: 'shop.basket', description: 'x', type: 'release' });
    expect(await server.call('GET', `${TOGGLES}/shop.basket`)).toMatchObject({ impressionData: false });
  });

  test('stays on when the description is saved through Flagdeck', async ({ server, console }) => {
    await server.call('POST', TOGGLES, { name: 'shop.basket', type: 'release', impressionData: true });
    const saved = await console.save('shop.basket', ({ impressionData, ...toggle }) => ({
      ...toggle,
      description: 'x',
    }));
    expect(saved.status).toBe(200);
    expect(await server.call('GET', `${TOGGLES}/shop.basket`)).toMatchObject({
      impressionData: true,
      description: 'x',
    });
  });
});

test.describe('an addon', () => {
  const ADDON = {
    provider: 'webhook',
    description: 'hook',
    enabled: true,
    parameters: { url: 'http://203.0.113.9/hook' },
    events: ['feature-created'],
    projects: ['default'],
    environments: ['development'],
  };
  const { projects, environments, ...OLD_ADDON } = ADDON;

  test('loses projects and environments on the server by an update without them', { tag: '@until-6.10' }, async ({
    server,
  }) => {
    const { id } = await server.call('POST', '/api/admin/addons', ADDON);
    await server.call('PUT', `/api/admin/addons/${id}`, OLD_ADDON);
    expect(await server.call('GET', `/api/admin/addons/${id}`)).toMatchObject({ projects: [], environments: [] });
  });

  test('keeps them when it is saved through Flagdeck', { tag: '@until-6.10' }, async ({ server, console }) => {
    const { id } = await server.call('POST', '/api/admin/addons', ADDON);
    await console.call('PUT', `/api/admin/addons/${id}`, { ...OLD_ADDON, description: 'changed' });
    expect(await server.call('GET', `/api/admin/addons/${id}`)).toMatchObject({
      description: 'changed',
      projects,
      environments,
    });
  });
});

test.describe('a context field', () => {
  const FIELD = {
    name: 'region',
    description: 'Region',
    legalValues: [{ value: 'eu', description: 'Europe' }, { value: 'us' }],
    stickiness: true,
    sortOrder: 5,
  };

  test('with strings as legal values is rejected by the server', async ({ server }) => {
    const old = { ...FIELD, legalValues: ['eu', 'us'] };
    expect((await server.send('POST', '/api/admin/context', old)).status).toBe(400);
  });

  test('loses its position on the server by an update', { tag: '@since-6.10' }, async ({ server }) => {
    await server.call('POST', '/api/admin/context', FIELD);
    await server.call('PUT', '/api/admin/context/region', { ...FIELD, description: 'Changed' });
    expect(await server.call('GET', '/api/admin/context/region')).toMatchObject({ sortOrder: 0 });
  });

  for (const [edit, description, kept] of [
    ['values', 'Region', { sortOrder: 5 }],
    ['values and description', 'Changed', {}],
  ] as const)
    test(`keeps descriptions of legal values when ${edit} are saved through Flagdeck`, async ({ server, console }) => {
      await server.call('POST', '/api/admin/context', FIELD);
      const body = { ...FIELD, description, legalValues: ['eu', 'asia'] };
      await console.call('PUT', '/api/admin/context/region', body);
      expect(await server.call('GET', '/api/admin/context/region')).toMatchObject({
        ...kept,
        description,
        legalValues: [{ value: 'eu', description: 'Europe' }, { value: 'asia' }],
      });
    });
});

test.describe('variants of a new toggle', { tag: '@since-6.10' }, () => {
  test('are rejected by the server, except those of several environments', async ({ server }) => {
    await server.createToggle('shop.basket');
    const rejected = await server.send('PUT', `${environmentOf('shop.basket')}/variants`, VARIANTS);
    expect(rejected.status).toBe(403);
    const environments = ['development'];
    await server.call('PUT', `${TOGGLES}/shop.basket/variants-batch`, { environments, variants: VARIANTS });
    expect(await server.call('GET', `${environmentOf('shop.basket')}/variants`)).toMatchObject({ variants: VARIANTS });
  });
});

test.describe('archiving', () => {
  test('a toggle that another one depends on is refused by the server', async ({ server }) => {
    await server.createToggle('shop.parent', FULL);
    await server.createToggle('shop.child', FULL);
    await server.call('POST', `${TOGGLES}/shop.child/dependencies`, { feature: 'shop.parent' });
    expect((await server.send('DELETE', `${TOGGLES}/shop.parent`)).status).toBe(403);
  });

  test('a toggle that another one depends on is explained by Flagdeck', async ({ server, console }) => {
    await server.createToggle('shop.parent', FULL);
    await server.createToggle('shop.child', FULL);
    await server.call('POST', `${TOGGLES}/shop.child/dependencies`, { feature: 'shop.parent' });
    const { status, body } = await console.send('DELETE', '/api/admin/features/shop.parent');
    expect(status).toBe(403);
    expect(JSON.stringify(body)).toContain('shop.child');
  });

  test('and reviving a toggle leaves it off on the server', async ({ server }) => {
    await server.createToggle('shop.basket', FULL);
    await server.call('POST', `${environmentOf('shop.basket')}/on`);
    await server.call('DELETE', `${TOGGLES}/shop.basket`);
    await server.call('POST', '/api/admin/archive/revive/shop.basket');
    expect(await server.state('shop.basket')).toMatchObject({ enabled: false });
  });
});
