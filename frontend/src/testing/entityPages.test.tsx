// @vitest-environment happy-dom
// Failures and unusual data of the pages of small entities. Successes against the service: e2e/tag-types.spec.ts,
// e2e/context-fields.spec.ts and others. Addons and strategies: beside their pages.
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  accessibleDescription,
  button,
  click,
  dialog,
  fill,
  find,
  isDisabled,
  main,
  signInByEmail,
  signInDialog,
  snackbarText,
} from './consolePage';
import { installFakeServer } from './fakeServer';
import { SETTINGS, serveConsole, serveUpstream } from './flagService';
import { advance, cleanPageAfterEach, settlePage } from './page';
import { renderConsole } from './renderConsole';
import { application, type ResponseData, type Responses, toggle } from './responses';

const server = installFakeServer();
cleanPageAfterEach();

const field = { name: 'region', description: 'Where', legalValues: ['eu'], stickiness: true, sortOrder: 1 };
const tagType = { name: 'team', description: 'Who looks after it', icon: 'T' };
const strategy = { name: 'byMoon', description: 'By moon', editable: true, deprecated: true, parameters: [] };
const project = { id: 'web', name: 'Web', description: 'What visitors see' };
const tag = { type: 'simple', value: 'winter' };

const fields = (...items: object[]) => ({ 'GET api/admin/context': { body: items } });
const tagTypes = (...items: object[]) => ({ 'GET api/admin/tag-types': { body: { version: 1, tagTypes: items } } });
const strategies = (...items: object[]) => ({
  'GET api/admin/strategies': { body: { version: 1, strategies: items } },
});
const tags = (...items: object[]) => ({ 'GET api/admin/tags': { body: { version: 1, tags: items } } });
const projects = (...items: object[]) => ({ 'GET api/admin/projects': { body: { version: 1, projects: items } } });
const shop = (more: object = {}): Responses => ({
  'GET api/admin/metrics/applications': { body: { applications: [application('shop', more)] } },
  'GET api/admin/metrics/applications/shop': { body: application('shop', more) },
});

function serve(...responses: Responses[]) {
  for (const [line, response] of responses.flatMap((one) => Object.entries(one))) server().on(line, response);
}

const text = () => screen.getByRole('main').textContent;
const input = (label: string) => main().getByLabelText<HTMLInputElement>(label);
const formError = () => find(document, '#main form > [role=alert]').textContent;

beforeEach(() =>
  serveUpstream(server(), { ...tagTypes(tagType), ...tags(tag), ...projects(project), ...fields(field), ...shop() }),
);

test.each([
  ['[S8-016]', 'tag-types', tagTypes(), 'The tag types could not be loaded', 'No tag types'],
  ['[S8-017]', 'tags', tags(), 'The tags could not be loaded', 'No tags'],
  ['[S8-023]', 'context', fields(), 'The context fields could not be loaded', 'No context fields'],
  ['[S8-024]', 'projects', projects(), 'The projects could not be loaded', 'No projects'],
  [
    '[S8-025]',
    'applications',
    { 'GET api/admin/metrics/applications': { body: { applications: [] } } },
    'The applications could not be loaded',
    'No applications',
  ],
])('%s the list of %s that failed to load can be retried, and an empty one says so', async (...row) => {
  const [, path, empty, failure, explanation] = row;
  for (const line of Object.keys(empty)) server().on(line, { status: 418, body: { message: 'No' } });
  await renderConsole(`/${path}`);
  expect(main().getByRole('alert').textContent).toContain(failure);
  serve(empty);
  await click(button('Retry'));
  expect(text()).toContain(explanation);
  expect(main().queryByRole('alert')).toBeNull();
});

test.each([
  ['[S8-016]', 'tag-types', 'Remove team', 'DELETE api/admin/tag-types/team'],
  ['[S8-017]', 'tags', 'Remove simple: winter', 'DELETE api/admin/tags/simple/winter'],
  ['[S8-023]', 'context', 'Remove region', 'DELETE api/admin/context/region'],
  ['[S8-024]', 'projects', 'Remove web', 'DELETE api/admin/projects/web'],
  ['[S8-025]', 'applications/shop', 'Delete', 'DELETE api/admin/metrics/applications/shop'],
  ['segments', 'segments', 'Remove beta', 'DELETE api/admin/segments/7'],
])('%s a failed removal on /%s is shown in the dialog, and the item stays', async (_, path, remove, call) => {
  const segment = { id: 7, name: 'beta', constraints: [{ contextName: 'userId', operator: 'IN', values: ['ann'] }] };
  serve({
    'GET api/admin/segments': { body: { segments: [segment] } },
    'GET api/admin/segments/7/strategies': { body: { strategies: [] } },
  });
  server().on(call, { status: 500 });
  await renderConsole(`/${path}`);
  await click(button(remove));
  await click(dialog().getByRole('button', { name: 'Remove' }));
  expect(server().count(call)).toBe(1);
  expect(dialog().getByRole('alert').textContent).toContain('status 500');
  await click(dialog().getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(button(remove)).toBeDefined();
  expect(location.pathname).toBe(`/${path}`);
});

test.each([
  ['[S8-016]', 'tag-types', tagType, 'POST api/admin/tag-types'],
  ['[S8-017]', 'tags', tag, 'POST api/admin/tags'],
  ['[S8-023]', 'context', field, 'POST api/admin/context'],
  ['[S8-024]', 'projects', project, 'POST api/admin/projects'],
])('%s a failed creation on /%s/create shows the reason and keeps the input', async (_, path, item, call) => {
  server().on(`${call}/validate`, { status: 200 });
  server().on(call, { status: 500 });
  await renderConsole(`/${path}/create`);
  const labels = 'id' in item ? ['Project id', 'Name'] : ['value' in item ? 'Value' : 'Name'];
  for (const label of labels) fill(input(label), 'plan');
  await click(button('Create'));
  expect(formError()).toContain('status 500');
  for (const label of labels) expect(input(label).value).toBe('plan');
  expect(snackbarText()).toBe('');
});

test('[S8-024] a name that is taken is shown at the id of a project', async () => {
  server().on('POST api/admin/projects/validate', { status: 200 });
  server().on('POST api/admin/projects', { status: 409, body: { details: [{ message: 'Taken' }] } });
  await renderConsole('/projects/create');
  fill(input('Project id'), 'shop');
  fill(input('Name'), 'Shop');
  await click(button('Create'));
  expect(main().getByRole('alert').textContent).toBe('Taken');
  expect(input('Project id').getAttribute('aria-invalid')).toBe('true');
});

test.each([
  ['[S8-016]', 'tag-types/edit/team', tagTypes({ ...tagType, more: 'kept' }), tagType, 'PUT api/admin/tag-types/team'],
  ['[S8-023]', 'context/edit/region', fields({ ...field, more: 'kept' }), field, 'PUT api/admin/context/region'],
  ['[S8-024]', 'projects/edit/web', projects({ ...project, more: 'kept' }), project, 'PUT api/admin/projects/web'],
  [
    '[S8-018]',
    'strategies/edit/byMoon',
    strategies({ ...strategy, more: 'kept' }),
    strategy,
    'PUT api/admin/strategies/byMoon',
    'strategies/view/byMoon',
  ],
])(
  '%s a refused edit on /%s shows the reason, and an edit keeps fields that the console does not know',
  async (...row) => {
    const [, path, list, item, call, opened = path.split('/')[0]] = row;
    serve(list, { 'GET api/admin/metrics/applications?strategyName=byMoon': { body: { applications: [] } } });
    const refused: ResponseData = { status: 400, body: { details: [{ message: 'Not like this' }] } };
    server().on(call, refused);
    await renderConsole(`/${path}`);
    fill(input('Description'), 'Mine');
    await click(button('Save'));
    expect(formError()).toBe('Not like this');
    expect(input('Description').value).toBe('Mine');
    server().on(call, { status: 200 });
    await click(button('Save'));
    expect(location.pathname).toBe(`/${opened}`);
    const expected = { ...item, description: 'Mine', more: 'kept' };
    expect(server().bodies(call)).toEqual([expected, expected]);
  },
);

test('[S8-025] a save of an application that fails halfway is reported and continues where it stopped', async () => {
  const call = 'POST api/admin/metrics/applications/shop';
  let fails = true;
  server().on(call, ({ body }) => {
    if (fails && 'description' in (body as object)) return { status: 403 };
    serve(shop(body as object));
    return { status: 202 };
  });
  await renderConsole('/applications/shop?tab=edit');
  fill(input('Application URL'), 'https://shop.example.com/');
  fill(input('Description'), 'Ours');
  await click(button('Save'));
  expect(formError()).toBe('You cannot perform this action');
  fails = false;
  await click(button('Save'));
  expect(location.pathname + location.search).toBe('/applications/shop');
  expect(server().bodies(call)).toEqual([
    { url: 'https://shop.example.com/' },
    { description: 'Ours' },
    { description: 'Ours' },
  ]);
});

test('the unsafe URL of an application is shown as text', async () => {
  serve(shop({ url: 'javascript:alert(1)' }));
  await renderConsole('/applications/shop');
  expect(text()).toContain('javascript:alert(1)');
  expect(document.querySelector('a[href^=javascript]')).toBeNull();
  expect(text()).toContain('It has not requested any toggles.');
  expect(text()).toContain('No instance has reported recently.');
});

describe('a tag', () => {
  const FEATURE_TAGS = 'api/admin/features/shop.basket/tags';

  beforeEach(() =>
    serve(tagTypes({ ...tagType, name: '' }, tagType), {
      'GET api/admin/features': { body: { version: 1, features: [toggle('shop.basket')] } },
      [`GET ${FEATURE_TAGS}`]: { body: { version: 1, tags: [tag] } },
      [`POST ${FEATURE_TAGS}`]: { status: 201 },
      'POST api/admin/tags': { status: 201 },
    }),
  );

  test('[S3-015] [S5-030] without a type is sent with the type simple', async () => {
    const list = await renderConsole('/tags/create');
    fill(input('Type'), '');
    fill(input('Value'), 'spring');
    await click(button('Create'));
    expect(location.pathname).toBe('/tags');
    list.unmount();
    await renderConsole('/features/strategies/shop.basket');
    await click(button('Add tag'));
    fill(dialog().getByLabelText('Type'), '');
    fill(dialog().getByLabelText('Value'), 'spring');
    await click(dialog().getByRole('button', { name: 'Add tag' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    for (const path of ['api/admin/tags', FEATURE_TAGS])
      expect(server().bodies(`POST ${path}`)).toEqual([{ type: 'simple', value: 'spring' }]);
  });

  test('that browsers cannot request shows an error, and such a tag cannot be created', async () => {
    serve(tags({ type: 'simple', value: '..' }));
    const list = await renderConsole('/tags');
    await click(button('Remove simple: ..'));
    await click(dialog().getByRole('button', { name: 'Remove' }));
    expect(dialog().getByRole('alert').textContent).toContain('browsers cannot send');
    await click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(button('Remove simple: ..')).toBeDefined();
    list.unmount();
    await renderConsole('/tags/create');
    fill(input('Value'), '..');
    await click(button('Create'));
    expect(main().getByRole('alert').textContent).toBe('Enter a value other than "." and "..".');
    expect(server().requests.filter(({ line }) => !line.startsWith('GET'))).toEqual([]);
  });

  test('[S8-017] can be removed although the affected toggles are unknown', async () => {
    server().on('GET api/admin/features', { status: 418, body: { message: 'No' } });
    server().on('DELETE api/admin/tags/simple/winter', { status: 403, body: '' });
    await renderConsole('/tags');
    await click(button('Remove simple: winter'));
    expect(screen.getByRole('dialog').textContent).toContain('The affected toggles could not be loaded');
    await click(dialog().getByRole('button', { name: 'Remove' }));
    expect(dialog().getByRole('alert').textContent).toContain('You cannot perform this action');
  });

  test('of a toggle that failed to load can be retried', async () => {
    server().on(`GET ${FEATURE_TAGS}`, { status: 418, body: { message: 'No' } });
    await renderConsole('/features/strategies/shop.basket');
    expect(text()).toContain('The tags could not be loaded.');
    server().on(`GET ${FEATURE_TAGS}`, { body: { version: 1, tags: [tag] } });
    await click(button('Retry'));
    expect(text()).toContain('simple: winter');
    expect(text()).not.toContain('The tags could not be loaded.');
  });

  test('of a toggle is not shown to users who cannot read the tags', async () => {
    server().on(`GET ${FEATURE_TAGS}`, { status: 403, body: { permission: 'UPDATE_FEATURE', message: 'Ask' } });
    await renderConsole('/features/strategies/shop.basket');
    expect(server().count(`GET ${FEATURE_TAGS}`)).toBe(1);
    expect(text()).toContain('Activation strategies');
    expect(text()).not.toContain('The tags could not be loaded.');
    expect(main().queryByRole('button', { name: 'Add tag' })).toBeNull();
    expect(main().queryByRole('alert')).toBeNull();
    expect(snackbarText()).toBe('');
  });

  test('[S8-015] of a toggle stays after a failed removal, which the dialog shows', async () => {
    server().on(`DELETE ${FEATURE_TAGS}/simple/winter`, { status: 403, body: '' });
    await renderConsole('/features/strategies/shop.basket');
    await click(button('Remove tag simple: winter'));
    await click(dialog().getByRole('button', { name: 'Remove' }));
    expect(dialog().getByRole('alert').textContent).toContain('You cannot perform this action');
    await click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(text()).toContain('simple: winter');
  });
});

test.each([
  ['tag-types/edit/nosuch', 'Could not find the tag type', 'All tag types', '/tag-types'],
  ['context/edit/nosuch', 'Could not find the context field', 'All context fields', '/context'],
  ['projects/edit/nosuch', 'Could not find the project', 'All projects', '/projects'],
  ['addons/edit/99999', 'Could not find the addon', 'All addons', '/addons'],
  ['addons/create/nosuch', 'Provider not found', 'All addons', '/addons'],
])('/%s shows that the item was not found, and a link to the list', async (path, message, link, list) => {
  server().on('GET api/admin/addons', { body: { providers: [], addons: [] } });
  await renderConsole(`/${path}`);
  expect(text()).toContain(message);
  await click(main().getByRole('link', { name: link }));
  expect(location.pathname).toBe(list);
});

describe('missing toggles of many applications', () => {
  const names = Array.from({ length: 12 }, (_, index) => `app-${index}`);
  const call = (name: string) => `GET api/admin/metrics/applications/${name}`;
  const wanting = (name: string) => ({
    body: application(name, { seenToggles: [{ name: `wanted-by-${name}`, notFound: true }] }),
  });
  const requested = () => names.filter((name) => server().count(call(name)) > 0).length;
  const found = () => main().queryAllByRole('rowheader').length;

  beforeEach(() => {
    server().on('GET api/admin/metrics/applications', {
      body: { applications: names.map((name) => application(name)) },
    });
    for (const name of names) server().on(call(name), wanting(name));
  });

  test('are read from four applications at a time, with the progress', async () => {
    for (const name of names) server().hold(call(name));
    await renderConsole('/missing-toggles');
    expect(requested()).toBe(4);
    expect(main().getByRole('progressbar')).toBeDefined();
    (await server().take(call('app-0'))).respond();
    await settlePage();
    expect(text()).toContain('Checked 1 of 12 applications');
    // The next request starts, and only one.
    expect(requested()).toBe(5);
    for (const name of names) server().respondToAll(call(name));
    await settlePage();
    expect(found()).toBe(names.length);
  });

  test('are shown with the names of the applications that failed', async () => {
    server().on(call('app-3'), { status: 500 });
    server().on(call('app-5'), { status: 404 });
    await renderConsole('/missing-toggles');
    await advance(20_000);
    expect(main().getByRole('alert').textContent).toContain('one application could not be loaded (app-3)');
    expect(found()).toBe(10);
    server().on(call('app-3'), wanting('app-3'));
    await click(button('Retry'));
    expect(main().queryByRole('alert')).toBeNull();
    expect(found()).toBe(11);
  });

  test('are read again after the sign-in, and none is shown before', async () => {
    const challenge = { type: 'unsecure', path: '/api/admin/login', message: 'Who is there?' };
    server().on(call('app-3'), { status: 401, body: challenge });
    server().on('POST api/admin/login', () => {
      server().on(call('app-3'), wanting('app-3'));
      return { body: {} };
    });
    await renderConsole('/missing-toggles');
    expect(signInDialog()).toBeDefined();
    expect(screen.queryAllByText(/wanted-by/)).toEqual([]);
    await signInByEmail('a@example.com');
    expect(found()).toBe(names.length);
  });
});

test.each(['/strategies/create?name=byMoon', '/strategies/create#name=by%20Moon'])(
  '[S2-009] %s fills in the name of a new strategy',
  async (path) => {
    await renderConsole(path);
    expect(input('Name').value).toBe('byMoon');
    await click(main().getByRole('link', { name: 'Cancel' }));
    expect(location.pathname).toBe('/strategies');
  },
);

describe('the evaluation', () => {
  const EVALUATE = 'POST -/evaluate';

  test('without toggles says so', async () => {
    server().on('GET api/admin/features', { body: { version: 1, features: [] } });
    await renderConsole('/evaluation');
    expect(main().getByRole('heading', { name: 'No toggles to evaluate' })).toBeDefined();
    expect(server().count(EVALUATE)).toBe(0);
  });

  test('that failed can be repeated', async () => {
    server().on('GET api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    server().on(EVALUATE, { status: 500, headers: { 'x-flagdeck-error': 'internal' }, body: { message: 'Broken' } });
    await renderConsole('/evaluation');
    await advance(1_000);
    expect(main().getByRole('alert').textContent).toContain('The toggles could not be evaluated');
    expect(main().getByRole('alert').textContent).toContain('Broken');
    const before = server().count(EVALUATE);
    await click(button('Retry'));
    expect(server().count(EVALUATE)).toBe(before + 1);
  });
});

describe('API tokens', () => {
  const LINE = 'GET api/admin/api-tokens';
  const token = (name: string, kind = 'client') => ({
    ...{ name, kind, origins: [], projects: [], tags: [], createdBy: 'operator' },
    ...{ createdAt: '2026-01-05T10:00:00.000Z', lastUsedAt: null },
  });
  const serveTokens = (...tokens: object[]) => server().on(LINE, { body: { tokens } });

  beforeEach(() => {
    serveConsole(server());
    serveTokens(token('shop-web', 'frontend'));
  });

  test('that cannot be loaded are replaced by the reason, until the server responds', async () => {
    server().on(LINE, { status: 500, body: { message: 'Broken' } });
    await renderConsole('/tokens');
    expect(main().getByRole('alert').textContent).toContain('API tokens could not be loaded');
    expect(main().getByRole('alert').textContent).toContain('status 500');
    serveTokens(token('shop-web', 'frontend'));
    await advance(60_000);
    expect(text()).toContain('shop-web');
    expect(main().queryByRole('alert')).toBeNull();
  });

  test('keep the input and show the reason if the name is taken', async () => {
    const message = 'An API token with this name already exists';
    server().on('POST api/admin/api-tokens', { status: 409, body: { details: [{ message }] } });
    await renderConsole('/tokens/create');
    fill(input('Name'), 'shop-web');
    await click(button('Create'));
    expect(main().getByRole('alert').textContent).toBe(message);
    expect(input('Name').getAttribute('aria-invalid')).toBe('true');
    expect(input('Name').value).toBe('shop-web');
    expect(snackbarText()).toBe('');
  });

  test('warn before the last client token is removed', async () => {
    serveTokens(token('till'), token('shop'), token('shop-web', 'frontend'));
    const WARNING = 'It is the last client token';
    const list = await renderConsole('/tokens');
    for (const name of ['shop-web', 'till']) {
      await click(button(`Remove ${name}`));
      expect(screen.getByRole('dialog').textContent).toContain(`${name} will be revoked`);
      expect(screen.getByRole('dialog').textContent).not.toContain(WARNING);
      await click(dialog().getByRole('button', { name: 'Cancel' }));
    }
    list.unmount();
    serveTokens(token('shop'), token('shop-web', 'frontend'));
    // A recent response is not read again.
    await advance(60_000);
    await renderConsole('/tokens');
    await click(button('Remove shop'));
    expect(screen.getByRole('dialog').textContent).toContain(WARNING);
  });

  test.each([
    ['without the permission', { permissions: ['DELETE_API_TOKEN'] }, {}, 'CREATE_API_TOKEN'],
    ['with --read-only', { permissions: ['ADMIN'] }, { readOnly: true }, 'read-only'],
  ])('%s cannot be created', async (_, user, settings, reason) => {
    server().on('GET api/admin/user', { body: { username: 'reader', ...user } });
    server().on('GET -/settings', { body: { ...SETTINGS, ...settings } });
    const list = await renderConsole('/tokens');
    expect(isDisabled(button('New API token'))).toBe(true);
    expect(accessibleDescription(button('New API token'))).toContain(reason);
    list.unmount();
    await renderConsole('/tokens/create');
    expect(text()).toContain(reason);
    expect(main().queryByLabelText('Name')).toBeNull();
  });

  test('of an upstream are neither linked nor requested', async () => {
    serveUpstream(server(), { 'GET api/admin/metrics/applications': { body: { applications: [] } } });
    const applications = await renderConsole('/applications');
    expect(text()).toContain('No applications');
    expect(main().queryByRole('link', { name: 'API tokens' })).toBeNull();
    applications.unmount();
    const before = server().count(LINE);
    for (const path of ['/tokens', '/tokens/create']) {
      const page = await renderConsole(path);
      expect(text()).toContain('The flag service manages its tokens itself');
      page.unmount();
    }
    expect(server().count(LINE)).toBe(before);
  });
});

test('a thousand legal values are shown on demand', async () => {
  const legalValues = Array.from({ length: 1_000 }, (_, at) => String(at).padStart(5, '0'));
  serve(fields({ ...field, legalValues }));
  await renderConsole('/context/edit/region');
  const values = () =>
    screen.getByRole('list', { name: 'Added values' }).querySelectorAll('button[aria-label^=Remove]');
  expect(values()).toHaveLength(12);
  await click(button('988 more'));
  expect(values()).toHaveLength(100);
  await click(button('Show all 1000'));
  expect(values()).toHaveLength(1_000);
});

test('a list can be searched, and keeps the search in the URL', async () => {
  serve(tags(...Array.from({ length: 11 }, (_, at) => ({ type: 'simple', value: `thing-${at}` }))));
  const list = await renderConsole('/tags');
  const names = () =>
    main()
      .queryAllByRole('rowheader')
      .map((header) => header.textContent ?? '');
  const search = async (value: string) => {
    fill(main().getByRole('searchbox'), value);
    fireEvent.keyDown(main().getByRole('searchbox'), { key: 'Enter' });
    await settlePage();
  };
  expect(names()).toHaveLength(11);
  fireEvent.keyDown(document.body, { key: '/' });
  expect(document.activeElement).toBe(main().getByRole('searchbox'));
  await search('THING-7');
  expect(names()).toEqual([expect.stringContaining('thing-7')]);
  list.unmount();
  await renderConsole(location.pathname + location.search);
  expect(names()).toEqual([expect.stringContaining('thing-7')]);
  await search('nothing like this');
  expect(text()).toContain('No tag matches');
  await click(button('Clear filters'));
  expect(names()).toHaveLength(11);
  expect(location.pathname + location.search).toBe('/tags');
});
