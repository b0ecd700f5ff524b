// Saving strategies through Flagdeck: the server stores the changed properties, and keeps all others.

import { type Api, environmentOf, expect, type Reply, strategiesOf, TOGGLES, test } from './api';

const NAME = 'shop.basket';
const SAVE = `/api/admin/features/${NAME}`;

function rollout(percent: string, more: object = {}) {
  const parameters = { rollout: percent, stickiness: 'userId', groupId: 'g' };
  return { name: 'flexibleRollout', parameters, constraints: [], ...more };
}

const EVERYONE = { name: 'default', parameters: {}, constraints: [] };
const USERS = { contextName: 'userId', operator: 'IN', values: ['1', '2'], inverted: false, caseInsensitive: false };
const BLUE = {
  name: 'blue',
  weight: 1000,
  weightType: 'variable',
  stickiness: 'userId',
  payload: { type: 'string', value: '#00f' },
};

/** Saves the strategies that `change` returns. */
async function saveStrategies(console: Api, change: (strategies: Reply['body'][]) => object[]): Promise<void> {
  const saved = await console.save(NAME, (toggle) => ({ ...toggle, strategies: change(toggle.strategies) }));
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
}

async function updateEvents(console: Api): Promise<number> {
  const { events } = await console.call('GET', `/api/admin/events/${NAME}`);
  return events.filter(({ type }: Reply['body']) => type === 'feature-strategy-update').length;
}

test('one edited property changes alone, with all others of all strategies kept', {
  tag: '@smoke',
}, async ({ server, console }) => {
  const { id: segment } = await server.call('POST', '/api/admin/segments', { name: 'beta', constraints: [USERS] });
  const full = { title: 'Beta users', disabled: true, constraints: [USERS], segments: [segment], variants: [BLUE] };
  await server.createToggle(NAME, rollout('40', full), rollout('50', { ...full, title: 'All' }), EVERYONE);
  let [edited, ...others] = await server.strategies(NAME);
  expect([edited, ...others]).toMatchObject([full, { ...full, title: 'All' }, { name: 'default' }]);
  for (const change of [
    { title: 'Testers' },
    { disabled: false },
    { parameters: rollout('41').parameters },
    { constraints: [USERS, { ...USERS, contextName: 'appName', inverted: true }] },
    { segments: [] },
    { variants: [{ ...BLUE, name: 'green' }] },
  ]) {
    await saveStrategies(console, ([first, ...rest]) => [{ ...first, ...change }, ...rest]);
    edited = { ...edited, ...change };
    expect(await server.strategies(NAME), JSON.stringify(change)).toEqual([edited, ...others]);
  }
});

test('strategies are added first and last, and the stored ones keep their ids and properties', async ({
  server,
  console,
}) => {
  await server.createToggle(NAME, rollout('40'), rollout('50'));
  const before = await server.strategies(NAME);
  await saveStrategies(console, (stored) => [EVERYONE, ...stored, rollout('60')]);
  const [first, ...rest] = await server.strategies(NAME);
  expect(first).toMatchObject({ name: 'default' });
  expect(rest.pop()).toMatchObject(rollout('60'));
  expect(rest).toEqual(before);
});

test('a removed strategy leaves the others unchanged', async ({ server, console }) => {
  await server.createToggle(NAME, rollout('40'), rollout('50'), EVERYONE);
  const [first, , last] = await server.strategies(NAME);
  await saveStrategies(console, ([one, , other]) => [one, other]);
  expect(await server.strategies(NAME)).toEqual([first, last]);
});

test('strategies in another order keep their ids and properties', async ({ server, console }) => {
  await server.createToggle(NAME, rollout('40'), rollout('50'), EVERYONE);
  const [first, second, third] = await server.strategies(NAME);
  await saveStrategies(console, ([one, two, three]) => [three, one, two]);
  expect(await server.strategies(NAME)).toEqual([third, first, second]);
  expect(await updateEvents(console)).toBe(0);
});

test('a copied strategy has all properties and an id of its own', async ({ server, console }) => {
  const { id: segment } = await server.call('POST', '/api/admin/segments', { name: 'beta', constraints: [USERS] });
  const full = { title: 'Beta users', constraints: [USERS], segments: [segment], variants: [BLUE] };
  await server.createToggle(NAME, rollout('40', full));
  await saveStrategies(console, ([stored]) => [stored, { ...stored, id: undefined }]);
  const [stored, copy] = await server.strategies(NAME);
  expect(copy).toEqual({ ...stored, id: expect.any(String) });
  expect(copy.id).not.toBe(stored.id);
});

test.describe('a save is refused, and stores nothing, after another user', () => {
  const CHANGES: [change: string, apply: (server: Api, id: string) => Promise<unknown>][] = [
    [
      'changed the same strategy',
      (server, id) => server.call('PUT', `${strategiesOf(NAME)}/${id}`, rollout('70', { segments: [], variants: [] })),
    ],
    ['added a strategy', (server) => server.call('POST', strategiesOf(NAME), EVERYONE)],
    ['switched the toggle on', (server) => server.call('POST', `${environmentOf(NAME)}/on`)],
    [
      'changed the description',
      (server) => server.call('PATCH', `${TOGGLES}/${NAME}`, [{ op: 'replace', path: '/description', value: 'x' }]),
    ],
  ];
  for (const [change, apply] of CHANGES)
    test(change, { tag: '@smoke' }, async ({ server, console }) => {
      const [{ id }] = (await server.createToggle(NAME, rollout('40'), rollout('50'))) as [{ id: string }];
      const { headers, body } = await console.send('GET', SAVE);
      await apply(server, id);
      const theirs = await server.strategies(NAME);
      const mine = { ...body, strategies: [{ ...body.strategies[0], ...rollout('45') }, body.strategies[1]] };
      const refused = await console.send('PUT', SAVE, mine, { 'if-match': headers['etag'] ?? '' });
      expect(refused).toMatchObject({ status: 412, body: { code: 'toggle_changed' } });
      expect(await server.strategies(NAME)).toEqual(theirs);
      // The current entity tag allows the same edit, and keeps the other user's change of other strategies.
      await saveStrategies(console, ([first, ...others]) => [{ ...first, ...rollout('45') }, ...others]);
      const [first, ...others] = theirs;
      expect(await server.strategies(NAME)).toEqual([{ ...first, ...rollout('45') }, ...others]);
    });
});

test('a failure in the middle states the stored part, and the next save sends the rest', async ({
  server,
  console,
}) => {
  await server.createToggle(NAME, rollout('10'), rollout('20'), rollout('30'));
  const refused = { ...USERS, operator: 'NO_SUCH_OPERATOR' };
  const edit = (constraints: object[]) => (toggle: Reply['body']) => {
    const [one, two, three] = toggle.strategies;
    const strategies = [
      { ...one, ...rollout('11') },
      { ...two, ...rollout('21', { constraints }) },
    ];
    return { ...toggle, strategies: [...strategies, { ...three, ...rollout('31') }] };
  };
  const { status, body } = await console.save(NAME, edit([refused]));
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'half_saved', done: 1, of: 3, refused: expect.stringMatching(/operator/i) });
  const percents = (strategies: Reply['body'][]) => strategies.map(({ parameters }) => parameters.rollout);
  expect(percents(body.toggle.strategies)).toEqual(['11', '20', '30']);
  expect(percents(await server.strategies(NAME))).toEqual(['11', '20', '30']);
  expect(await updateEvents(console)).toBe(1);
  expect((await console.save(NAME, edit([USERS]))).status).toBe(200);
  expect(percents(await server.strategies(NAME))).toEqual(['11', '21', '31']);
  expect(await updateEvents(console)).toBe(3);
});

test('an unknown property of a constraint is refused with the reason of the server, and nothing is stored', async ({
  server,
  console,
}) => {
  await server.createToggle(NAME, rollout('40', { constraints: [USERS] }));
  const before = await server.strategies(NAME);
  const { status, body } = await console.save(NAME, (toggle) => ({
    ...toggle,
    strategies: [{ ...toggle.strategies[0], constraints: [{ ...USERS, unknown: 1 }] }],
  }));
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('unknown');
  expect(await server.strategies(NAME)).toEqual(before);
});
