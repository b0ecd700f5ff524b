// @vitest-environment happy-dom
// Forms with unsaved input: leaving them asks for confirmation, and if the session ends before they are sent, the sign-in
// dialog opens over the page. Both keep the input. Journeys in the browser: e2e/drafts.spec.ts, e2e/session-forms.spec.ts.
import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { click, dialog, fill, isDisabled, main, signInByEmail, signInDialog, snackbarText } from './consolePage';
import { installFakeServer } from './fakeServer';
import { serveUpstream } from './flagService';
import { cleanPageAfterEach, settlePage } from './page';
import { renderConsole } from './renderConsole';
import { application, ONE_TOGGLE, toggle } from './responses';

const server = installFakeServer();
cleanPageAfterEach();

const EMAIL = 'operator@example.com';
const CHALLENGE = { type: 'unsecure', path: '/api/admin/login', message: 'Who is there?' };
const TYPED = 'typed.before';

const provider = {
  name: 'webhook',
  displayName: 'Webhook',
  description: '',
  documentationUrl: '',
  parameters: [{ name: 'url', displayName: 'Webhook URL', type: 'url', required: true }],
  events: ['feature-created', 'feature-archived'],
};
const addon = {
  id: 1,
  provider: 'webhook',
  enabled: false,
  description: '',
  parameters: { url: 'http://127.0.0.1:9/hook' },
  events: ['feature-archived'],
};
const byMoon = { name: 'byMoon', description: '', editable: true, deprecated: false, parameters: [] };
const userId = { name: 'userId', description: '', sortOrder: 1, stickiness: false, legalValues: [] };
const simple = { name: 'simple', description: '', icon: 'S' };
const { strategies } = ONE_TOGGLE['GET api/admin/strategies'].body;

const SERVICE = {
  ...ONE_TOGGLE,
  'GET api/admin/strategies': { body: { version: 1, strategies: [...strategies, byMoon] } },
  'GET api/admin/strategies/byMoon': { body: byMoon },
  'GET api/admin/context': { body: [userId] },
  'GET api/admin/context/userId': { body: userId },
  'GET api/admin/projects': { body: { version: 1, projects: [{ id: 'default', name: 'Default', description: '' }] } },
  'GET api/admin/projects/default': { body: { id: 'default', name: 'Default', description: '' } },
  'GET api/admin/tag-types': { body: { version: 1, tagTypes: [simple] } },
  'GET api/admin/tag-types/simple': { body: { version: 1, tagType: simple } },
  'GET api/admin/tags': { body: { version: 1, tags: [] } },
  'GET api/admin/addons': { body: { providers: [provider], addons: [addon] } },
  'GET api/admin/addons/1': { body: addon },
  'GET api/admin/metrics/applications': { body: { applications: [application('shop-web')] } },
  'GET api/admin/metrics/applications/shop-web': { body: application('shop-web') },
  'POST api/admin/context/validate': { status: 200 },
  'POST api/admin/projects/validate': { status: 200 },
  'POST api/admin/tag-types/validate': { status: 200 },
};

interface FormCase {
  path: string;
  /** Values to enter, by label; true checks the box. */
  fields: { [label: string]: string | true };
  submit: string;
  /** The request that saves. */
  call: string;
  /** Label of the button that opens the form. */
  opener?: string;
}

const FORMS: readonly FormCase[] = [
  { path: 'features/create', fields: { Name: TYPED }, submit: 'Create', call: 'POST api/admin/features' },
  {
    path: 'features/copy/shop.basket',
    fields: { Name: TYPED },
    submit: 'Copy feature toggle',
    call: 'POST api/admin/features',
  },
  {
    path: 'features/strategies/shop.basket',
    opener: 'Edit flexibleRollout',
    fields: { Rollout: '42' },
    submit: 'Save flexibleRollout',
    call: 'PUT api/admin/features/shop.basket',
  },
  {
    path: 'features/variants/shop.basket',
    fields: { Name: TYPED },
    submit: 'Save',
    call: 'PUT api/admin/features/shop.basket',
    opener: 'Add variant',
  },
  { path: 'strategies/create', fields: { Name: TYPED }, submit: 'Create', call: 'POST api/admin/strategies' },
  {
    path: 'strategies/edit/byMoon',
    fields: { Description: TYPED },
    submit: 'Save',
    call: 'PUT api/admin/strategies/byMoon',
  },
  {
    path: 'applications/shop-web?tab=edit',
    fields: { Description: TYPED },
    submit: 'Save',
    call: 'POST api/admin/metrics/applications/shop-web',
  },
  { path: 'context/create', fields: { Name: TYPED }, submit: 'Create', call: 'POST api/admin/context' },
  {
    path: 'context/edit/userId',
    fields: { Description: TYPED },
    submit: 'Save',
    call: 'PUT api/admin/context/userId',
  },
  {
    path: 'projects/create',
    fields: { 'Project id': TYPED, Name: 'Shop' },
    submit: 'Create',
    call: 'POST api/admin/projects',
  },
  {
    path: 'projects/edit/default',
    fields: { Description: TYPED },
    submit: 'Save',
    call: 'PUT api/admin/projects/default',
  },
  { path: 'tag-types/create', fields: { Name: TYPED }, submit: 'Create', call: 'POST api/admin/tag-types' },
  {
    path: 'tag-types/edit/simple',
    fields: { Description: TYPED },
    submit: 'Save',
    call: 'PUT api/admin/tag-types/simple',
  },
  { path: 'tags/create', fields: { Value: TYPED }, submit: 'Create', call: 'POST api/admin/tags' },
  {
    path: 'addons/create/webhook',
    fields: { Description: TYPED, 'Webhook URL': 'http://127.0.0.1:9/hook', 'Toggle created': true },
    submit: 'Create',
    call: 'POST api/admin/addons',
  },
  { path: 'addons/edit/1', fields: { Description: TYPED }, submit: 'Save', call: 'PUT api/admin/addons/1' },
];

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
/** Also in a dialog. */
const button = (name: string) => screen.getByRole('button', { name });

function expectInput(fields: FormCase['fields']): void {
  for (const [label, value] of Object.entries(fields)) {
    if (value === true) expect(field(label).checked, label).toBe(true);
    else expect(field(label).value, label).toBe(value);
  }
}

/** Opens the form and enters its values. */
async function openAndFill({ path, fields, opener }: Omit<FormCase, 'submit' | 'call'>): Promise<void> {
  serveUpstream(server(), SERVICE);
  await renderConsole(`/${path}`);
  if (opener) await click(main().getAllByRole('button', { name: opener })[0] ?? document.body);
  for (const [label, value] of Object.entries(fields)) {
    if (value === true) await click(field(label));
    else fill(field(label), value);
  }
}

test.each([
  ...FORMS,
  { path: 'features/view/shop.basket', fields: { Description: TYPED }, opener: 'Edit description' },
  { path: 'features/view/shop.basket', fields: { Value: TYPED }, opener: 'Add tag' },
])('leaving /$path $opener asks for confirmation, and keeps the input', async (form) => {
  await openAndFill(form);
  const url = location.href;
  // A dialog covers the menu, but a link can also be followed by the keyboard or a script.
  const menu = screen.getByRole('navigation', { name: 'Main', hidden: true });
  await click(within(menu).getByRole('link', { name: /^Archive/, hidden: true }));
  const question = within(screen.getByRole('dialog', { name: 'Unsaved changes' }));
  await click(question.getByRole('button', { name: 'Stay' }));
  expect(location.href).toBe(url);
  expectInput(form.fields);
  const unload = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(unload);
  expect(unload.defaultPrevented).toBe(true);
});

/** Forms with a page of their own. */
const PAGES = FORMS.filter(({ opener }) => opener === undefined);

test.each(PAGES)('a late success of /$path leaves the page where the user is by then', async (form) => {
  await openAndFill(form);
  server().hold(form.call);
  await click(button(form.submit));
  const save = await server().take(form.call);
  for (const label of Object.keys(form.fields)) expect(isDisabled(field(label)), label).toBe(true);
  await click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: /^Archive/ }));
  await click(screen.getByRole('button', { name: 'Discard' }));
  expect(location.pathname).toBe('/archive');
  // Another form, with text that would be lost.
  act(() => history.pushState(null, '', '/features/create'));
  act(() => void dispatchEvent(new PopStateEvent('popstate')));
  await settlePage();
  fill(field('Name'), 'shop.other');
  save.respond({ status: 201, body: toggle(TYPED) });
  await settlePage();
  expect(location.pathname).toBe('/features/create');
  expect(field('Name').value).toBe('shop.other');
  expect(snackbarText()).toContain('The form that you left was saved.');
});

test('the fields of a form can be edited again after a failed save', async () => {
  await openAndFill({ path: 'context/create', fields: { Name: TYPED } });
  server().hold('POST api/admin/context');
  await click(button('Create'));
  expect(isDisabled(field('Name'))).toBe(true);
  const save = await server().take('POST api/admin/context');
  save.respond({ status: 500, body: { message: 'Out of order' } });
  await settlePage();
  expect(isDisabled(field('Name'))).toBe(false);
  expect(document.activeElement?.getAttribute('role')).toBe('alert');
});

test('a late removal leaves the page where the user is by then', async () => {
  serveUpstream(server(), SERVICE);
  const call = 'DELETE api/admin/metrics/applications/shop-web';
  server().on(call, { status: 200 });
  await renderConsole('/features/create');
  act(() => history.pushState(null, '', '/applications/shop-web'));
  act(() => void dispatchEvent(new PopStateEvent('popstate')));
  await settlePage();
  server().hold(call);
  await click(main().getByRole('button', { name: 'Delete' }));
  await click(dialog().getByRole('button', { name: 'Remove' }));
  const removal = await server().take(call);
  act(() => history.replaceState(null, '', '/features/create'));
  act(() => void dispatchEvent(new PopStateEvent('popstate')));
  await settlePage();
  fill(field('Name'), 'shop.other');
  removal.respond();
  await settlePage();
  expect(location.pathname).toBe('/features/create');
  expect(field('Name').value).toBe('shop.other');
});

test.each(FORMS)(
  'a session that ends before submitting /$path: the input stays, and is saved after the sign-in',
  async (form) => {
    const { fields, submit, call } = form;
    await openAndFill(form);
    const url = location.href;
    server().on(call, { status: 401, body: CHALLENGE });
    server().on('POST api/admin/login', { body: {} });
    await click(button(submit));
    expect(signInDialog().getByText(/^Your session has ended/).textContent).toBe(
      `Your session has ended. Your unsaved changes are kept if you sign in again as ${EMAIL}. Your last action is then repeated.`,
    );
    expect(location.href).toBe(url);
    expectInput(fields);
    server().on(call, { status: 201, body: toggle(TYPED) });
    await signInByEmail(EMAIL);
    const sent = server().requests.filter(({ line }) => line === call);
    expect(sent).toHaveLength(2);
    const texts = Object.values(fields).filter((value) => value !== true);
    for (const value of texts) expect(JSON.stringify(sent[1]?.body)).toContain(value);
  },
);
