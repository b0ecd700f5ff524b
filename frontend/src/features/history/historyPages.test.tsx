// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { events } from '@/api/endpoints';
import type { Diff, Event } from '@/api/generated/types';
import { refreshReads } from '@/api/useRead';
import { setSingleKeys } from '@/lib/keyboard';
import { browserLocale, chooseLocale } from '@/lib/locale';
import {
  accessibleDescription,
  button,
  click,
  dialog,
  find,
  isDisabled,
  main,
  snackbarText,
} from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, serveConsole, serveUpstream } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const EVENTS = 'GET api/admin/events';

const event = (id: number, more: Partial<Event> = {}): Event => ({
  id,
  type: 'feature-updated',
  createdBy: 'ada',
  createdAt: new Date(Date.UTC(2026, 0, 5, 10, 0, id)).toISOString(),
  data: { name: 'shop.basket' },
  diffs: [],
  ...more,
});

/** Events from a newer id to an older one. */
const range = (newest: number, oldest: number, more: Partial<Event> = {}) =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => event(newest - index, more));

const page = (listed: readonly Event[], nextBefore?: number) => ({
  body: { version: 1, events: listed, ...(nextBefore !== undefined && { nextBefore }) },
});

const rows = () => [...document.querySelectorAll<HTMLElement>('main li[id^="event-"]')];
const rowIds = () => rows().map(({ id }) => Number(id.replace('event-', '')));
/** The text of an element, with spaces as a reader sees them. */
const textOf = (element: Element | undefined) => element?.textContent?.replaceAll('\u00a0', ' ');

const LOG = 'GET api/admin/events/shop.basket';
const log = (listed: readonly Event[]) => ({ body: { toggleName: 'shop.basket', events: listed } });
const readerOf = (...permissions: string[]) => ({ body: { email: 'reader@example.com', permissions } });
const undoOf = (row: HTMLElement | undefined) =>
  within(row as HTMLElement).getByRole('button', { name: 'Undo this change' });

async function expand(row: HTMLElement | undefined) {
  await click(within(row as HTMLElement).getAllByRole('button', { expanded: false })[0] as HTMLElement);
}

/** The changes of an expanded event. */
const changesOf = (row: HTMLElement | undefined) => [...(row?.querySelectorAll(':scope li li') ?? [])].map(textOf);

const openHistory = (path = '/history') => renderConsole(path);

const TOGGLE = { strategies: [{ name: 'default', parameters: {} }], variants: [], type: 'release', project: 'default' };
const described = (description: string, more: object = {}) => ({
  name: 'shop.basket',
  enabled: true,
  description,
  ...TOGGLE,
  ...more,
});
const edit = (field: string, lhs: unknown, rhs: unknown): Diff => ({ kind: 'E', path: [field], lhs, rhs });

test('the history shows older events page by page until there are none', async () => {
  serveConsole(server());
  server().on(EVENTS, page(range(9, 7), 7));
  server().on(`${EVENTS}?before=7`, page(range(6, 4), 4));
  server().on(`${EVENTS}?before=4`, page(range(3, 1)));
  await openHistory();
  expect(main().getByText('newest 3')).toBeDefined();
  await click(button('Show older events'));
  expect(rowIds()).toEqual([9, 8, 7, 6, 5, 4]);
  expect(main().getByText('Newest 6 events')).toBeDefined();
  await click(button('Show older events'));
  expect(rowIds()).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(main().queryByRole('button', { name: 'Show older events' })).toBeNull();
  expect(main().getByText('No older events')).toBeDefined();
});

test('the log of a toggle has pages too', async () => {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  server().on(`${EVENTS}/shop.basket`, page(range(9, 7), 7));
  server().on(`${EVENTS}/shop.basket?before=7`, page(range(6, 5)));
  await openHistory('/features/history/shop.basket');
  await click(button('Show older events'));
  expect(rowIds()).toEqual([9, 8, 7, 6, 5]);
});

test('a page that cannot be read is reported at the end of the list', async () => {
  serveConsole(server());
  server().on(EVENTS, page(range(9, 7), 7));
  server().on(`${EVENTS}?before=7`, { status: 500, body: {} });
  await openHistory();
  await click(button('Show older events'));
  expect(main().getByRole('alert').textContent).toContain('status 500');
  server().on(`${EVENTS}?before=7`, page(range(6, 6)));
  await click(button('Retry'));
  expect(rowIds()).toEqual([9, 8, 7, 6]);
  expect(main().queryByRole('alert')).toBeNull();
});

test('a filter without matches searches older events until one matches', async () => {
  serveConsole(server());
  server().on(EVENTS, page(range(9, 7), 7));
  server().on(`${EVENTS}?before=7`, page(range(6, 5), 5));
  server().on(`${EVENTS}?before=5`, page([event(4, { createdBy: 'grace' }), event(3)], 3));
  await openHistory('/history?user=grace');
  expect(main().getByText(/Searched the newest 3 events\./)).toBeDefined();
  await click(button('Search older events'));
  expect(rowIds()).toEqual([4]);
  expect(main().getByRole('status').textContent).toBe('1 of the newest 7 events');
  expect(button('Search older events')).toBeDefined();
});

test('a search ends at the begin of the time range', async () => {
  serveConsole(server());
  server().on(EVENTS, page(range(9, 7), 7));
  server().on(`${EVENTS}?before=7`, page(range(6, 3), 3));
  await openHistory('/history?user=grace&from=2026-01-05T10:00:05.000Z');
  await click(button('Search older events'));
  expect(main().queryByRole('button', { name: 'Search older events' })).toBeNull();
  expect(server().count(`${EVENTS}?before=3`)).toBe(0);
});

test('a server that sends only the newest 100 events is named as the reason, with the logs that reach further', async () => {
  serveUpstream(server(), {
    [EVENTS]: page(range(300, 201)),
    'GET api/admin/features': { body: { version: 1, features: [createToggle({ name: 'shop.basket' })] } },
  });
  await openHistory();
  expect(main().getByText('newest 100')).toBeDefined();
  expect(main().getByText(/The server sends only the newest 100 events\. The log of a toggle/)).toBeDefined();
  expect(main().queryByRole('button', { name: 'Show older events' })).toBeNull();
  fireEvent.change(main().getByRole('searchbox'), { target: { value: 'BASKET grace' } });
  fireEvent.keyDown(main().getByRole('searchbox'), { key: 'Enter' });
  await settlePage();
  expect(main().getByText(/Searched the newest 100 events: the server sends no older ones\./)).toBeDefined();
});

test('the logs of toggles that the search names are linked if nothing matches', async () => {
  serveUpstream(server(), {
    [EVENTS]: page(range(300, 201)),
    'GET api/admin/features': {
      body: { version: 1, features: ['shop.cart', 'shop.old', 'shop.Cart2'].map((name) => createToggle({ name })) },
    },
  });
  await openHistory('/history?search=cart');
  const links = main().getAllByRole('link', { name: /^log of/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/history/shop.cart', '/history/shop.Cart2']);
});

test('an event in the URL that is older than the page is read', async () => {
  serveConsole(server());
  server().on(EVENTS, page(range(9, 7), 7));
  server().on(`${EVENTS}?before=7`, page(range(6, 5), 5));
  server().on(`${EVENTS}?before=5`, page(range(4, 3), 3));
  await openHistory('/history?event=4');
  expect(main().getByText('This event is older than the 3 events on this page.')).toBeDefined();
  await click(button('Load this event'));
  expect(rowIds()).toEqual([9, 8, 7, 6, 5, 4, 3]);
  const [linked] = rows().filter((row) => row.getAttribute('aria-current') === 'true');
  expect(linked?.id).toBe('event-4');
  expect(main().queryByText(/is older than/)).toBeNull();
});

test('one line names the author, the toggle and the change', async () => {
  serveConsole(server(), [createToggle({ ...described('Small') })]);
  server().on(
    EVENTS,
    page([
      event(5, { createdBy: 'operator', data: described('Small'), diffs: [edit('description', 'Large', 'Small')] }),
      event(4, { data: described('Large'), diffs: [edit('enabled', false, true)] }),
      event(3, { data: described('Large', { enabled: false }), diffs: [edit('enabled', true, false)] }),
      event(2, { data: described('Large'), diffs: [edit('description', 'Small', 'Large')] }),
    ]),
  );
  await openHistory();
  expect(rows().map((row) => textOf(row.querySelector('p') ?? undefined))).toEqual([
    'operator changed the description of shop.basket',
    'ada switched shop.basket on',
    'ada switched shop.basket off',
    'ada changed the description of shop.basket',
  ]);
});

test('a tag that is created by adding it is one row, with the URL of each event', async () => {
  const tag = { type: 'team', value: 'mobile' };
  const time = { createdAt: '2026-01-05T10:00:00.000Z' };
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  server().on(
    EVENTS,
    page([
      event(9, { type: 'feature-tagged', data: { name: 'shop.basket', tag }, ...time }),
      event(8, { type: 'tag-created', data: tag, ...time }),
      event(7),
    ]),
  );
  await openHistory('/history?event=8');
  expect(rowIds()).toEqual([9, 7]);
  expect(textOf(rows()[0])).toContain('feature-tagged, tag-created');
  expect(rows()[0]?.getAttribute('aria-current')).toBe('true');
});

test('an undo that is not possible is a reason in the open row, and its button is not shown in the line', async () => {
  serveConsole(server(), [createToggle({ ...described('Large') })]);
  server().on(
    EVENTS,
    page([
      event(3, { data: described('Large'), diffs: [edit('description', 'Small', 'Large')] }),
      event(2, { data: described('Small'), diffs: [edit('description', 'Old', 'Small')] }),
      event(1, { data: described('Old'), diffs: [] }),
    ]),
  );
  await openHistory();
  const [newest, , empty] = rows();
  expect(isDisabled(undoOf(newest))).toBe(false);
  expect(undoOf(empty).className).toContain('sr-only');
  await click(
    within(newest as HTMLElement).getByRole('button', { name: /^ada changed the description of shop\.basket$/ }),
  );
  expect(textOf(newest)).toContain('Undo restores the values before this change. Later changes are kept.');
  await click(button(/^ada saved shop\.basket without changes/));
  expect(textOf(empty)).toContain('Nothing to undo: this event changed nothing.');
});

test('j, k and the arrow keys move between rows, and the row can be opened', async () => {
  serveConsole(server());
  server().on(EVENTS, page(range(3, 1)));
  await openHistory();
  const press = (key: string, more: object = {}) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
  const focused = () => document.activeElement?.closest('li')?.id;
  press('ArrowDown');
  expect(focused()).toBeUndefined();
  press('j');
  expect(focused()).toBe('event-3');
  press('ArrowDown');
  expect(focused()).toBe('event-2');
  press('j');
  press('j');
  expect(focused()).toBe('event-1');
  press('k');
  press('ArrowUp');
  expect(focused()).toBe('event-3');
  press('j', { ctrlKey: true });
  expect(focused()).toBe('event-3');
  act(() => setSingleKeys(false));
  press('j');
  expect(focused()).toBe('event-3');
  press('ArrowDown');
  expect(focused()).toBe('event-2');
  act(() => setSingleKeys(true));
  main().getByRole('searchbox').focus();
  press('j');
  expect(focused()).toBeUndefined();
});

test('a change by another user arrives while older events are shown', async () => {
  serveConsole(server(), [createToggle({ ...described('Small') })]);
  const change = event(9, { data: described('Large'), diffs: [edit('description', 'Small', 'Large')] });
  server().on(EVENTS, page([change, event(8)], 8));
  server().on(`${EVENTS}?before=8`, page(range(7, 6), 6));
  await openHistory();
  await click(button('Show older events'));
  const newer = event(10, {
    createdBy: 'grace',
    data: described('Small'),
    diffs: [edit('description', 'Large', 'Small')],
  });
  server().on(EVENTS, page([newer, change], 9));
  act(() => refreshReads([events]));
  await settlePage();
  expect(rowIds()).toEqual([10, 9, 8, 7, 6]);
  expect(textOf(rows()[0])).toContain('grace changed the description of shop.basket');
});

/** Serves the toggle, the history and its log, which contain the same events. */
function serveEvents(toggle: object, listed: readonly Event[]) {
  serveUpstream(server(), {
    'GET api/admin/features': { body: { version: 1, features: [toggle] } },
    'GET api/admin/features/shop.basket': { body: toggle },
    'GET api/admin/features/shop.basket/tags': { body: { version: 1, tags: [] } },
    [EVENTS]: page(listed),
    [LOG]: log(listed),
  });
}

const PAGES = ['/history', '/features/history/shop.basket'];
const PUT = 'PUT api/admin/features/shop.basket';
const stored = (description: string, more: object = {}) => createToggle({ name: 'shop.basket', description, ...more });
const bodies = () => server().bodies(PUT);

test.each(PAGES)('%s shows false, 0, null and empty values in a diff', async (path) => {
  const diffs = [
    { kind: 'N', path: ['description'], rhs: '' },
    { kind: 'D', path: ['stale'], lhs: false },
    { kind: 'E', path: ['strategies', 0, 'parameters', 'count'], lhs: 0, rhs: null },
    { kind: 'A', path: ['variants'], index: 1, item: { kind: 'D', lhs: 'blue' } },
  ] as Diff[];
  serveEvents(stored(''), [event(2, { diffs }), event(1)]);
  await openHistory(path);
  await expand(rows()[0]);
  expect(changesOf(rows()[0])).toEqual([
    expect.stringMatching(/^Description\s*after: ""$/u),
    expect.stringMatching(/^Status\s*before: Active$/u),
    expect.stringMatching(/^Strategy 1 › Parameters › Count\s*before: 0 → after: null$/u),
    expect.stringMatching(/^Variant 2\s*before: blue$/u),
  ]);
  expect(textOf(rows()[1])).toContain('without changes');
});

test.each([
  ['/history', 'No events'],
  ['/history/shop.basket', 'No events'],
  ['/features/history/shop.basket', 'No changes yet'],
])('%s without events says so', async (path, text) => {
  serveEvents(stored(''), []);
  await openHistory(path);
  expect(main().getByText(new RegExp(text, 'u'))).toBeDefined();
});

test.each(PAGES)('[S8-019] %s that failed to load can be retried', async (path) => {
  serveEvents(stored(''), []);
  for (const line of [EVENTS, LOG]) server().on(line, { status: 403, body: { message: 'No' } });
  await openHistory(path);
  const alert = main().getByRole('alert');
  expect(alert.textContent).toContain('You cannot perform this action');
  server().on(EVENTS, page([event(1)]));
  server().on(LOG, log([event(1)]));
  await click(within(alert).getByRole('button', { name: 'Retry' }));
  expect(rowIds()).toEqual([1]);
});

test('[S6-005] without the permission, undo and restoring are disabled with the reason', async () => {
  const change = [edit('description', 'Small', 'Large')];
  serveEvents(stored('Large'), [
    event(2, { data: described('Large'), diffs: change }),
    event(1, { data: described('Small'), diffs: [] }),
  ]);
  server().on('GET api/admin/user', readerOf());
  const history = await openHistory();
  expect(accessibleDescription(undoOf(rows()[0]))).toContain('UPDATE_FEATURE');
  history.unmount();
  await openHistory('/features/history/shop.basket');
  expect(accessibleDescription(undoOf(rows()[0]))).toContain('UPDATE_FEATURE');
  await click(within(rows()[1] as HTMLElement).getByRole('button', { name: /^Actions for the event of/ }));
  const restore = screen.getByRole('menuitem', { name: /^Restore this version/ });
  expect(restore.textContent).toContain('UPDATE_FEATURE');
  expect(isDisabled(restore)).toBe(true);
  fireEvent.click(restore);
  await settlePage();
  expect(screen.queryByRole('dialog')).toBeNull();
});

describe('fields that the server maintains', () => {
  const seen = (description: string, lastSeenAt: string) => stored(description, { lastSeenAt });
  const now = seen('Large', '2026-03-01T10:00:00.000Z');
  const before = { ...seen('Small', '2026-01-05T10:00:00.000Z'), createdAt: '2025-12-24T10:00:00.000Z' };

  test.each(PAGES)('appear in no diff of %s', async (path) => {
    const noted = [edit('lastSeenAt', '2026-01-05T10:00:00.000Z', '2026-01-06T10:00:00.000Z')];
    serveEvents(now, [
      event(2, { type: 'feature-stale-off', data: now, diffs: [...noted, edit('stale', true, false)] }),
      event(1, { data: now, diffs: noted }),
    ]);
    await openHistory(path);
    expect(textOf(rows()[0])).toMatch(/marked .+ as active/u);
    await expand(rows()[0]);
    expect(changesOf(rows()[0])).toEqual([expect.stringMatching(/^Status/u)]);
    expect(textOf(rows()[1])).toContain('without changes');
  });

  test('are neither restored nor compared', async () => {
    serveEvents(now, [event(2, { data: { ...before, description: 'Large' } }), event(1, { data: before })]);
    server().on(PUT, { status: 200 });
    await openHistory('/features/history/shop.basket');
    await click(within(rows()[1] as HTMLElement).getByRole('button', { name: /^Actions for the event of/ }));
    await click(screen.getByRole('menuitem', { name: /^Restore this version/ }));
    await click(dialog().getByText('JSON diff'));
    const items = [...find(document, '[role=dialog] details').querySelectorAll('li')].map(textOf);
    expect(items).toEqual([expect.stringMatching(/^description/u)]);
    await click(dialog().getByRole('button', { name: 'Restore' }));
    const { lastSeenAt, createdAt } = now;
    expect(bodies()).toEqual([expect.objectContaining({ description: 'Small', lastSeenAt, createdAt })]);
  });

  test('can change after a save without preventing its undo', async () => {
    serveEvents(now, []);
    const lastSeenAt = '2026-03-01T10:05:00.000Z';
    server().on(PUT, ({ body }) => {
      serveEvents({ ...(body as object), lastSeenAt }, []);
      return { status: 200 };
    });
    await openHistory('/features/strategies/shop.basket');
    await click(button('Edit description'));
    fireEvent.change(main().getByRole('textbox', { name: 'Description' }), { target: { value: 'Huge' } });
    await click(button('Save'));
    await advance(1_000);
    await click(within(screen.getByTestId('snackbar')).getByRole('button', { name: 'Undo' }));
    expect(snackbarText()).toContain('Undone.');
    expect(bodies()[1]).toMatchObject({ description: 'Large', lastSeenAt });
  });
});

describe('an undo', () => {
  const change = { data: described('Large'), diffs: null };
  const created = event(1, { type: 'feature-created', data: described('Small'), diffs: [] });

  test('reads the log if the history has no previous version', async () => {
    serveEvents(stored('Large'), []);
    server().on(EVENTS, page([event(2, change)]));
    server().on(LOG, log([event(2, change), created]));
    server().on(PUT, { status: 200 });
    await openHistory();
    await click(undoOf(rows()[0]));
    expect(snackbarText()).toContain('Change to shop.basket undone.');
    expect(bodies()).toEqual([expect.objectContaining({ description: 'Small' })]);
  });

  test('is not possible if the previous version is unknown', async () => {
    const unknown = event(1, { type: 'feature-strategy-add', data: { name: 'shop.basket' } });
    serveEvents(stored('Large'), [event(2, change), unknown]);
    const list = await openHistory('/features/history/shop.basket');
    expect(accessibleDescription(undoOf(rows()[0]))).toContain('does not contain the version before');
    list.unmount();
    await openHistory();
    await click(undoOf(rows()[0]));
    expect(snackbarText()).toContain('Could not undo: the log of shop.basket does not contain the version');
    expect(bodies()).toEqual([]);
  });

  test('that fails is reported, and its button keeps the focus', async () => {
    serveEvents(stored('Large'), [event(2, change), created]);
    server().on(PUT, { status: 500 });
    await openHistory('/features/history/shop.basket');
    await click(undoOf(rows()[0]));
    expect(snackbarText()).toContain('status 500');
    expect(document.activeElement).toBe(undoOf(rows()[0]));
  });
});

test('two filters that change at the same time both apply', async () => {
  serveEvents(stored('Large'), [
    event(3, { createdBy: 'grace' }),
    event(2),
    event(1, { type: 'feature-created', createdBy: 'grace' }),
  ]);
  await openHistory();
  const select = (label: string) => screen.getByLabelText<HTMLSelectElement>(label);
  act(() => {
    fireEvent.change(select('Type'), { target: { value: 'feature-updated' } });
    fireEvent.change(select('Changed by'), { target: { value: 'grace' } });
  });
  await settlePage();
  expect(rowIds()).toEqual([3]);
  expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual({ type: 'feature-updated', user: 'grace' });
});

test('filters by text, user, type and time, and keeps the filters in the URL', async () => {
  vi.setSystemTime(new Date(2026, 5, 15, 14));
  const createdAt = new Date(2026, 5, 15, 13, 59).toISOString();
  serveEvents(stored('Large'), [
    event(5, { createdAt, type: 'feature-archived', data: { name: 'shop.gone' } }),
    event(4, { createdAt, data: described('Large'), diffs: [edit('description', 'Small', 'Large')] }),
    event(3, { createdAt, type: 'strategy-created', data: { name: 'byRegion' } }),
    event(2, { createdAt, type: 'feature-created', data: { name: 'shop.gone' } }),
    event(1, { createdAt, type: 'feature-created', data: described('Small'), createdBy: 'grace' }),
  ]);
  chooseLocale('en-GB');
  const history = await openHistory();
  const select = async (label: string, value: string) => {
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
    await settlePage();
  };
  const search = () => screen.getByRole('searchbox', { name: 'Search events' });
  const type = async (value: string) => {
    fireEvent.change(search(), { target: { value } });
    fireEvent.keyDown(search(), { key: 'Enter' });
    await settlePage();
  };
  const period = (name: string) => within(screen.getByRole('group', { name: 'Period' })).getByRole('button', { name });
  await type('LARGE basket');
  expect(rowIds()).toEqual([4]);
  expect(main().getByText('1 of 5 events')).toBeDefined();
  expect(location.search).toBe('?search=LARGE+basket');
  await type('');
  await select('Type', 'feature-created');
  expect(rowIds()).toEqual([2, 1]);
  await select('Changed by', 'grace');
  expect(rowIds()).toEqual([1]);
  expect(period('Any time').getAttribute('aria-pressed')).toBe('true');
  await click(period('Range…'));
  fireEvent.change(screen.getByLabelText('Until'), { target: { value: '2020-01-05T10:00' } });
  await settlePage();
  expect(main().getByText(/No event matches/)).toBeDefined();
  expect(period('Until 5 Jan, 10:00')).toBeDefined();
  await click(period('Yesterday'));
  expect(main().getByText(/No event matches/)).toBeDefined();
  await click(period('Today'));
  expect(rowIds()).toEqual([1]);
  // The URL has all filters.
  history.unmount();
  await openHistory(`/history${location.search}`);
  expect(period('Today').getAttribute('aria-pressed')).toBe('true');
  expect(rowIds()).toEqual([1]);
  await click(period('Last hour'));
  expect(period('Last hour').getAttribute('aria-pressed')).toBe('true');
  expect(rowIds()).toEqual([1]);
  await click(button('Clear all'));
  expect(rowIds()).toEqual([5, 4, 3, 2, 1]);
  expect(location.pathname + location.search).toBe('/history');
  expect(document.activeElement).toBe(main().getByRole('heading', { level: 1 }));
  chooseLocale(browserLocale);
});

test('an event that the server no longer returns is reported as not among the newest', async () => {
  serveEvents(stored('Large'), range(3, 1));
  await openHistory('/history?event=999999');
  expect(main().getByText(/This event is not among the newest/)).toBeDefined();
  await click(main().getByRole('link', { name: 'Show the newest events' }));
  expect(location.pathname + location.search).toBe('/history');
  expect(main().queryByText(/is not among/)).toBeNull();
});

test('an archived toggle can be revived from its log', async () => {
  const REVIVE = 'POST api/admin/archive/revive/shop.basket';
  serveEvents(stored('Large'), [
    event(2, { type: 'feature-archived', data: { name: 'shop.basket' } }),
    event(1, { type: 'feature-created', data: described('Large') }),
  ]);
  const list = (...features: object[]) => ({ body: { version: 1, features } });
  const serve = (isArchived: boolean, toggle: object) => {
    server().on('GET api/admin/features', isArchived ? list() : list(toggle));
    server().on('GET api/admin/features/shop.basket', isArchived ? { status: 404 } : { body: toggle });
    server().on('GET api/admin/archive/features', isArchived ? list(toggle) : list());
  };
  serve(true, stored('Large'));
  // Services revive toggles as disabled.
  server().on(REVIVE, () => {
    serve(false, stored('Large', { enabled: false }));
    return { status: 200 };
  });
  const ON = 'POST api/admin/features/shop.basket/toggle/on';
  server().on(ON, () => {
    serve(false, stored('Large'));
    return { body: stored('Large') };
  });
  await renderConsole('/archive/history/shop.basket');
  expect(accessibleDescription(undoOf(rows()[1]))).toMatch(/toggle is archived/);
  await click(undoOf(rows()[0]));
  expect([server().count(REVIVE), server().count(ON)]).toEqual([1, 1]);
  expect(main().getByRole<HTMLInputElement>('switch', { name: 'Enabled' }).checked).toBe(true);
});

describe('in another locale', () => {
  beforeEach(() => chooseLocale('de'));
  afterEach(() => chooseLocale(browserLocale));

  test('percentages use its decimal sign', async () => {
    // Recorded events.
    const variant = (name: string, weight: number) => ({ name, weight, weightType: 'fix', stickiness: 'default' });
    const rest = (weight: number) => ({ ...variant('rest', weight), weightType: 'variable' });
    const cart = (...variants: object[]) => ({ ...described('Large'), name: 'shop.cart', variants });
    const basket = (...variants: object[]) => ({ ...described('Large'), variants });
    const change = (path: (string | number)[], lhs: unknown, rhs: unknown): Diff => ({ kind: 'E', path, lhs, rhs });
    const stored = basket(variant('blue', 333), variant('red', 375), rest(292));
    serveEvents(stored, [
      event(4, {
        data: cart(variant('blue', 333), rest(1000)),
        diffs: [
          { kind: 'A', path: ['variants'], index: 1, item: { kind: 'N', rhs: rest(1000) } },
          change(['variants', 0, 'name'], 'rest', 'blue'),
          change(['variants', 0, 'weight'], 1000, 333),
          change(['variants', 0, 'weightType'], 'variable', 'fix'),
        ] as Diff[],
      }),
      event(3, { type: 'feature-created', data: cart(rest(1000)), diffs: null }),
      event(2, {
        data: stored,
        diffs: [change(['variants', 0, 'weight'], 125, 333), change(['variants', 2, 'weight'], 500, 292)],
      }),
      event(1, {
        type: 'feature-created',
        data: basket(variant('blue', 125), variant('red', 375), rest(500)),
        diffs: null,
      }),
    ]);
    const history = await openHistory();
    expect(textOf(rows()[0])).toContain('variant blue: 33,3 %');
    await expand(rows()[2]);
    expect(changesOf(rows()[2]).join()).toMatch(/Weight\s*before: 12,5 % → after: 33,3 %/);
    history.unmount();
    await renderConsole('/features/variants/shop.basket');
    expect(main().getByRole('img', { name: /^Distribution: blue 33,3.%, red 37,5.%, rest 29,2.%$/u })).toBeDefined();
  });

  test.each([
    ['/history', 2],
    ['/features/history/shop.basket', 3],
  ])('events of %s are grouped by day, with English words and dates of the locale', async (path, level) => {
    // Local times, on both sides of midnight.
    vi.setSystemTime(new Date(2026, 5, 15, 14));
    const times = [
      new Date(2026, 5, 15, 0, 30),
      new Date(2026, 5, 14, 23, 30),
      new Date(2026, 5, 14, 0, 30),
      new Date(2026, 4, 26, 12),
    ];
    const toggle = createToggle({
      ...described('Large'),
      createdAt: times[3]?.toISOString() ?? '',
      lastSeenAt: new Date(2026, 5, 15, 13, 59, 20).toISOString(),
    });
    serveEvents(
      toggle,
      times.map((time, index) => event(9 - index, { createdAt: time.toISOString() })),
    );
    await openHistory(path);
    const days = main().getAllByRole('heading', { level });
    expect(days.map(({ textContent }) => textContent)).toEqual(['Today', 'Yesterday', '26.05.2026']);
    expect(main().getByRole('region', { name: 'Yesterday' }).querySelectorAll('li[id^="event-"]')).toHaveLength(2);
  });
});
