// @vitest-environment happy-dom
// An item that another user changes or removes while the form that edits it is open. Journeys in the browser:
// e2e/drafts.spec.ts, e2e/simultaneous-edits.spec.ts.
import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Endpoint } from '@/api/client';
import * as endpoints from '@/api/endpoints';
import { clearUserData, refreshReads } from '@/api/useRead';
import { accessibleDescription, click, fill, isDisabled } from './consolePage';
import { installFakeServer } from './fakeServer';
import { serveOutage, serveUpstream } from './flagService';
import { cleanPageAfterEach, settlePage } from './page';
import { renderConsole } from './renderConsole';
import { application, pager, pagerAddon, type Responses, toggle } from './responses';

const server = installFakeServer();
cleanPageAfterEach();

interface FormCase {
  form: string;
  path: string;
  endpoint: Endpoint<unknown>;
  /** Responses with an item of this description. Undefined: without the item. */
  serve: (description: string | undefined) => Responses;
  /** Label of the edited field. */
  field: string;
  /** The field shows the description of the item. */
  showsItem?: boolean;
  /** Name of the button that opens the form. */
  opener?: string;
  /** A text that is shown instead of the form if the item does not exist. */
  missing: string;
  /** The noun of the conflict dialog, and the request that saves, of a form that edits an existing item. */
  saves?: { noun: string; call: string };
}

const list = (items: string, item: object, description: string | undefined, more: object = {}) => ({
  body: { version: 1, ...more, [items]: description === undefined ? [] : [{ ...item, description }] },
});
const one = (item: object, description: string | undefined) =>
  description === undefined ? { status: 404, body: {} } : { body: { ...item, description } };
const listOfToggles = (description: string | undefined) => ({
  'GET api/admin/features': list('features', toggle('shop.basket'), description),
  'GET api/admin/features/shop.basket': one(toggle('shop.basket'), description),
  'GET api/admin/features/shop.basket/tags': { body: { version: 1, tags: [] } },
  'GET api/admin/archive/features': { body: { features: [] } },
});
const field = { name: 'region', legalValues: ['eu'], stickiness: false, sortOrder: 1 };
const strategy = { name: 'byMoon', editable: true, deprecated: false, parameters: [] };

const FORMS: readonly FormCase[] = [
  {
    form: 'a copy',
    path: '/features/copy/shop.basket',
    endpoint: endpoints.features,
    serve: listOfToggles,
    field: 'Name',
    missing: 'Toggle not found',
  },
  {
    form: 'a description',
    path: '/features/view/shop.basket',
    endpoint: endpoints.features,
    serve: listOfToggles,
    field: 'Description',
    showsItem: true,
    opener: 'Edit description',
    missing: 'Could not find the toggle',
    saves: { noun: 'toggle', call: 'PUT api/admin/features/shop.basket' },
  },
  {
    form: 'a variant',
    path: '/features/variants/shop.basket',
    endpoint: endpoints.features,
    serve: listOfToggles,
    field: 'Name',
    opener: 'Add variant',
    missing: 'Could not find the toggle',
  },
  {
    form: 'a tag of a toggle',
    path: '/features/view/shop.basket',
    endpoint: endpoints.features,
    serve: listOfToggles,
    field: 'Value',
    opener: 'Add tag',
    missing: 'Could not find the toggle',
  },
  {
    form: 'a strategy',
    path: '/strategies/edit/byMoon',
    endpoint: endpoints.strategies,
    serve: (description) => ({
      'GET api/admin/strategies': list('strategies', strategy, description),
      'GET api/admin/strategies/byMoon': one(strategy, description),
    }),
    field: 'Description',
    showsItem: true,
    missing: 'Strategy not found',
    saves: { noun: 'strategy', call: 'PUT api/admin/strategies/byMoon' },
  },
  {
    form: 'an application',
    path: '/applications/shop?tab=edit',
    endpoint: endpoints.application('shop'),
    serve: (description) => ({ 'GET api/admin/metrics/applications/shop': one(application('shop'), description) }),
    field: 'Description',
    showsItem: true,
    missing: 'Application (shop) not found',
    saves: { noun: 'application', call: 'POST api/admin/metrics/applications/shop' },
  },
  {
    form: 'a context field',
    path: '/context/edit/region',
    endpoint: endpoints.context,
    serve: (description) => ({
      'GET api/admin/context': { body: description === undefined ? [] : [{ ...field, description }] },
      'GET api/admin/context/region': one(field, description),
    }),
    field: 'Description',
    showsItem: true,
    missing: 'Could not find the context field',
    saves: { noun: 'context field', call: 'PUT api/admin/context/region' },
  },
  {
    form: 'a project',
    path: '/projects/edit/web',
    endpoint: endpoints.projects,
    serve: (description) => ({
      'GET api/admin/projects': list('projects', { id: 'web', name: 'Web' }, description),
      'GET api/admin/projects/web': one({ id: 'web', name: 'Web' }, description),
    }),
    field: 'Description',
    showsItem: true,
    missing: 'Could not find the project',
    saves: { noun: 'project', call: 'PUT api/admin/projects/web' },
  },
  {
    form: 'a tag type',
    path: '/tag-types/edit/team',
    endpoint: endpoints.tagTypes,
    serve: (description) => ({
      'GET api/admin/tag-types': list('tagTypes', { name: 'team', icon: 'T' }, description),
      'GET api/admin/tag-types/team': one({ name: 'team', icon: 'T' }, description),
    }),
    field: 'Description',
    showsItem: true,
    missing: 'Could not find the tag type',
    saves: { noun: 'tag type', call: 'PUT api/admin/tag-types/team' },
  },
  {
    form: 'an addon',
    path: '/addons/edit/7',
    endpoint: endpoints.addons,
    serve: (description) => ({
      'GET api/admin/addons': list('addons', pagerAddon, description, { providers: [pager] }),
      'GET api/admin/addons/7': one(pagerAddon, description),
      'GET api/admin/events': { body: { version: 1, events: [] } },
    }),
    field: 'Description',
    showsItem: true,
    missing: 'Could not find the addon',
    saves: { noun: 'addon', call: 'PUT api/admin/addons/7' },
  },
  {
    form: 'a new addon',
    path: '/addons/create/pager',
    endpoint: endpoints.addons,
    serve: (description) => ({
      'GET api/admin/addons': list('providers', pager, description, { addons: [] }),
    }),
    field: 'Description',
    missing: 'Provider not found',
  },
];

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

/** Opens the form of an item whose description is "Old". */
async function open({ path, opener, serve }: FormCase) {
  serveUpstream(server(), serve('Old'));
  const page = await renderConsole(path);
  if (opener) await click(screen.getByRole('button', { name: opener }));
  return page;
}

/** Lets another user change or remove the item, and reads it again. */
async function change({ endpoint, serve }: FormCase, description: string | undefined) {
  for (const [line, response] of Object.entries(serve(description))) server().on(line, response);
  act(() => refreshReads([endpoint]));
  await settlePage();
}

test.each(FORMS)('the form of $form keeps typed text while another user changes and removes the item', async (form) => {
  await open(form);
  fill(input(form.field), 'mine');
  const typedInto = input(form.field);
  await change(form, 'Theirs');
  expect(input(form.field).value).toBe('mine');
  await change(form, undefined);
  // The same element: the form was not rendered anew, so that the cursor stays, too.
  expect(input(form.field)).toBe(typedInto);
  expect(typedInto.value).toBe('mine');
  await change(form, 'Theirs again');
  expect(input(form.field)).toBe(typedInto);
  expect(typedInto.value).toBe('mine');
});

test.each(FORMS)('the form of $form without typed text is replaced when the item is removed', async (form) => {
  await open(form);
  input(form.field).focus();
  await change(form, undefined);
  expect(screen.getAllByText(form.missing, { exact: false })).not.toEqual([]);
});

test.each(FORMS.filter(({ showsItem }) => showsItem))(
  'the form of $form shows a change of another user until the first edit',
  async (form) => {
    await open(form);
    input(form.field).focus();
    await change(form, 'Theirs');
    expect(input(form.field).value).toBe('Theirs');
    expect(document.activeElement).toBe(input(form.field));
  },
);

const CONFLICTS = FORMS.flatMap(({ saves, ...form }) => (saves ? [{ ...form, ...saves }] : []));

/** Saves typed text after another user has changed the same field. */
async function saveWithConflict(form: (typeof CONFLICTS)[number]) {
  server().on('GET api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events: [] } });
  server().on('GET api/admin/events', { body: { version: 1, events: [] } });
  server().on(form.call, { status: 200 });
  await open(form);
  fill(input(form.field), 'Mine');
  for (const [line, response] of Object.entries(form.serve('Theirs'))) server().on(line, response);
  await click(screen.getByRole('button', { name: 'Save' }));
  await settlePage();
}

test.each(CONFLICTS)('a conflict in the form of $form is decided in the same dialog', async (form) => {
  await saveWithConflict(form);
  const dialog = screen.getByRole('dialog', { name: `This ${form.noun} changed while you were editing` });
  expect(within(dialog).getByRole('group', { name: /^description$/i })).toBeDefined();
  expect(within(dialog).getByRole('radio', { name: /^Saved version .*“Theirs”/ })).toBeDefined();
  expect(server().count(form.call)).toBe(0);
  await click(within(dialog).getByRole('button', { name: 'Keep editing' }));
  expect(input(form.field).value).toBe('Mine');
  await click(screen.getByRole('button', { name: 'Save' }));
  await settlePage();
  await click(screen.getByRole('radio', { name: /^Your version .*“Mine”/ }));
  await click(screen.getByRole('button', { name: 'Save merged' }));
  await settlePage();
  expect(server().count(form.call)).toBe(1);
  expect(server().requests.findLast(({ line }) => line === form.call)?.body).toMatchObject({ description: 'Mine' });
  expect(screen.queryByDisplayValue('Mine')).toBeNull();
});

test.each(CONFLICTS.filter(({ call }) => call.startsWith('PUT')))(
  'the form of $form saves on the condition that the item is still the one that was read',
  async (form) => {
    await open(form);
    server().on(form.call, { status: 200 });
    for (const [line, response] of Object.entries(form.serve('Old')))
      server().on(line, { ...response, headers: { etag: '"read"' } });
    fill(input(form.field), 'Mine');
    await click(screen.getByRole('button', { name: 'Save' }));
    await settlePage();
    const save = server().requests.findLast(({ line }) => line === form.call);
    expect(save?.headers.get('if-match')).toBe('"read"');
  },
);

test.each(FORMS)('the typed text in the form of $form does not survive a change of the user', async (form) => {
  await open(form);
  fill(input(form.field), 'mine');
  await act(async () => clearUserData({ rereads: true }));
  await change(form, undefined);
  expect(screen.queryByDisplayValue('mine')).toBeNull();
});

test.each(CONFLICTS)('an outage keeps the typed text in the form of $form, which cannot be saved', async (form) => {
  await open(form);
  fill(input(form.field), 'mine');
  serveOutage(server());
  await click(screen.getByRole('button', { name: 'Save' }));
  expect(input(form.field).value).toBe('mine');
  const save = screen.getByRole('button', { name: 'Save' });
  expect(isDisabled(save)).toBe(true);
  expect(accessibleDescription(save)).toContain('until the flag service responds');
});
