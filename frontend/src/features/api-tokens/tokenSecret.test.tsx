// @vitest-environment happy-dom
// The secret of a new API token, which is shown once.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { clearUserData } from '@/api/useRead';
import { newSecrets } from '@/domain/apiTokens/newSecrets';
import { click, fill, main, snackbarText } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { serveConsole } from '@/testing/flagService';
import { asksBeforeClose, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const SECRET = 'default:production.0123456789';
const secretField = () => main().getByLabelText<HTMLInputElement>('Token');
const leave = () =>
  click(
    within(screen.getByRole('navigation', { name: 'Main', hidden: true })).getByRole('link', {
      name: /^Archive/,
      hidden: true,
    }),
  );
const question = () => screen.queryByRole('dialog', { name: 'Unsaved changes' });

const LIST = 'GET api/admin/api-tokens';
const POST = 'POST api/admin/api-tokens';

beforeEach(async () => {
  serveConsole(server());
  server().on(LIST, { body: { tokens: [] } });
  server().on(POST, { status: 201, body: { name: 'shop', secret: SECRET } });
  await renderConsole('/tokens/create');
  fill(main().getByLabelText('Name'), 'shop');
});

async function create() {
  await click(main().getByRole('button', { name: 'Create' }));
  await settlePage();
  expect(secretField().value).toBe(SECRET);
}

/** Leaves the form while the token is created. Returns the request, which waits for its response. */
async function leaveDuringCreation() {
  server().hold(POST);
  await click(main().getByRole('button', { name: 'Create' }));
  const request = await server().take(POST);
  await leave();
  await click(screen.getByRole('button', { name: 'Discard' }));
  return request;
}

test('a link asks before the secret is lost', async () => {
  await create();
  await leave();
  expect(question()).not.toBeNull();
  await click(screen.getByRole('button', { name: 'Stay' }));
  expect(secretField().value).toBe(SECRET);
});

test.each([
  [true, false],
  [false, true],
])('the page can be left without a question after the copy succeeded (%s)', async (isCopied, asks) => {
  await create();
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(() =>
    isCopied ? Promise.resolve() : Promise.reject(),
  );
  document.execCommand = () => false;
  await click(main().getByRole('button', { name: 'Copy token' }));
  await settlePage();
  await leave();
  expect(question() !== null).toBe(asks);
});

test.each([
  [SECRET.length, false],
  [4, true],
])('a copy of %d characters of the field is a copy of the secret only if it is complete', async (length, asks) => {
  await create();
  secretField().setSelectionRange(0, length);
  fireEvent.copy(secretField());
  await leave();
  expect(question() !== null).toBe(asks);
});

test('a token whose form was left while it was created is shown in the list of tokens, until it is copied', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const request = await leaveDuringCreation();
  request.respond({ status: 201, body: { name: 'shop', secret: SECRET } });
  await settlePage();
  expect(location.pathname).toBe('/archive');
  expect(snackbarText()).toContain('Copy the secret of shop under API tokens');
  act(() => history.pushState(null, '', '/tokens'));
  act(() => void dispatchEvent(new PopStateEvent('popstate')));
  await settlePage();
  expect(main().getByLabelText('Token of shop')).toHaveProperty('value', SECRET);
  await leave();
  await click(screen.getByRole('button', { name: 'Stay' }));
  await click(main().getByRole('button', { name: 'Copy token' }));
  expect(main().queryByLabelText('Token of shop')).toBeNull();
  await leave();
  expect(question()).toBeNull();
});

test('closing the window asks until a token is copied that was created after its form was left', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const request = await leaveDuringCreation();
  expect([location.pathname, asksBeforeClose()]).toEqual(['/archive', true]);
  request.respond({ status: 201, body: { name: 'shop', secret: SECRET } });
  await settlePage();
  expect(asksBeforeClose()).toBe(true);
  act(() => history.pushState(null, '', '/tokens'));
  act(() => void dispatchEvent(new PopStateEvent('popstate')));
  await settlePage();
  await click(main().getByRole('button', { name: 'Copy token' }));
  expect(asksBeforeClose()).toBe(false);
});

test('closing the window does not ask after the token could not be created', async () => {
  server().on(POST, { status: 400, body: { message: 'no' } });
  await click(main().getByRole('button', { name: 'Create' }));
  await settlePage();
  await leave();
  await click(screen.getByRole('button', { name: 'Discard' }));
  expect(asksBeforeClose()).toBe(false);
});

test('the next user does not get a secret', async () => {
  await create();
  act(() => clearUserData({ rereads: false }));
  expect(newSecrets.get()).toEqual([]);
});
