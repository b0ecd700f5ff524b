// @vitest-environment happy-dom
// Servers of other versions: those that the console does not support, and newer ones with environments. Older ones:
// e2e/server-versions.spec.ts. The selection of an environment by URL and tab: e2e/environments.spec.ts.
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Capabilities } from '@/api/generated/types';
import {
  accessibleDescription,
  button,
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
} from './consolePage';
import { type FakeRequest, installFakeServer } from './fakeServer';
import { SETTINGS, serveUpstream, UPSTREAM_HOST } from './flagService';
import { cleanPageAfterEach, settlePage } from './page';
import { renderConsole } from './renderConsole';
import { application, NEWER_CAPABILITIES, type ResponseData, type Responses, toggle } from './responses';

const server = installFakeServer();
cleanPageAfterEach();

const LIST = 'GET api/admin/features';
const BASKET = 'api/admin/features/shop.basket';
const PUT = `PUT ${BASKET}`;
const ON = `POST ${BASKET}/toggle/on`;
const METRICS = 'GET api/admin/metrics/feature-toggles';
const CONFIG = 'GET api/admin/ui-config';
const ACTIVATION = '/features/strategies/shop.basket';

const listed = (...toggles: object[]) => ({ body: { version: 1, features: toggles } });
const text = () => screen.getByRole('main').textContent.replaceAll(/\s+/gu, ' ');
const section = (name: string) => textOf(main().getByRole('region', { name }));
const input = (label: string) => main().getByLabelText<HTMLInputElement>(label);

describe('an unsupported server', () => {
  const GONE: ResponseData = { status: 410, body: { message: 'Gone for good' } };
  const basket = toggle('shop.basket');
  const item = (name: string) => main().getByText(name).closest('li') as HTMLElement;

  beforeEach(() => {
    serveUpstream(server(), {
      [CONFIG]: { body: { versionInfo: { current: { oss: '5.6.1' }, latest: {} } } },
      [METRICS]: GONE,
    });
    for (const path of ['events', 'metrics/applications', 'tag-types', 'addons'])
      server().on(`GET api/admin/${path}`, { status: 404 });
  });

  test.each([404, 410])('without a list of toggles (%i) is named, with the supported features', async (status) => {
    server().on(LIST, { status, body: { message: 'Gone for good' } });
    await renderConsole('/features');
    expect(text()).toContain('The server has version 5.6.1');
    expect(text()).toContain(`failed with status ${status}`);
    expect(textOf(item('Strategies'))).toBe('Strategiessupported');
    expect(within(item('Strategies')).getByRole('link').getAttribute('href')).toBe('/strategies');
    expect(textOf(item('Metrics'))).toContain('not supported (410)');
    expect(textOf(item('Addons'))).toContain('not supported (404)');
    server().on(LIST, listed(basket));
    server().on(`GET ${BASKET}`, { body: basket });
    await click(button('Retry'));
    expect(row('shop.basket')).toBeDefined();
  });

  test.each(['/features', ACTIVATION, '/features/copy/shop.basket'])(
    'that lists toggles but cannot return one is named on %s',
    async (path) => {
      // The responses of Unleash 5.6.
      server().on(LIST, listed(basket));
      server().on(`GET ${BASKET}`, { status: 404 });
      server().on(`GET ${BASKET}/tags`, { status: 404 });
      await renderConsole(path);
      expect(text()).toContain('The server has version 5.6.1');
      expect(text()).toContain('The request for one toggle (GET api/admin/features/…) failed with status 404');
      expect(textOf(item('List of toggles'))).toBe('List of togglessupported');
      expect(screen.queryByRole('switch')).toBeNull();
      expect(snackbarText()).toBe('');
    },
  );

  test.each([
    ['has no list of toggles', { status: 404 }, 'the toggles (GET api/admin/features)'],
    ['lists toggles', listed(basket), 'one toggle (GET api/admin/features/…)'],
    // Without a toggle to request, the version and the metrics decide.
    ['is new and empty', listed(), 'metrics'],
  ])('that %s offers no form for a new toggle', async (kind, response, request) => {
    server().on(LIST, response);
    server().on(`GET ${BASKET}`, { status: 404 });
    const settings = { ...SETTINGS, mode: 'upstream', upstream: UPSTREAM_HOST };
    const capabilities = { ...SETTINGS.capabilities, managesToggles: false };
    if (kind === 'is new and empty') server().on('GET -/settings', { body: { ...settings, capabilities } });
    await renderConsole('/features');
    expect(main().getByRole('alert').textContent).toContain(`The request for ${request}`);
    expect(main().queryByRole('link', { name: 'New toggle' })).toBeNull();
    expect(screen.queryByRole('searchbox')).toBeNull();
    for (const key of ['g', 'n']) fireEvent.keyDown(document.body, { key });
    await settlePage();
    expect(location.pathname).toBe('/features/create');
    expect(main().getByRole('heading', { level: 1 }).textContent).toBe('New toggle');
    expect(main().getByRole('alert').textContent).toContain(`The request for ${request}`);
    expect(main().queryByLabelText('Name')).toBeNull();
  });

  test('that lists toggles offers no creation or change from other pages', async () => {
    const missing = (name: string) => ({ name, notFound: true });
    const web = application('web', { strategies: [missing('own')], seenToggles: [missing('shop.new')] });
    server().on(LIST, listed(basket));
    server().on(`GET ${BASKET}`, { status: 404 });
    server().on('GET api/admin/metrics/applications', { body: { applications: [web] } });
    server().on('GET api/admin/metrics/applications/web', { body: web });
    const list = await renderConsole('/missing-toggles');
    expect(main().getByRole('link', { name: 'Create own' })).toBeDefined();
    expect(main().queryByRole('link', { name: 'Create shop.new' })).toBeNull();
    list.unmount();
    await renderConsole('/applications/web');
    expect(text()).toContain('shop.new');
    expect(main().getByRole('link', { name: 'Missing, want to create? own' })).toBeDefined();
    expect(main().queryByRole('link', { name: 'Missing, want to create? shop.new' })).toBeNull();
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await settlePage();
    for (const [typed, name] of [
      ['new toggle', /^New toggle/],
      ['disable shop', /^Disable shop\.basket/],
      ['copy shop', /^Copy shop\.basket/],
    ] as const) {
      fill(dialog().getByRole('combobox'), typed);
      await settlePage();
      const option = dialog().getByRole('option', { name });
      expect(option.textContent).toContain('does not support managing toggles');
      expect(isDisabled(option)).toBe(true);
    }
    fill(dialog().getByRole('combobox'), 'new strategy');
    await settlePage();
    expect(isDisabled(dialog().getByRole('option', { name: /^New strategy/ }))).toBe(false);
    fireEvent.keyDown(dialog().getByRole('combobox'), { key: 'Escape' });
    await settlePage();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('with another metrics format reports that in the list and on the page of a toggle', async () => {
    server().on(LIST, listed(basket));
    server().on(`GET ${BASKET}`, { body: basket });
    server().on(`GET ${BASKET}/tags`, { body: { version: 1, tags: [] } });
    server().on('GET api/admin/metrics/seen-apps', { status: 410 });
    const note = '(version 5.6.1) reports metrics in a format';
    for (const [path, ...texts] of [
      ['/features?sort=name', note],
      [ACTIVATION, 'not reported by this server'],
      ['/features/view/shop.basket', note, 'does not report applications'],
    ] as const) {
      const page = await renderConsole(path);
      for (const one of texts) expect(text(), path).toContain(one);
      expect(snackbarText()).toBe('');
      expect(main().getAllByRole('switch')).toHaveLength(1);
      page.unmount();
    }
  });
});

const ROLLOUT = {
  name: 'flexibleRollout',
  displayName: 'Gradual rollout',
  description: '',
  editable: false,
  parameters: [{ name: 'rollout', type: 'percentage', description: '', required: false }],
};

const strategy = (id: string, more: object = {}) => ({
  ...{ id, name: 'flexibleRollout', parameters: { rollout: '25' }, constraints: [], segments: [], variants: [] },
  ...{ title: null, disabled: false, milestoneId: null },
  ...more,
});

const beta = strategy('s1', {
  title: 'Beta users',
  segments: [7],
  variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
});

describe('a newer server, whose environment production is shown,', () => {
  const environments = ['development', 'production'].map((name) => ({ name, type: name }));

  function serveNewer(responses: Responses = {}, capabilities: Partial<Capabilities> = {}) {
    serveUpstream(server(), {
      'GET api/admin/segments': { body: { segments: [{ id: 7, name: 'beta-testers', constraints: [] }] } },
      'GET api/admin/strategies': { body: { version: 1, strategies: [ROLLOUT] } },
      'GET api/admin/context': { body: [{ name: 'appVersion', description: '', sortOrder: 1 }] },
      'GET api/admin/metrics/seen-apps?toggle=shop.basket': { body: {} },
      ...responses,
    });
    server().on('GET -/settings', {
      body: {
        ...SETTINGS,
        mode: 'upstream',
        upstream: UPSTREAM_HOST,
        capabilities: { ...NEWER_CAPABILITIES, ...capabilities },
        server: { version: '8.2.0', environments, environment: 'production', project: null, projects: ['default'] },
      },
    });
  }

  /** Serves a toggle, which the list contains without its strategies. */
  function serveToggle(strategies: object[], more: object = {}) {
    const off = [{ name: 'development', enabled: false, type: 'development', strategies: 0 }];
    const stored = toggle('shop.basket', { enabled: false, strategies, otherEnvironments: off, ...more });
    const inList = { ...stored, strategies: [], strategiesKnown: false, otherEnvironments: undefined };
    server().on(LIST, listed(inList));
    server().on(`GET ${BASKET}`, { body: stored, headers: { etag: '"shop.basket production"' } });
    server().on(`GET ${BASKET}/tags`, { body: { version: 1, tags: [] } });
    server().on('GET api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events: [] } });
  }

  /** Responds with a question until the request confirms it. */
  const asks = (line: string, code: string) => {
    server().on(line, { status: 409, body: { code, message: line } });
    server().on(`${line}?confirm=${code}`, { status: 200 });
  };

  const card = () => strategyCard('flexibleRollout');
  const lastPut = () => server().requests.findLast(({ line }) => line === PUT);

  beforeEach(() => {
    serveNewer();
    serveToggle([beta]);
    server().on(PUT, { status: 200 });
  });

  async function openCard() {
    await renderConsole(ACTIVATION);
    await click(button('Edit flexibleRollout'));
  }

  const saveCard = () => click(card().getByRole('button', { name: 'Save flexibleRollout' }));

  test('names it without a menu', async () => {
    await renderConsole('/features?sort=name');
    expect(textOf(screen.getByTestId('server-environment'))).toBe('Environment: production');
    expect(screen.queryByRole('button', { name: /^Environment/ })).toBeNull();
  });

  test('saves a toggle without strategies, with the entity tag of the read toggle', async () => {
    serveToggle([]);
    await renderConsole(ACTIVATION);
    expect(main().getByText('No strategies in production')).toBeDefined();
    await click(button('Edit description'));
    fill(main().getByRole('textbox', { name: 'Description' }), 'New');
    await click(button('Save'));
    expect(snackbarText()).toContain('shop.basket successfully updated!');
    expect(lastPut()?.headers.get('if-match')).toBe('"shop.basket production"');
    expect(lastPut()?.body).toMatchObject({ description: 'New', strategies: [] });
  });

  test('that refuses a save because the toggle changed gets the merged toggle', async () => {
    server().on(PUT, () => {
      if (server().count(PUT) > 1) return { status: 200 };
      serveToggle([beta], { description: 'From a colleague' });
      return { status: 412, body: { code: 'toggle_changed', message: 'Changed' } };
    });
    await openCard();
    fill(card().getByRole('textbox', { name: 'Title' }), 'All testers');
    await saveCard();
    expect(snackbarText()).toContain('shop.basket successfully updated!');
    expect(server().bodies(PUT)).toHaveLength(2);
    const merged = { description: 'From a colleague', strategies: [{ title: 'All testers' }] };
    expect(lastPut()?.body).toMatchObject(merged);
  });

  test('keeps all properties of a strategy that the console does not edit', async () => {
    await openCard();
    expect(textOf(screen.getByRole('group', { name: 'flexibleRollout' }))).toMatch(/beta-testers.*1 variant/u);
    fill(card().getByRole('textbox', { name: 'Title' }), '');
    await click(card().getByRole('switch', { name: 'Strategy enabled' }));
    await saveCard();
    expect(lastPut()?.body).toMatchObject({ strategies: [{ ...beta, title: '', disabled: true }] });
  });

  test.each([
    ['would_add_rollout', 'Add rollout and enable'],
    ['would_enable_strategies', 'Enable with all strategies'],
  ])('asks before a switch if it responds %s', async (code, confirm) => {
    asks(ON, code);
    await renderConsole('/features?sort=name');
    await click(switchOf('shop.basket'));
    expect(screen.getByRole('dialog', { name: 'Enable shop.basket in production' })).toBeDefined();
    await click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(switchOf('shop.basket').checked).toBe(false);
    expect(snackbarText()).toBe('');
    await click(switchOf('shop.basket'));
    await click(dialog().getByRole('button', { name: confirm }));
    expect(switchOf('shop.basket').checked).toBe(true);
    expect(snackbarText()).toContain('shop.basket switched on in production.');
  });

  test('asks once for a bulk action', async () => {
    const names = ['shop.a', 'shop.b', 'shop.c'];
    server().on(LIST, listed(...names.map((name) => toggle(name, { enabled: false, strategies: [] }))));
    for (const name of names) {
      const line = `POST api/admin/features/${name}/toggle/on`;
      if (name === 'shop.c') server().on(line, { status: 200 });
      else asks(line, 'would_add_rollout');
    }
    await renderConsole('/features?sort=name');
    await click(screen.getByRole('checkbox', { name: 'Select all 3' }));
    await click(screen.getByRole('button', { name: 'Status' }));
    await click(screen.getByRole('menuitem', { name: 'Enable' }));
    expect(screen.getByRole('dialog', { name: 'Enable 2 toggles in production' })).toBeDefined();
    expect(dialog().getAllByRole('listitem').map(textOf)).toEqual(['shop.a', 'shop.b']);
    await click(dialog().getByRole('button', { name: 'Add rollout and enable' }));
    expect(snackbarText()).toContain('3 toggles switched on in production.');
    for (const name of names) expect(switchOf(name).checked).toBe(true);
  });

  test('that saved only a part keeps the other edits', async () => {
    const [one, two] = [strategy('s1'), strategy('s2')];
    serveToggle([one, two]);
    const message = 'The change is stored in part, with 1 of 2 requests. Then the flag service refused POST /on: No.';
    server().on(PUT, ({ body }: FakeRequest) => {
      const stored = [(body as { strategies: object[] }).strategies[0] ?? {}, two];
      serveToggle(stored);
      const present = toggle('shop.basket', { enabled: false, strategies: stored });
      return { status: 400, body: { code: 'half_saved', message, done: 1, of: 2, refused: 'No.', toggle: present } };
    });
    await renderConsole(ACTIVATION);
    const rule = (number: number) => strategyCard(`flexibleRollout (${number} of 2)`);
    for (const number of [1, 2]) {
      await click(button(`Edit flexibleRollout (${number} of 2)`));
      fill(rule(number).getByRole('textbox', { name: 'Title' }), `Title ${number}`);
    }
    await settlePage();
    await click(screen.getByRole('button', { name: 'Save all' }));
    expect(snackbarText()).toContain('The change is stored in part, with 1 of 2 requests.');
    expect(rule(1).queryByText('Unsaved')).toBeNull();
    expect(rule(2).getByText('Unsaved')).toBeDefined();
    expect(rule(2).getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('Title 2');
  });

  test('has constraints of all operators, and keeps those that the console does not know', async () => {
    const version = { contextName: 'appVersion', operator: 'SEMVER_GT', value: '1.2.3', values: [], inverted: true };
    const unknown = { contextName: 'appVersion', operator: 'GEO_WITHIN', values: ['no'] };
    serveToggle([strategy('s1', { constraints: [version, unknown] })]);
    await openCard();
    const whole = () => textOf(screen.getByRole('group', { name: 'flexibleRollout' }));
    expect(whole()).toContain('This console does not support the operator GEO_WITHIN.');
    await click(card().getByRole('button', { name: 'appVersion is not above version 1.2.3' }));
    fill(card().getByRole('textbox', { name: 'Value' }), 'two');
    await click(card().getByRole('checkbox', { name: 'Invert' }));
    await click(card().getByRole('button', { name: 'Done' }));
    expect(whole()).toContain('Enter a version, such as 1.2.3.');
    fill(card().getByRole('textbox', { name: 'Value' }), '2.0.0');
    fill(card().getByRole('combobox', { name: 'Operator' }), 'SEMVER_GTE');
    await click(card().getByRole('button', { name: 'Done' }));
    await saveCard();
    const edited = { ...version, operator: 'SEMVER_GTE', value: '2.0.0', inverted: false };
    expect(lastPut()?.body).toMatchObject({ strategies: [{ constraints: [edited, unknown] }] });
  });

  test('offers to load strategies for a sort order', async () => {
    const known = (name: string, ...strategies: object[]) => toggle(name, { strategies });
    const [a, b] = [known('shop.a'), known('shop.b', strategy('s1'), strategy('s2'))];
    server().on(LIST, listed(...[a, b].map((one) => ({ ...one, strategies: [], strategiesKnown: false }))));
    server().on(`${LIST}?strategies=true`, listed(a, b));
    await renderConsole('/features?sort=strategies');
    expect(main().getByRole('note').textContent).toContain(
      'The list is not sorted by strategies: they are not loaded.',
    );
    await click(button('Load strategies'));
    expect(main().queryByRole('note')).toBeNull();
    expect(rowNames()).toEqual(['shop.b', 'shop.a']);
  });

  test('shows usage per hour only', async () => {
    server().on(METRICS, { body: { lastHour: { 'shop.basket': { yes: 1, no: 3 } }, lastMinute: {} } });
    const page = await renderConsole('/features?sort=name');
    expect(within(row('shop.basket')).getByRole('img', { name: /^25\s% yes$/u })).toBeDefined();
    await click(main().getByRole('button', { name: 'Filter' }));
    expect(text()).toContain('This server reports usage per hour.');
    expect(main().queryByRole('radio', { name: 'Last minute' })).toBeNull();
    page.unmount();
    server().on('GET api/admin/client-metrics/features/shop.basket/minutes', { status: 404 });
    server().on(METRICS, { body: { lastHour: { 'shop.basket': { yes: 3, no: 1 } }, lastMinute: {} } });
    await renderConsole('/features/view/shop.basket');
    expect(section('Calls')).not.toContain('Last minute');
    expect(section('Calls')).toMatch(/Last hour\s*[13] yes · [13] no/u);
  });

  test.each([
    [{}, 'Not used in an app in the last 24 hours in production.'],
    [{ 'shop.basket': [{ appName: 'shop-web' }] }, 'shop-web'],
  ])('reports the applications of one toggle: %j', async (apps, expected) => {
    server().on('GET api/admin/client-metrics/features/shop.basket/minutes', { status: 404 });
    server().on('GET api/admin/metrics/seen-apps?toggle=shop.basket', { body: apps });
    await renderConsole('/features/view/shop.basket');
    expect(section('Applications')).toContain(expected);
  });

  test('shows in the list why it has no counts', async () => {
    const message = 'This server reports usage of single toggles only.';
    server().on(METRICS, { status: 410, headers: { 'x-flagdeck-error': 'not_reported' }, body: { message } });
    await renderConsole('/features?sort=name');
    expect(main().getByRole('note').textContent).toContain(message);
    expect(row('shop.basket')).toBeDefined();
  });

  test('gets the name of the original of a copy', async () => {
    const line = 'POST api/admin/features?copyOf=shop.basket&replaceGroupId=true';
    server().on('POST api/admin/features/validate', { status: 200 });
    server().on(line, { status: 201, body: toggle('shop.copy') });
    await renderConsole('/features/copy/shop.basket');
    expect(text()).toContain('and its tags and other environments');
    fill(input('Name'), 'shop.copy');
    await click(button('Copy feature toggle'));
    expect(server().count(line)).toBe(1);
  });

  test('lists only the newest archived toggles, without strategies, and each place says so', async () => {
    const gone = toggle('shop.gone', { enabled: false, strategies: [], strategiesKnown: false });
    server().on('GET api/admin/archive/features', { body: { version: 1, total: 1234, features: [gone] } });
    const definition = { name: 'byRegion', description: '', editable: true, parameters: [] };
    server().on('GET api/admin/strategies', { body: { version: 1, strategies: [definition] } });
    server().on('GET api/admin/metrics/applications?strategyName=byRegion', { body: { applications: [] } });
    server().on('GET api/admin/metrics/applications', { body: { applications: [] } });
    server().on('GET api/admin/events/shop.gone', { body: { toggleName: 'shop.gone', events: [] } });
    server().on('GET api/admin/features/shop.gone/tags', { body: { version: 1, tags: [] } });
    server().on('GET api/admin/client-metrics/features/shop.gone/minutes', { status: 404 });
    server().on('GET api/admin/metrics/seen-apps?toggle=shop.gone', { body: {} });
    server().on(`${LIST}?strategies=true`, listed());
    const without = 'This server lists archived toggles without them.';
    for (const [path, expected, absent] of [
      ['/archive?sort=name', 'the 1 newest of 1,234 archived toggles', 'No archived'],
      ['/archive/strategies/shop.gone', without, 'No strategies'],
      ['/archive/variants/shop.gone', without, 'No variants'],
      ['/archive/view/shop.gone', 'This server lists archived toggles without their strategies.', 'No strategies'],
      ['/strategies/view/byRegion', 'Without archived toggles: this server lists them without their strategies.', '-'],
    ] as const) {
      const page = await renderConsole(path);
      expect(text(), path).toContain(expected);
      if (absent !== '-') expect(text(), path).not.toContain(absent);
      page.unmount();
    }
  });

  test.each([
    ['reset', 'This server sets the sort order to 0 with every edit.'],
    ['ignored', 'This server does not change the sort order in an edit.'],
  ] as const)('explains the sort order of a context field: %s', async (sortOrderInEdit, limit) => {
    serveNewer(
      { 'GET api/admin/context': { body: [{ name: 'region', description: '', sortOrder: 3 }] } },
      { sortOrderInEdit },
    );
    const page = await renderConsole('/context/edit/region');
    expect(accessibleDescription(input('Sort order'))).toContain(limit);
    page.unmount();
    await renderConsole('/context/create');
    expect(accessibleDescription(input('Sort order'))).not.toContain(limit);
  });
});
