// @vitest-environment happy-dom
// The toggle list and the archive in the complete console: search, filters, sort order, metrics, and their settings in the
// URL and in the browser. Layout, scrolling and the real service: e2e/toggle-list.spec.ts and others.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { click, fill, isDisabled, main, row, rowNames, snackbarText, switchOf } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { serveUpstream } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { toggle } from '@/testing/responses';

const server = installFakeServer();
cleanPageAfterEach();

const LIST = 'GET api/admin/features';
const METRICS = 'GET api/admin/metrics/feature-toggles';
/** With a parameter, the page ignores the settings that an earlier test has stored. */
const DEFAULTS = '?sort=name';

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const alpha = toggle('alpha', { enabled: false, createdAt: at(2), lastSeenAt: at(4) });
const bravo = toggle('bravo', { type: 'experiment', stale: true, createdAt: at(3), lastSeenAt: at(5) });
const charlie = toggle('charlie', { createdAt: at(1) });

const listed = (...toggles: object[]) => ({ body: { version: 1, features: toggles } });
const project = (id: string, name: string) => ({ id, name, description: '' });
const projects = (...all: object[]) => ({ body: { version: 1, projects: all } });

beforeEach(() => {
  localStorage.clear();
  serveUpstream(server(), {
    [LIST]: listed(alpha, bravo, charlie),
    'GET api/admin/archive/features': listed(alpha, bravo, charlie),
    'GET api/admin/projects': projects(),
  });
});

const search = () => screen.getByRole<HTMLInputElement>('searchbox');
/** The ring of a toggle, which has this accessible name. */
const ring = (toggle: string, name: string | RegExp) => within(row(toggle)).queryByRole('img', { name });
const menu = () => within(screen.getByRole('navigation', { name: 'Main' }));
const text = () => screen.getByRole('main').textContent;
const radio = (name: string) => main().getByRole<HTMLInputElement>('radio', { name });
const header = (name: string) => screen.getByRole('columnheader', { name });
const sortButton = (column: string) => within(header(column)).getByRole('button');
const activeFilters = () =>
  within(screen.getByRole('list', { name: 'Active filters' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const filterPanel = () => screen.getByRole('group', { name: 'Filter' });
const filters = () => within(filterPanel());
const sortSelect = () => filters().getByLabelText<HTMLSelectElement>('Sort by');
const parameters = () => Object.fromEntries(new URLSearchParams(location.search));
const stored = () => JSON.parse(localStorage.getItem('/:settings:feature') ?? 'null');

/** Opens a page of the list as a new visit. */
async function open(path: string) {
  document.body.replaceChildren();
  return renderConsole(path);
}

/** Searches without waiting for the debounce. */
async function commitSearch(text: string) {
  fill(search(), text);
  fireEvent.keyDown(search(), { key: 'Enter' });
  await settlePage();
}

async function openFilters() {
  if (!filterPanel().hasChildNodes()) await click(main().getByRole('button', { name: 'Filter' }));
}

async function chooseSort(key: string) {
  await openFilters();
  fill(sortSelect(), key);
  await settlePage();
}

/** Clicks in one task, so that nothing is rendered in between. */
async function clickTogether(...controls: HTMLElement[]) {
  act(() => {
    for (const control of controls) control.click();
  });
  await settlePage();
}

test('[S2-034] [S2-040] [S9-005] [S9-026] the rings show the rounded rate of the last minute by default, or of the last hour', async () => {
  server().on(METRICS, {
    body: {
      lastMinute: { alpha: { yes: 2, no: 1 }, bravo: { yes: 0, no: 0 } },
      lastHour: { alpha: { yes: 1, no: 3 } },
    },
  });
  await open(`/features${DEFAULTS}`);
  await openFilters();
  expect(radio('Last minute').checked).toBe(true);
  expect(ring('alpha', /^67\s% yes$/u)).not.toBeNull();
  expect(ring('bravo', /^0\s%/u)).not.toBeNull();
  expect(ring('charlie', /no data/i)).not.toBeNull();
  await click(radio('Last hour'));
  expect(ring('alpha', /^25\s% yes$/u)).not.toBeNull();
  expect(ring('bravo', /no data/i)).not.toBeNull();
  await click(radio('Last minute'));
  expect(ring('alpha', /^67\s% yes$/u)).not.toBeNull();
});

test('[S4-018] [S9-001] metrics are read once the list has toggles, then every five seconds', async () => {
  server().hold(LIST);
  await open(`/features${DEFAULTS}`);
  expect(server().count(METRICS)).toBe(0);
  server().respondToAll(LIST);
  await settlePage();
  expect(row('alpha')).toBeDefined();
  expect(server().count(METRICS)).toBe(1);
  server().on(METRICS, { body: { lastHour: {}, lastMinute: { alpha: { yes: 1, no: 3 } } } });
  await advance(4_900);
  expect(server().count(METRICS)).toBe(1);
  await advance(200);
  expect(server().count(METRICS)).toBe(2);
  expect(ring('alpha', /^25\s% yes$/u)).not.toBeNull();
  await advance(5_000);
  expect(server().count(METRICS)).toBe(3);
});

test('[S2-033] [S9-002] [S9-003] [S5-009] the list is searched 500 ms after the last key, and the search is stored 150 ms later', async () => {
  await open(`/features${DEFAULTS}`);
  fill(search(), 'brav');
  await advance(499);
  fill(search(), 'bravo');
  await advance(499);
  expect(rowNames()).toEqual(['alpha', 'bravo', 'charlie']);
  await advance(1);
  expect(rowNames()).toEqual(['bravo']);
  await advance(149);
  expect(stored()).toBeNull();
  await advance(1);
  expect(stored()).toMatchObject({ filter: 'bravo' });
  await commitSearch('alpha');
  expect(rowNames()).toEqual(['alpha']);
});

test('a search without a match shows no rows, and offers to clear it or to create the toggle', async () => {
  await open(`/features${DEFAULTS}`);
  await commitSearch('no such toggle');
  expect(screen.queryAllByRole('rowheader')).toEqual([]);
  expect(screen.queryByText('Empty list of feature toggles')).toBeNull();
  // Only a name can be created.
  expect(main().queryByRole('link', { name: /^Create/ })).toBeNull();
  await click(main().getByRole('button', { name: 'Clear filters' }));
  expect(rowNames()).toEqual(['alpha', 'bravo', 'charlie']);
  expect(search().value).toBe('');
  await commitSearch('shop.new');
  await click(main().getByRole('link', { name: 'Create shop.new' }));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('shop.new');
});

test('[S2-036] [S2-037] the list has a project filter only if there are several projects', async () => {
  server().on('GET api/admin/projects', projects(project('default', 'Default')));
  server().on(LIST, listed(toggle('shop.basket', { project: 'shop' }), toggle('login.passkeys')));
  const page = await open(`/features${DEFAULTS}`);
  expect(row('shop.basket')).toBeDefined();
  expect(screen.queryByLabelText('Project')).toBeNull();
  page.unmount();
  server().on('GET api/admin/projects', projects(project('default', 'Default'), project('shop', 'Web shop')));
  // A recent response is not read again.
  await advance(60_000);
  await open(`/features${DEFAULTS}`);
  const select = screen.getByLabelText<HTMLSelectElement>('Project');
  expect([...select.options].map(({ text }) => text)).toEqual(['All projects', 'Default', 'Web shop']);
  expect(select.value).toBe('*');
  fill(select, 'shop');
  await settlePage();
  expect(rowNames()).toEqual(['shop.basket']);
});

test('[S2-035] a column header sorts, shows the direction, and reverses the order with the next click', async () => {
  const lastMinute = { bravo: { yes: 5, no: 0 }, charlie: { yes: 7, no: 90 } };
  server().on(METRICS, { body: { lastHour: {}, lastMinute } });
  await open(`/features${DEFAULTS}`);
  for (const [column, direction, ...names] of [
    ['Created', 'descending', 'bravo', 'alpha', 'charlie'],
    ['Last seen', 'descending', 'bravo', 'alpha', 'charlie'],
    ['Type', 'ascending', 'bravo', 'alpha', 'charlie'],
    ['On', 'descending', 'bravo', 'charlie', 'alpha'],
    ['Yes', 'descending', 'charlie', 'bravo', 'alpha'],
    ['Name', 'ascending', 'alpha', 'bravo', 'charlie'],
  ] as const) {
    await click(sortButton(column));
    expect(rowNames()).toEqual(names);
    expect(header(column).getAttribute('aria-sort')).toBe(direction);
    expect(document.querySelectorAll('th[aria-sort]')).toHaveLength(1);
    await click(sortButton(column));
    const opposite = direction === 'ascending' ? 'descending' : 'ascending';
    expect(header(column).getAttribute('aria-sort')).toBe(opposite);
  }
  expect(rowNames()).toEqual(['charlie', 'bravo', 'alpha']);
  await click(sortButton('Name'));
  expect(document.activeElement).toBe(sortButton('Name'));
  expect(location.search).toBe('');
});

test('[S2-035] the Filter panel sorts by all keys, and an order without a column is shown above the rows', async () => {
  await open(`/features${DEFAULTS}`);
  await chooseSort('stale');
  expect(rowNames()).toEqual(['bravo', 'alpha', 'charlie']);
  expect(document.querySelector('th[aria-sort]')).toBeNull();
  expect(activeFilters()).toEqual(['Sorted by stale']);
  await click(radio('Ascending'));
  expect(rowNames()).toEqual(['alpha', 'charlie', 'bravo']);
  expect([...sortSelect().options].map(({ text }) => text)).toEqual([
    'Name',
    'Type',
    'Enabled',
    'Stale',
    'Created',
    'Last seen',
    'Strategies',
    'Metrics',
  ]);
  // It is no filter: all toggles are shown.
  expect(main().queryByRole('button', { name: 'Clear all' })).toBeNull();
  await click(main().getByRole('button', { name: 'Sort by name' }));
  expect(rowNames()).toEqual(['alpha', 'bravo', 'charlie']);
});

test('[S3-036] [S3-037] filter, sort order, interval and project are kept in the URL and stored in the browser', async () => {
  server().on('GET api/admin/projects', projects(project('default', 'Default'), project('web', 'Web')));
  let page = await open(`/features${DEFAULTS}`);
  await click(sortButton('Created'));
  await click(sortButton('Created'));
  expect(parameters()).toEqual({ sort: 'created', order: 'asc' });
  await openFilters();
  await click(radio('Last hour'));
  fill(screen.getByLabelText('Project'), 'default');
  await settlePage();
  await commitSearch('a');
  expect(rowNames()).toEqual(['charlie', 'alpha', 'bravo']);
  const expected = { filter: 'a', sort: 'created', order: 'asc', interval: 'hour', project: 'default' };
  expect(parameters()).toEqual(expected);
  await advance(150);
  const settings = { filter: 'a', sort: 'created', reversed: true, showLastHour: true, currentProjectId: 'default' };
  expect(stored()).toEqual(settings);
  // URLs without parameters use the settings; the archive shares them.
  for (const path of ['/features', '/archive']) {
    page.unmount();
    page = await open(path);
    expect(rowNames()).toEqual(['charlie', 'alpha', 'bravo']);
    expect(search().value).toBe('a');
    expect(header('Created').getAttribute('aria-sort')).toBe('ascending');
  }
});

test('[S3-037] a stored search is not combined with the parameters of a URL, and stays when a filter is added', async () => {
  let page = await open(`/features${DEFAULTS}`);
  await commitSearch('alpha|charlie');
  await chooseSort('created');
  expect(rowNames()).toEqual(['alpha', 'charlie']);
  for (const path of ['/features?status=stale', '/archive?filter=bravo']) {
    page.unmount();
    page = await open(path);
    expect(rowNames()).toEqual(['bravo']);
    expect(header('Name').getAttribute('aria-sort')).toBe('ascending');
  }
  page.unmount();
  page = await open('/features?status=stale');
  expect(search().value).toBe('');
  // Removing the only filter shows everything, not the stored search.
  await click(main().getByRole('button', { name: 'Remove filter: Stale' }));
  expect(rowNames()).toEqual(['alpha', 'bravo', 'charlie']);
  await commitSearch('alpha|charlie');
  await chooseSort('created');
  page.unmount();
  page = await open('/features');
  expect(parameters()).toEqual({});
  expect(rowNames()).toEqual(['alpha', 'charlie']);
  await openFilters();
  await click(within(filters().getByRole('group', { name: 'State' })).getByLabelText('Off'));
  expect(rowNames()).toEqual(['alpha']);
  expect(parameters()).toEqual({ filter: 'alpha|charlie', sort: 'created', state: 'off' });
  await click(main().getByRole('button', { name: 'Clear all' }));
});

test('[S3-037] filters of the URL combine with its search, and are removed one by one', async () => {
  await open('/features?filter=a&sort=created&interval=hour&project=default&state=on');
  expect(rowNames()).toEqual(['bravo', 'charlie']);
  await openFilters();
  expect(radio('Last hour').checked).toBe(true);
  expect(activeFilters()).toEqual(['“a”', 'On']);
  await click(main().getByRole('button', { name: 'Remove filter: “a”' }));
  expect(search().value).toBe('');
  expect(activeFilters()).toEqual(['On']);
});

test('two changes of filters at the same time both apply', async () => {
  let page = await open(`/features${DEFAULTS}`);
  await click(main().getByRole('button', { name: 'Filter' }));
  const choice = (group: string, label: string) =>
    within(filters().getByRole('group', { name: group })).getByLabelText(label);
  await clickTogether(choice('State', 'On'), choice('Status', 'Stale'));
  expect(rowNames()).toEqual(['bravo']);
  await clickTogether(sortButton('Created'), radio('Last hour'));
  expect(parameters()).toEqual({ state: 'on', status: 'stale', sort: 'created', interval: 'hour' });
  page.unmount();
  const tagged = ['winter', 'spring', 'summer'].map((tag) => `tag=simple:${tag}`);
  for (const one of tagged) server().on(`${LIST}?${one.replace(':', '%3A')}`, listed(bravo));
  page = await open(`/features?${tagged.join('&')}`);
  const cross = (tag: string) => main().getByRole('button', { name: `Remove filter: simple: ${tag}` });
  await clickTogether(cross('winter'), cross('summer'));
  expect(activeFilters()).toEqual(['simple: spring']);
});

test('several tags require all of them, and an unused tag matches nothing', async () => {
  server().on(`${LIST}?tag=simple%3Aspring`, listed(alpha, bravo));
  server().on(`${LIST}?tag=simple%3Awinter`, listed(bravo, charlie));
  server().on(`${LIST}?tag=simple%3Anobody-has-this`, listed());
  const page = await open('/features?tag=simple:spring&tag=simple:winter');
  expect(rowNames()).toEqual(['bravo']);
  page.unmount();
  await open('/features?tag=simple:nobody-has-this');
  expect(text()).toContain('No toggle matches');
  await click(main().getByRole('button', { name: 'Clear filters' }));
  expect(rowNames()).toEqual(['alpha', 'bravo', 'charlie']);
});

test('a tag that could not be looked up is reported, and the list recovers without it', async () => {
  server().on(`${LIST}?tag=odd%3Aone`, { status: 400, body: { details: [{ message: 'A tag it is not' }] } });
  await open('/features?tag=odd:one');
  expect(main().getByRole('alert').textContent).toContain('A tag it is not');
  await click(main().getByRole('button', { name: 'Remove filter: odd: one' }));
  expect(row('alpha')).toBeDefined();
});

test.each([
  ['that is refused', 403, 1, 'You cannot perform this action'],
  ['that fails temporarily', 500, 3, 'status 500'],
])('a read of tagged toggles %s (%i) is sent %i times', async (_, status, reads, text) => {
  const line = `${LIST}?tag=simple%3Awinter`;
  server().on(line, { status, body: { message: 'Not now' } });
  await open('/features?tag=simple:winter');
  expect(main().getByRole('alert').textContent).toContain('The toggles with these tags could not be loaded');
  while (server().count(line) < reads) await advance(1_000);
  expect(main().getByRole('alert').textContent).toContain(text);
  server().on(line, listed(bravo));
  if (reads === 1) {
    await advance(20_000);
    expect(server().count(line)).toBe(1);
    await click(main().getByRole('button', { name: 'Retry' }));
  } else await advance(60_000);
  expect(rowNames()).toEqual(['bravo']);
});

test('the list stays if reading it again fails', async () => {
  await open(`/features${DEFAULTS}`);
  server().on(LIST, { status: 400, body: { message: 'Not now' } });
  const reads = server().count(LIST);
  // A recent response is not read again.
  await advance(60_000);
  await click(menu().getByRole('link', { name: /^Archive/ }));
  await click(menu().getByRole('link', { name: /^Feature toggles/ }));
  expect(server().count(LIST)).toBeGreaterThan(reads);
  expect(main().queryByRole('alert')).toBeNull();
  expect(row('alpha')).toBeDefined();
});

test('[S4-002] a switch stays as it is if the service refuses, and the reason is shown', async () => {
  const message = 'You need the role of an editor';
  server().on('POST api/admin/features/bravo/toggle/off', {
    status: 403,
    body: { permission: 'UPDATE_FEATURE', message },
  });
  await open(`/features${DEFAULTS}`);
  await click(switchOf('bravo'));
  expect(snackbarText()).toContain(message);
  expect(switchOf('bravo').checked).toBe(true);
});

const PALETTE_OPTION = { name: /^New toggle/ };

test.each([
  ['the link', () => click(main().getAllByRole('link', { name: 'New toggle' })[0] as HTMLElement)],
  [
    'the keys g and n',
    async () => {
      for (const key of ['g', 'n']) fireEvent.keyDown(document.body, { key });
      await settlePage();
    },
  ],
  [
    'the palette',
    async () => {
      fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
      await settlePage();
      fireEvent.change(screen.getByRole('combobox', { name: 'Search or run a command' }), {
        target: { value: 'new toggle' },
      });
      await settlePage();
      await click(screen.getByRole('option', PALETTE_OPTION));
    },
  ],
])('the form for a new toggle that %s opens has the project in the URL of the list', async (_, openForm) => {
  server().on('GET api/admin/projects', projects(project('default', 'Default'), project('web', 'Web')));
  server().on(LIST, listed(toggle('shop.page', { project: 'web' }), alpha));
  await open('/features?project=web');
  expect(rowNames()).toEqual(['shop.page']);
  await openForm();
  expect(location.pathname).toBe('/features/create');
  expect(screen.getByLabelText<HTMLSelectElement>('Project').value).toBe('web');
});

test('the number of toggles of a project leads to them', async () => {
  server().on('GET api/admin/projects', projects(project('default', 'Default'), project('web', 'Web')));
  server().on(LIST, listed(toggle('shop.page', { project: 'web' }), alpha, bravo));
  await open('/projects');
  await click(within(row('Web')).getByRole('link', { name: '1 toggle' }));
  expect(location.pathname).toBe('/features');
  expect(rowNames()).toEqual(['shop.page']);
});

test('a user without permissions sees neither checkboxes nor actions that change toggles', async () => {
  server().on('GET api/admin/user', { body: { email: 'a@example.com', permissions: ['CREATE_FEATURE'] } });
  await open(`/features${DEFAULTS}`);
  expect(screen.queryByRole('checkbox', { name: /^Select/ })).toBeNull();
  expect(isDisabled(switchOf('bravo'))).toBe(true);
  await click(screen.getByRole('button', { name: 'Actions for bravo' }));
  const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) expect(item).toMatch(/^Copy as/);
});
