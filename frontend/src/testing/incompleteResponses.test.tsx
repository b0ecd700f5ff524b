// @vitest-environment happy-dom
// Incomplete responses: missing fields and null instead of lists must not break a page. A journey in the browser:
// e2e/incomplete-responses.spec.ts.
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { addStrategy, button, click, fill, main, rowNames, snackbarText, switchOf } from './consolePage';
import { installFakeServer } from './fakeServer';
import { serveUpstream } from './flagService';
import { advance, cleanPageAfterEach } from './page';
import { renderConsole } from './renderConsole';
import { application, toggle, WITH_NULLS } from './responses';

const server = installFakeServer();
cleanPageAfterEach();

const PUT = 'PUT api/admin/features/shop.basket';
const POST = 'POST api/admin/features';
const MESSAGE = 'You must add at least one activation strategy';

describe.each([
  ['absent', undefined],
  ['null', null],
  ['empty', []],
])('a toggle whose strategies are %s', (_, strategies) => {
  beforeEach(() => {
    const stored = toggle('shop.basket', { description: 'Large', strategies });
    serveUpstream(server(), {
      'GET api/admin/features': { body: { version: 1, features: [stored, toggle('shop.pay')] } },
      'GET api/admin/features/shop.basket': { body: stored },
      'POST api/admin/features/validate': { status: 200 },
      [PUT]: { body: stored },
      [POST]: { status: 201, body: stored },
    });
  });

  test('is listed and can be found', async () => {
    await renderConsole('/features?sort=strategies');
    expect(rowNames()).toEqual(['shop.pay', 'shop.basket']);
    const search = screen.getByRole('searchbox');
    fill(search, 'large');
    fireEvent.keyDown(search, { key: 'Enter' });
    await advance(1000);
    expect(rowNames()).toEqual(['shop.basket']);
  });

  test('[S5-001] is not updated, and no request is sent', async () => {
    await renderConsole('/features/strategies/shop.basket');
    await click(button('Edit description'));
    fill(main().getByRole('textbox', { name: 'Description' }), 'Small');
    await click(button('Save'));
    expect(main().getByRole('alert').textContent).toBe(MESSAGE);
    expect(server().count(PUT)).toBe(0);
  });

  test('[S5-001] is not copied, and no request is sent', async () => {
    await renderConsole('/features/copy/shop.basket');
    fill(main().getByLabelText('Name'), 'shop.copy');
    await click(button('Copy feature toggle'));
    expect(main().getByRole('alert').textContent).toBe(MESSAGE);
    expect(location.pathname).toBe('/features/copy/shop.basket');
    expect(server().count(POST)).toBe(0);
  });

  test('[S5-001] can receive a strategy', async () => {
    await renderConsole('/features/strategies/shop.basket');
    await addStrategy('default');
    await click(button('Save default'));
    expect(screen.queryByText('Unsaved')).toBeNull();
    const sent = server().requests.find(({ line }) => line === PUT);
    expect(sent?.body).toMatchObject({ strategies: [{ name: 'default' }] });
  });
});

test('a switch keeps the strategies if the response lacks them and the state, as from 4.2', async () => {
  const strategies = [{ name: 'default' }, { name: 'userWithId' }];
  const stored = toggle('shop.basket', { enabled: false, strategies });
  const { enabled: _, strategies: __, ...response } = stored;
  serveUpstream(server(), {
    'GET api/admin/features': { body: { version: 1, features: [stored, toggle('shop.pay')] } },
    'POST api/admin/features/shop.basket/toggle/on': { body: response },
  });
  await renderConsole('/features?sort=strategies');
  expect(rowNames()).toEqual(['shop.basket', 'shop.pay']);
  await click(switchOf('shop.basket'));
  expect(snackbarText()).toContain('shop.basket switched on');
  expect(switchOf('shop.basket').checked).toBe(true);
  expect(rowNames()).toEqual(['shop.basket', 'shop.pay']);
});

const AT = '2026-01-05T10:00:00.000Z';

/** Each page with a response that lacks lists, and a text that shows that the page is rendered. */
const PAGES: readonly [page: string, call: string, text: string, body: object][] = [
  ['features/strategies/shop.basket', 'features', 'userId', { features: [WITH_NULLS] }],
  ['features/variants/shop.basket', 'features', 'blue', { features: [WITH_NULLS] }],
  ['features/view/shop.basket', 'features', 'shop.basket', { features: [WITH_NULLS] }],
  ['features', 'features', 'Empty list of feature toggles', { version: 1 }],
  // A parameter, because the archive would use the search of an earlier test.
  ['archive?sort=name', 'archive/features', 'shop.basket', { features: [{ ...WITH_NULLS, strategies: null }] }],
  ['history', 'events', 'created', { events: [{ id: 1, type: 'feature-created', createdAt: AT }] }],
  [
    'history?event=2',
    'events',
    'Everything',
    { events: [{ id: 2, type: 'x', createdAt: AT, diffs: [{ kind: 'E', lhs: 1, rhs: 2 }] }] },
  ],
  ['history', 'events', 'No events', {}],
  ['applications', 'metrics/applications', 'web', { applications: [{ appName: 'web', strategies: null }] }],
  [
    'applications/web',
    'metrics/applications/web',
    'No instance has reported recently',
    application('web', { strategies: null, instances: null, seenToggles: null }),
  ],
  ['strategies', 'strategies', 'byMoon', { strategies: [{ name: 'byMoon', parameters: null }] }],
  ['strategies/view/byMoon', 'strategies', 'byMoon', { strategies: [{ name: 'byMoon' }] }],
  ['context', 'context', 'region', [{ name: 'region', description: null, sortOrder: 1, legalValues: null }]],
  ['projects', 'projects', 'Projects', { projects: null }],
  ['tag-types', 'tag-types', 'team', { tagTypes: [{ name: 'team', description: null, icon: null }] }],
  ['tags', 'tags', 'Tags', { tags: null }],
  [
    'addons',
    'addons',
    'hook',
    { addons: [{ id: 1, provider: 'hook', events: null, parameters: null }], providers: null },
  ],
  ['addons/edit/1', 'addons', 'Edit', { addons: [{ id: 1, provider: 'hook' }], providers: [{ name: 'hook' }] }],
];

test.each(PAGES)('the page %s renders with an incomplete response of %s: %s', async (path, call, text, body) => {
  serveUpstream(server(), { 'GET api/admin/metrics/applications': { body: {} }, [`GET api/admin/${call}`]: { body } });
  await renderConsole(`/${path}`);
  expect(screen.getByRole('main').textContent).toContain(text);
  expect(main().getByRole('heading', { level: 1 })).toBeDefined();
  expect(main().queryByRole('alert')).toBeNull();
});
