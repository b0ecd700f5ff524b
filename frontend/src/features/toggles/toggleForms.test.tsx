// @vitest-environment happy-dom
// The small forms of a toggle: submission, failures, and what happens while a request runs.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { archivedFeatures, features } from '@/api/endpoints';
import { clearUserData, refreshReads } from '@/api/useRead';
import { leaveGuards } from '@/lib/leaveGuard';
import { click, fill, snackbarText } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const PUT = 'PUT api/admin/features/shop.basket';
const FORMS = [
  {
    form: 'the description',
    path: '/features/view/shop.basket',
    opener: 'Edit description',
    field: 'Description',
    call: PUT,
    invalid: 'Enter a description.',
  },
  {
    form: 'a variant',
    path: '/features/variants/shop.basket',
    opener: 'Add variant',
    field: 'Name',
    call: PUT,
    invalid: 'Name is required',
  },
  {
    form: 'a tag',
    path: '/features/view/shop.basket',
    opener: 'Add tag',
    field: 'Value',
    call: 'POST api/admin/features/shop.basket/tags',
    invalid: 'Enter a value.',
  },
];
type FormCase = (typeof FORMS)[number];

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

async function open({ path, opener, call }: FormCase) {
  serveConsole(server(), [createToggle({ name: 'shop.basket', description: 'Small' })]);
  server().on(call, {});
  const page = await renderConsole(path);
  await click(screen.getByRole('button', { name: opener }));
  return page;
}

async function submit(label: string) {
  fireEvent.submit(input(label).closest('form') ?? document);
  await settlePage();
}

/** Opens a form, and sends its input to a server that does not respond yet. */
async function send(form: FormCase) {
  const page = await open(form);
  fill(input(form.field), 'mine');
  server().hold(form.call);
  await submit(form.field);
  return { page, request: await server().take(form.call) };
}

test.each(FORMS)('$form is not sent with an invalid value, and its field gets the focus', async (form) => {
  await open(form);
  fill(input(form.field), ' ');
  await submit(form.field);
  expect(screen.getByText(form.invalid)).toBeDefined();
  expect(document.activeElement).toBe(input(form.field));
  expect(server().count(form.call)).toBe(0);
  fill(input(form.field), 'mine');
  expect(screen.queryByText(form.invalid)).toBeNull();
});

test.each(FORMS)(
  'a second submit of $form while it is sent sends nothing, and its end closes the form',
  async (form) => {
    const { request } = await send(form);
    await submit(form.field);
    expect(server().count(form.call)).toBe(1);
    request.respond({});
    await settlePage();
    expect(screen.queryByDisplayValue('mine')).toBeNull();
    expect(server().count(form.call)).toBe(1);
    expect(leaveGuards.get()).toEqual([]);
  },
);

test.each(FORMS)(
  'a failure of $form is shown in the form, which keeps the input and can be sent again',
  async (form) => {
    const { request } = await send(form);
    request.respond({ status: 400, body: { message: 'refused' } });
    await settlePage();
    const area = within(input(form.field).closest<HTMLElement>('[role=dialog], main') ?? document.body);
    expect(area.getByText('refused')).toBeDefined();
    expect(input(form.field).value).toBe('mine');
    server().release(form.call);
    await submit(form.field);
    expect(server().count(form.call)).toBe(2);
  },
);

test.each(FORMS)('a failure of $form after its page was left is shown on the next page', async (form) => {
  const { page, request } = await send(form);
  page.unmount();
  request.respond({ status: 400, body: { message: 'refused' } });
  await settlePage();
  await renderConsole('/history');
  expect(snackbarText()).toContain('refused');
});

test.each(FORMS)('a change of the user while $form is sent closes it, and shows no result', async (form) => {
  const { request } = await send(form);
  await act(async () => clearUserData({ rereads: true }));
  request.respond({});
  await settlePage();
  expect(screen.queryByDisplayValue('mine')).toBeNull();
  expect(snackbarText()).toBe('');
  expect(leaveGuards.get()).toEqual([]);
});

test('a form that is open while the page shows another toggle is closed', async () => {
  const [form] = FORMS as [FormCase];
  await open(form);
  act(() => {
    history.pushState({}, '', '/features/view/shop.other');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await settlePage();
  expect(screen.queryByLabelText('Description')).toBeNull();
});

const [description] = FORMS as [FormCase];
const archived = { body: { features: [createToggle({ name: 'shop.basket', description: 'Small' })] } };

/** Types a description, and clicks a link to another page. */
async function leaveWithDescription(typed: string) {
  await open(description);
  fill(input('Description'), typed);
  await click(screen.getByRole('link', { name: 'Archive' }));
}

test('an unsaved description is saved before the page is left', async () => {
  await leaveWithDescription('mine');
  await click(screen.getByRole('button', { name: 'Save all' }));
  expect(server().requests.findLast(({ line }) => line === PUT)?.body).toMatchObject({ description: 'mine' });
  expect(location.pathname).toBe('/archive');
});

test.each([
  ['an invalid description', ' ', {}],
  ['a refused description', 'mine', { status: 400, body: { message: 'refused' } }],
])('the page is not left with %s', async (_, typed, response) => {
  await leaveWithDescription(typed);
  server().on(PUT, response);
  await click(screen.getByRole('button', { name: 'Save all' }));
  expect(location.pathname).toBe(description.path);
  expect(input('Description').value).toBe(typed);
});

test('an unsaved description is discarded before the page is left', async () => {
  await leaveWithDescription('mine');
  await click(screen.getByRole('button', { name: 'Discard' }));
  expect([location.pathname, server().count(PUT)]).toEqual(['/archive', 0]);
});

test('Escape closes the description, and an unchanged one is not sent', async () => {
  await open(description);
  await submit('Description');
  expect(screen.queryByLabelText('Description')).toBeNull();
  await click(screen.getByRole('button', { name: 'Edit description' }));
  fireEvent.keyDown(input('Description'), { key: 'Escape' });
  await settlePage();
  expect(screen.queryByLabelText('Description')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit description' }));
  expect(server().count(PUT)).toBe(0);
});

test.each([true, false])(
  'the end of the save moves the focus to the button that replaces the form only if it is still there (%s)',
  async (isThere) => {
    const { request } = await send(description);
    const tab = screen.getByRole('link', { name: 'Activation' });
    if (!isThere) tab.focus();
    request.respond({});
    await settlePage();
    expect(screen.queryByLabelText('Description')).toBeNull();
    expect(document.activeElement).toBe(isThere ? screen.getByRole('button', { name: 'Edit description' }) : tab);
  },
);

test.each([true, false])(
  'a late failure moves the focus only if the user does not type elsewhere (%s)',
  async (isThere) => {
    const { request } = await send({ ...description, path: '/features/strategies/shop.basket' });
    const other = within(screen.getByRole('region', { name: 'Who gets it, and why?' })).getByLabelText('userId');
    if (!isThere) fill(other, 'ada');
    request.respond({ status: 400, body: { message: 'refused' } });
    await settlePage();
    const alert = screen.getByText('refused').closest('[role=alert]');
    expect(document.activeElement).toBe(isThere ? alert : other);
  },
);

test('the unsaved description of a toggle that was archived cannot be sent, and can be discarded', async () => {
  await open(description);
  fill(input('Description'), 'mine');
  server().on('GET api/admin/features', { body: { version: 1, features: [] } });
  server().on('GET api/admin/archive/features', archived);
  act(() => refreshReads([features, archivedFeatures]));
  await settlePage();
  expect(screen.getByText('This toggle was archived while you were editing it.')).toBeDefined();
  await submit('Description');
  expect([input('Description').value, server().count(PUT)]).toEqual(['mine', 0]);
  await click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(screen.queryByLabelText('Description')).toBeNull();
  expect(screen.getByRole('button', { name: 'Revive' })).toBeDefined();
});

test('Escape does not close a dialog whose request runs', async () => {
  const tags = FORMS[2] as FormCase;
  await open(tags);
  server().hold(tags.call);
  fill(input('Value'), 'x');
  await submit('Value');
  fireEvent.keyDown(input('Value'), { key: 'Escape' });
  await settlePage();
  expect(screen.getByRole('dialog', { name: 'Add tag' })).toBeDefined();
  server().respondToAll(tags.call);
  await settlePage();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a tag is removed by its value, whatever characters it contains', async () => {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  server().on('GET api/admin/features/shop.basket/tags', {
    body: { version: 1, tags: [{ type: 'simple', value: 'a/b?c' }] },
  });
  const call = 'DELETE api/admin/features/shop.basket/tags/simple/a%2Fb%3Fc';
  server().on(call, { status: 200 });
  await renderConsole('/features/view/shop.basket');
  await click(screen.getByRole('button', { name: /^Remove tag .*a\/b\?c/ }));
  await click(screen.getByRole('button', { name: 'Remove' }));
  expect(server().count(call)).toBe(1);
});

test('the stickiness of all variants is saved', async () => {
  const variant = (name: string) => ({ name, weight: 500, weightType: 'variable' as const, stickiness: 'default' });
  serveConsole(server(), [createToggle({ name: 'shop.basket', variants: [variant('red'), variant('blue')] })]);
  server().on(PUT, {});
  await renderConsole('/features/variants/shop.basket');
  fireEvent.change(screen.getByLabelText('Stickiness'), { target: { value: 'userId' } });
  await settlePage();
  const saved = server().requests.findLast(({ line }) => line === PUT)?.body;
  expect(saved).toMatchObject({ variants: [{ stickiness: 'userId' }, { stickiness: 'userId' }] });
});
