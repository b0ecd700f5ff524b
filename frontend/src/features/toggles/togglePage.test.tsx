// @vitest-environment happy-dom
// The page of a toggle in the complete console: its header, its tabs, missing permissions, failures and unusual data.
// The activation tab: activation/activationPage.test.tsx. Layout and the service: e2e/toggle-*.spec.ts.
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  accessibleDescription,
  addStrategy,
  button,
  choose,
  click,
  dialog,
  fill,
  isDisabled,
  main,
  row,
  rowNames,
  snackbarText,
  strategyCard,
  switchOf,
  textOf,
} from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { serveOutage, serveUpstream } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { application, ONE_TOGGLE, toggle } from '@/testing/responses';

const server = installFakeServer();
cleanPageAfterEach();

const LIST = 'GET api/admin/features';
const PATH = 'api/admin/features/shop.basket';
const PUT = `PUT ${PATH}`;
const METRICS = 'GET api/admin/metrics/feature-toggles';
const READER = { body: { email: 'reader@example.com', permissions: [] } };
const REASON = 'You need the permission UPDATE_FEATURE for this.';

/** Serves one toggle with these properties. */
function serveToggle(more: object = {}) {
  const stored = toggle('shop.basket', more);
  server().on(LIST, { body: { version: 1, features: [stored] } });
  server().on(`GET ${PATH}`, { body: stored });
  return stored;
}

beforeEach(() => {
  serveUpstream(server(), ONE_TOGGLE);
  server().on(PUT, { status: 200 });
});

const text = () => screen.getByRole('main').textContent.replaceAll(/\s+/gu, ' ');
const link = (name: string | RegExp) => main().getByRole('link', { name });
const section = (name: string) => within(main().getByRole('region', { name }));
const sent = (line = PUT) => server().bodies(line);
const property = (label: string) => button(new RegExp(`^${label}:`));
const alertInDialog = () => dialog().getByRole('alert').textContent;

async function chooseProperty(label: string, choice: string) {
  await click(property(label));
  await click(screen.getByRole('menuitemradio', { name: choice }));
}

const openVariants = () => renderConsole('/features/variants/shop.basket');
const nameOfVariant = () => dialog().getByLabelText<HTMLInputElement>('Name');
const saveVariant = () => click(dialog().getByRole('button', { name: 'Save' }));

async function addVariant(name?: string) {
  await click(main().getAllByRole('button', { name: 'Add variant' })[0] as HTMLElement);
  if (name !== undefined) fill(nameOfVariant(), name);
}

describe('the header', () => {
  const numbered = { id: 's1', name: 'default', parameters: {}, more: 'kept' };

  beforeEach(() => {
    serveToggle({ strategies: [numbered], impressionData: true });
    const projects = [
      { id: 'default', name: 'Default', description: '' },
      { id: 'mobile', name: 'Mobile apps', description: '' },
    ];
    server().on('GET api/admin/projects', { body: { version: 1, projects } });
  });

  test('[S3-003] [S4-010] changing the project clears the ids of strategies, changing the type keeps them', async () => {
    await renderConsole('/features/strategies/shop.basket');
    await chooseProperty('Toggle type', 'Kill switch');
    expect(snackbarText()).toContain('shop.basket successfully updated!');
    await advance(1000);
    expect(snackbarText()).toContain('shop.basket is of type Kill switch now.');
    await chooseProperty('Project', 'Mobile apps');
    await advance(1000);
    expect(snackbarText()).toContain('shop.basket moved to Mobile apps.');
    const { id: _, ...cleared } = numbered;
    // Unknown fields are sent back unchanged.
    expect(sent()).toEqual([
      expect.objectContaining({ type: 'kill-switch', strategies: [numbered], impressionData: true }),
      expect.objectContaining({ project: 'mobile', strategies: [cleared], impressionData: true }),
    ]);
  });

  test('an archival that fails after its page was left says so', async () => {
    await renderConsole('/features/strategies/shop.basket');
    await choose('Actions for shop.basket', 'Archive');
    server().hold(`DELETE ${PATH}`);
    await click(dialog().getByRole('button', { name: 'Archive' }));
    const request = await server().take(`DELETE ${PATH}`);
    await click(screen.getByRole('link', { name: 'Archive', hidden: true }));
    expect(location.pathname).toBe('/archive');
    request.respond({ status: 400, body: { message: 'another toggle depends on it' } });
    await settlePage();
    expect(snackbarText()).toContain('another toggle depends on it');
  });

  test('a save that meets a conflict after its page was left says that nothing was stored', async () => {
    const stored = serveToggle({ type: 'release' });
    await renderConsole('/features/strategies/shop.basket');
    server().hold(`GET ${PATH}`);
    await chooseProperty('Toggle type', 'Kill switch');
    const fresh = await server().take(`GET ${PATH}`);
    await click(screen.getByRole('link', { name: 'Archive' }));
    fresh.respond({ body: { ...stored, type: 'experiment' } });
    server().release(`GET ${PATH}`);
    await settlePage();
    expect(location.pathname).toBe('/archive');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent()).toEqual([]);
    expect(snackbarText()).toContain('Not saved: the toggle shop.basket has changed meanwhile');
  });

  test('[S6-004] [S6-005] [S6-006] controls are disabled with a reason without the permission', async () => {
    server().on('GET api/admin/user', READER);
    await renderConsole('/features/strategies/shop.basket');
    for (const control of [
      property('Toggle type'),
      property('Project'),
      button('Add tag'),
      main().getByRole('switch', { name: 'Enabled' }),
    ]) {
      expect(isDisabled(control)).toBe(true);
      expect(accessibleDescription(control)).toContain('UPDATE_FEATURE');
    }
    expect(main().queryByRole('button', { name: 'Edit description' })).toBeNull();
    await click(button('Actions for shop.basket'));
    for (const [name, permission] of [
      ['Clone', 'CREATE_FEATURE'],
      ['Status', 'UPDATE_FEATURE'],
      ['Archive', 'DELETE_FEATURE'],
    ] as const)
      expect(screen.getByRole('menuitem', { name: new RegExp(`^${name}`, 'u') }).textContent).toContain(permission);
    fireEvent.click(property('Toggle type'));
    await settlePage();
    expect(screen.queryByRole('menuitemradio')).toBeNull();
  });
});

test('[S2-055] [S6-005] a user without permission sees the strategies and the reason, and no editor', async () => {
  server().on('GET api/admin/user', READER);
  const page = await renderConsole('/features/strategies/shop.basket');
  expect(main().getAllByText(REASON)).toHaveLength(1);
  expect(main().getByRole('article', { name: 'flexibleRollout' }).textContent).toMatch(/25\s%/u);
  expect(main().queryByRole('spinbutton')).toBeNull();
  expect(main().queryByRole('button', { name: 'Add strategy' })).toBeNull();
  page.unmount();
  server().on('GET api/admin/user', { body: { email: 'writer@example.com', permissions: ['UPDATE_FEATURE'] } });
  // A recent response is not read again.
  await advance(60_000);
  await renderConsole('/features/strategies/shop.basket');
  expect(button('Edit flexibleRollout')).toBeDefined();
  expect(button('Add strategy')).toBeDefined();
});

test('without permission, warnings have no fixes', async () => {
  const rollout = { name: 'flexibleRollout', parameters: { rollout: '25' } };
  serveToggle({ strategies: [{ name: 'default', parameters: {} }, rollout] });
  server().on('GET api/admin/user', READER);
  await renderConsole('/features/strategies/shop.basket');
  const warnings = main().getByRole('region', { name: 'Warnings' });
  expect(warnings.textContent).toContain('flexibleRollout has no effect');
  expect(within(warnings).queryByRole('button')).toBeNull();
});

describe('variants', () => {
  const green = { name: 'green', weight: 400, weightType: 'variable', stickiness: 'userId' };
  const custom = { ...green, custom: { a: 1 }, payload: { type: 'string', value: 'g', more: 2 } };
  const red = { name: 'red', weight: 600, weightType: 'variable' };

  beforeEach(() => void serveToggle({ variants: [custom, red], impressionData: true }));

  test('[S5-011] a failed save is shown in the dialog, which keeps the input', async () => {
    await openVariants();
    await addVariant('blue');
    server().on(PUT, { status: 500 });
    await saveVariant();
    expect(alertInDialog()).toContain('Could not add variant');
    server().on(PUT, { status: 400, body: { isJoi: true, details: [{ message: 'no blue, please' }] } });
    await saveVariant();
    expect(alertInDialog()).toBe('no blue, please');
    expect(nameOfVariant().value).toBe('blue');
    server().on(PUT, { status: 200 });
    await saveVariant();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('unknown fields of a variant are sent back unchanged', async () => {
    await openVariants();
    await click(button('Edit green'));
    fill(dialog().getByLabelText('Payload'), 'G');
    await saveVariant();
    const [body] = sent() as { impressionData: boolean; variants: object[] }[];
    expect(body?.impressionData).toBe(true);
    expect(body?.variants[0]).toEqual({ ...custom, weight: 500, payload: { type: 'string', value: 'G', more: 2 } });
    expect(body?.variants[1]).not.toHaveProperty('stickiness');
  });

  test('[S6-005] are read-only with a reason without the permission', async () => {
    server().on('GET api/admin/user', READER);
    await openVariants();
    for (const name of ['Add variant', 'Edit green', 'Remove green']) {
      expect(isDisabled(button(name))).toBe(true);
      expect(accessibleDescription(button(name))).toContain('UPDATE_FEATURE');
      fireEvent.click(button(name));
      await settlePage();
    }
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(main().queryByRole('combobox')).toBeNull();
  });

  test('null instead of a list is accepted', async () => {
    serveToggle({ variants: null });
    await openVariants();
    expect(text()).toContain('No variants');
    await addVariant('blue');
    await saveVariant();
    expect(sent()).toEqual([expect.objectContaining({ variants: [expect.objectContaining({ weight: 1000 })] })]);
  });

  test('[S5-010] a name is required and must be unique', async () => {
    await openVariants();
    await addVariant();
    await saveVariant();
    expect(alertInDialog()).toBe('Name is required');
    fill(nameOfVariant(), 'green');
    await saveVariant();
    expect(alertInDialog()).toBe('A variant named green already exists.');
    expect(nameOfVariant().value).toBe('green');
    expect(sent()).toEqual([]);
  });

  test('[S5-012] [S5-013] [S5-014] [S9-007] a fixed weight is subtracted first, and invalid weights are refused', async () => {
    server().on(PUT, ({ body }) => {
      serveToggle(body as object);
      return { status: 200 };
    });
    await openVariants();
    await click(button('Edit green'));
    await click(dialog().getByLabelText('Fixed weight'));
    for (const [typed, message] of [
      ['12.345', /at most one decimal/],
      ['many', /Enter a number/],
      ['101', /^The traffic distribution total must equal 100%$/],
    ] as const) {
      fill(dialog().getByLabelText('Weight in percent'), typed);
      await saveVariant();
      expect(alertInDialog()).toMatch(message);
    }
    fill(dialog().getByLabelText('Weight in percent'), '12.5');
    await settlePage();
    expect(textOf(screen.getByRole('dialog'))).toMatch(/87\.5 % each/);
    expect(sent()).toEqual([]);
    await saveVariant();
    const weights = [
      { name: 'green', weight: 125, weightType: 'fix' },
      { name: 'red', weight: 875, weightType: 'variable' },
    ];
    expect(sent()).toEqual([expect.objectContaining({ variants: weights.map((one) => expect.objectContaining(one)) })]);
    await click(button('Edit red'));
    await click(dialog().getByLabelText('Fixed weight'));
    await saveVariant();
    expect(alertInDialog()).toBe('There must be atleast one variable variant');
    expect(sent()).toHaveLength(1);
  });
});

describe('the metrics', () => {
  const MINUTES = 'GET api/admin/client-metrics/features/shop.basket/minutes';
  const HOURS = 'GET api/admin/client-metrics/features/shop.basket/raw?hoursBack=168';
  const count = (appName: string, time: string, yes: number, no: number) => ({
    ...{ featureName: 'shop.basket', environment: 'default', timestamp: `2026-03-01T${time}:00.000Z` },
    ...{ appName, yes, no },
  });
  const COUNTS = [
    count('shop', '13:00', 300, 100),
    count('web', '13:00', 1000, 0),
    count('shop', '13:10', 0, 0),
    count('', '13:30', 0, 30),
  ];
  const serveCounts = (...data: object[]) => {
    for (const line of [MINUTES, HOURS]) server().on(line, { body: { version: 1, maturity: 'stable', data } });
  };
  const open = () => renderConsole('/features/view/shop.basket');
  const chart = (name: RegExp) => main().queryByRole('figure', { name });
  const rowsOf = (table: string) =>
    within(main().getByRole('table', { name: table }))
      .getAllByRole('row')
      .map(textOf);

  beforeEach(() => {
    vi.setSystemTime(new Date('2026-03-01T13:30:05Z'));
    serveCounts(...COUNTS);
  });

  test('applications that are not counted separately have no link', async () => {
    await open();
    expect(rowsOf('Calls by application').slice(1)).toEqual([
      expect.stringMatching(/^web1,0000100 %$/u),
      expect.stringMatching(/^shop30010075 %$/u),
      expect.stringMatching(/^Other applications0300 %$/u),
    ]);
    const table = within(main().getByRole('table', { name: 'Calls by application' }));
    expect(table.getAllByRole('link').map(textOf)).toEqual(['web', 'shop']);
    const filter = main().getByRole<HTMLSelectElement>('combobox', { name: 'Application' });
    fill(filter, [...filter.options].find((option) => option.text === 'Other applications')?.value ?? '');
    await settlePage();
    expect(chart(/^Calls per minute: 0 yes, 30 no$/u)).not.toBeNull();
  });

  test('a failure of the counts is shown in place and can be retried', async () => {
    server().on(MINUTES, { status: 403, body: { message: 'no metrics for you' } });
    await open();
    const failure = section('Calls').getByRole('alert');
    expect(failure.textContent).toContain('The counts could not be loaded');
    serveCounts();
    await click(within(failure).getByRole('button', { name: 'Retry' }));
    expect(textOf(main().getByRole('region', { name: 'Calls' }))).toContain('No reports in the last hour');
  });

  test('[S2-056] [S2-061] calls in the last hour and none in the last minute are shown separately', async () => {
    for (const line of [MINUTES, HOURS]) server().on(line, { status: 404 });
    server().on(METRICS, { body: { lastHour: { 'shop.basket': { yes: 12_345, no: 0 } }, lastMinute: {} } });
    await open();
    const calls = textOf(main().getByRole('region', { name: 'Calls' }));
    expect(calls).toMatch(/Last minute\s*No metrics available/);
    expect(calls).toMatch(/Last hour\s*12,345 yes · 0 no/);
  });

  test('counts that are still loading are not reported as missing', async () => {
    for (const line of [MINUTES, HOURS]) server().on(line, { status: 404 });
    server().hold(METRICS);
    await open();
    expect(text()).toContain('Never reported');
    expect(text()).not.toContain('No metrics available');
    server().respondToAll(METRICS);
    await settlePage();
    expect(text()).toContain('No metrics available');
  });

  test('[S8-021] a failed read of the applications is shown in their section until they are known', async () => {
    server().on('GET api/admin/metrics/seen-apps', { status: 500 });
    const page = await open();
    expect(section('Applications').getByRole('alert').textContent).toContain('status 500');
    expect(text()).not.toContain('Not used in an app');
    page.unmount();
    server().on('GET api/admin/metrics/seen-apps', { body: { 'shop.basket': [application('shop')] } });
    await advance(60_000);
    await open();
    expect(section('Applications').getAllByRole('listitem').map(textOf)).toEqual(['shop']);
  });

  test('[S2-031] strategies and applications are links, also beside the strategies', async () => {
    serveToggle();
    server().on('GET api/admin/metrics/seen-apps', { body: { 'shop.basket': [application('shop web/2')] } });
    await open();
    const address = '/applications/shop%20web%2F2';
    expect(section('Applications').getByRole('link').getAttribute('href')).toBe(address);
    expect(section('Strategies').getByRole('link').getAttribute('href')).toBe('/strategies/view/default');
    await click(link('Activation'));
    const usage = within(main().getByRole('complementary', { name: 'Usage' }));
    expect(usage.getByRole('link', { name: 'shop web/2' }).getAttribute('href')).toBe(address);
  });
});

describe('unsaved strategies', () => {
  const openWithUnsaved = async () => {
    await renderConsole('/features/strategies/shop.basket');
    await addStrategy('default');
  };
  const unsaved = () => screen.queryAllByText('Unsaved');

  test.each([
    [{ status: 500 }, 'status 500'],
    [{ status: 403, body: { message: 'You need UPDATE_FEATURE' } }, 'You need UPDATE_FEATURE'],
    [{ status: 400, body: { isJoi: true, details: [{ message: 'strategies are odd' }] } }, 'strategies are odd'],
  ])('stay unsaved after a failed save with %j, whose reason is shown', async (response, reason) => {
    await openWithUnsaved();
    server().on(PUT, response);
    await click(strategyCard('default').getByRole('button', { name: 'Save default' }));
    expect(snackbarText()).toContain(reason);
    expect(unsaved()).toHaveLength(1);
  });

  test('are no reason to ask after they were saved', async () => {
    await openWithUnsaved();
    await click(link('Metrics'));
    await click(dialog().getByRole('button', { name: 'Stay' }));
    await click(strategyCard('default').getByRole('button', { name: 'Save default' }));
    expect(unsaved()).toHaveLength(0);
    await click(link('Metrics'));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(location.pathname).toBe('/features/view/shop.basket');
  });

  test('do not revive a toggle that was archived meanwhile', async () => {
    await openWithUnsaved();
    server().on(`GET ${PATH}`, { status: 404 });
    await click(strategyCard('default').getByRole('button', { name: 'Save default' }));
    expect(snackbarText()).toContain('could not be found');
    expect(sent()).toEqual([]);
    expect(unsaved()).toHaveLength(1);
  });

  test('of a toggle that disappears stay on the page until they are discarded', async () => {
    await openWithUnsaved();
    server().on(LIST, { body: { version: 1, features: [] } });
    server().on(`GET ${PATH}`, { status: 404 });
    await click(strategyCard('default').getByRole('button', { name: 'Save default' }));
    const notice = main().getByRole('alert');
    expect(notice.textContent).toContain('This toggle is no longer in the list of toggles.');
    expect(main().getByText('Deleted')).toBeDefined();
    expect(within(notice).queryByRole('button', { name: 'Revive' })).toBeNull();
    expect(unsaved()).toHaveLength(1);
    await click(within(notice).getByRole('button', { name: 'Discard changes' }));
    expect(text()).toContain('Could not find the toggle');
  });

  test('cannot be saved during an outage, and their bar shows the reason', async () => {
    await openWithUnsaved();
    serveOutage(server());
    await click(strategyCard('default').getByRole('button', { name: 'Save default' }));
    const saveAll = within(screen.getByRole('region', { name: 'Unsaved changes' })).getByRole('button', {
      name: 'Save all',
    });
    expect(isDisabled(saveAll)).toBe(true);
    expect(accessibleDescription(saveAll)).toContain('until the flag service responds');
    expect(unsaved()).toHaveLength(1);
  });
});

test.each(['a/b?c#d', 'constructor'])('a toggle named %s can be switched, opened and saved', async (name) => {
  const path = `api/admin/features/${encodeURIComponent(name)}`;
  const stored = toggle(name, { description: 'Old' });
  serveUpstream(server(), {
    [LIST]: { body: { version: 1, features: [stored] } },
    [`GET ${path}`]: { body: stored },
    [`GET ${path}/tags`]: { body: { version: 1, tags: [] } },
    [`POST ${path}/toggle/off`]: { body: { ...stored, enabled: false } },
    [`PUT ${path}`]: { status: 200 },
  });
  await renderConsole('/features?sort=name');
  await click(switchOf(name));
  expect(switchOf(name).checked).toBe(false);
  await click(within(row(name)).getAllByRole('link', { name })[0] as HTMLElement);
  expect(main().getByRole('heading', { level: 1, name })).toBeDefined();
  await click(link('Metrics'));
  expect(text()).toContain('No metrics available');
  await click(button('Edit description'));
  fill(main().getByRole('textbox', { name: 'Description' }), 'New');
  await click(button('Save'));
  expect(sent(`PUT ${path}`)).toEqual([expect.objectContaining({ name, description: 'New' })]);
});

test('[S3-014] [S8-020] a failed read of the toggle types is reported, and the default type remains', async () => {
  server().on('GET api/admin/feature-types', { status: 500 });
  await renderConsole('/features/create');
  expect(snackbarText()).toContain('The toggle types could not be loaded:');
  const types = screen.getByLabelText<HTMLSelectElement>('Toggle type');
  expect([...types.options].map(textOf)).toEqual(['Release']);
  expect(types.value).toBe('release');
});

test('[S8-022] a failed read of the archive shows a panel with a retry button', async () => {
  server().on('GET api/admin/archive/features', { status: 500 });
  await renderConsole('/archive?sort=name');
  expect(main().getByRole('alert').textContent).toContain('status 500');
  server().on('GET api/admin/archive/features', { body: { features: [toggle('shop.gone')] } });
  await click(button('Retry'));
  expect(rowNames()).toEqual(['shop.gone']);
});

test('[S8-026] a failed read of the configuration is reported and blocks nothing', async () => {
  server().on('GET api/admin/ui-config', { status: 500 });
  await renderConsole('/features?sort=name');
  expect(snackbarText()).toContain('The console’s name and links could not be loaded:');
  expect(row('shop.basket')).toBeDefined();
  expect(document.title).toBe('Feature toggles - Flagdeck');
});

test('a refused revival leaves the page unchanged', async () => {
  server().on('POST api/admin/archive/revive/shop.gone', { status: 500 });
  await renderConsole('/archive/strategies/shop.gone');
  await click(button('Revive'));
  expect(snackbarText()).toContain('status 500');
  expect(location.pathname).toBe('/archive/strategies/shop.gone');
  expect(button('Revive')).toBeDefined();
});

test.each([true, false])('the end of a revival moves the focus only from its row (%s)', async (isThere) => {
  const gone = ['shop.gone', 'shop.old'].map((name) => toggle(name));
  server().on('GET api/admin/archive/features', { body: { features: gone } });
  const revive = 'POST api/admin/archive/revive/shop.gone';
  server().hold(revive);
  await renderConsole('/archive?sort=name');
  await click(button('Revive shop.gone'));
  const request = await server().take(revive);
  const other = button('Revive shop.old');
  if (!isThere) other.focus();
  request.respond({});
  await settlePage();
  expect(rowNames()).toEqual(['shop.old']);
  expect(document.activeElement).toBe(isThere ? main().getByRole('heading', { level: 1 }) : other);
});

test('an empty archive says so', async () => {
  server().on('GET api/admin/archive/features', { body: { features: [] } });
  await renderConsole('/archive?sort=name');
  expect(text()).toContain('No archived toggles');
});

describe('the form for a new toggle', () => {
  const CREATE = 'POST api/admin/features';
  const name = () => screen.getByLabelText<HTMLInputElement>('Name');

  test.each(['?name=from.a.link', '#name=from.a.link'])('[S2-005] takes the name from the URL: %s', async (part) => {
    await renderConsole(`/features/create${part}`);
    expect(name().value).toBe('from.a.link');
  });

  test('[S5-003] removes spaces within and around a name', async () => {
    await renderConsole('/features/create');
    fill(name(), ' my new flag ');
    expect(name().value).toBe('mynewflag');
  });

  test('[S2-085] [S8-044] removes a strategy after confirmation', async () => {
    server().on(CREATE, { status: 201, body: toggle('two.ways') });
    await renderConsole('/features/create#name=two.ways');
    await addStrategy('default');
    await addStrategy('flexibleRollout');
    const remove = async () => {
      await click(strategyCard('default').getByRole('button', { name: 'Actions for default' }));
      await click(screen.getByRole('menuitem', { name: /^Remove/ }));
    };
    await remove();
    expect(textOf(screen.getByRole('dialog'))).toContain('Are you sure you want to remove this activation strategy?');
    await click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('group', { name: 'default' })).toBeDefined();
    await remove();
    await click(dialog().getByRole('button', { name: 'Remove' }));
    expect(screen.queryByRole('group', { name: 'default' })).toBeNull();
    await click(button('Create'));
    expect(sent(CREATE)).toEqual([
      expect.objectContaining({ strategies: [expect.objectContaining({ name: 'flexibleRollout' })] }),
    ]);
  });

  test.each(['default', 'mobile'])('[S3-018] has a project field if there are several, and sends %s', async (id) => {
    const projects = [
      { id: 'default', name: 'Default', description: '' },
      { id: 'mobile', name: 'Mobile apps', description: '' },
    ];
    server().on('GET api/admin/projects', { body: { version: 1, projects } });
    server().on(CREATE, { status: 201, body: toggle('shop.app', { project: id }) });
    await renderConsole('/features/create');
    const project = screen.getByLabelText<HTMLSelectElement>('Project');
    expect(project.value).toBe('default');
    expect([...project.options].map(({ textContent }) => textContent)).toEqual(['Default', 'Mobile apps']);
    fill(name(), 'shop.app');
    fireEvent.change(project, { target: { value: id } });
    await click(button('Create'));
    expect(sent(CREATE)).toMatchObject([{ name: 'shop.app', project: id }]);
    expect(location.pathname).toBe('/features/strategies/shop.app');
  });

  test('[S2-044] asks for confirmation before a link leaves its input', async () => {
    await renderConsole('/features/create');
    fill(name(), 'half.done');
    const menu = within(screen.getByRole('navigation', { name: 'Main' }));
    const archive = menu.getByRole('link', { name: /^Archive/u });
    await click(archive);
    expect(screen.getByRole('dialog').textContent).toContain('Data will be lost if you leave the page, are you sure?');
    const buttons = dialog().getAllByRole('button');
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['Stay', 'Discard', '']);
    await click(dialog().getByRole('button', { name: 'Stay' }));
    expect(location.pathname).toBe('/features/create');
    expect(name().value).toBe('half.done');
    await click(archive);
    await click(dialog().getByRole('button', { name: 'Discard' }));
    expect(location.pathname).toBe('/archive');
  });

  test('opens the definition of a strategy in a new window', async () => {
    await renderConsole('/features/create#name=shop.app');
    await addStrategy('flexibleRollout');
    const definition = strategyCard('flexibleRollout').getByRole('link', { name: 'flexibleRollout' });
    expect(definition.getAttribute('href')).toBe('/strategies/view/flexibleRollout');
    expect([definition.getAttribute('target'), definition.getAttribute('rel')]).toEqual(['_blank', 'noopener']);
  });

  test('[S2-043] does not ask without input, and Cancel goes back to the list', async () => {
    await renderConsole('/features/create');
    expect(button('Create')).toBeDefined();
    await click(link('Cancel'));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(location.pathname).toBe('/features');
  });
});
