// @vitest-environment happy-dom
// The secret of a new API token, which is shown once.
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { click, fill, main } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
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

beforeEach(async () => {
  serveConsole(server());
  server().on('GET api/admin/api-tokens', { body: { tokens: [] } });
  server().on('POST api/admin/api-tokens', { status: 201, body: { name: 'shop', secret: SECRET } });
  await renderConsole('/tokens/create');
  fill(main().getByLabelText('Name'), 'shop');
  await click(main().getByRole('button', { name: 'Create' }));
  await settlePage();
  expect(secretField().value).toBe(SECRET);
});

test('a link asks before the secret is lost', async () => {
  await leave();
  expect(question()).not.toBeNull();
  await click(screen.getByRole('button', { name: 'Stay' }));
  expect(secretField().value).toBe(SECRET);
});

test.each([
  [true, false],
  [false, true],
])('the page can be left without a question after the copy succeeded (%s)', async (isCopied, asks) => {
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
  secretField().setSelectionRange(0, length);
  fireEvent.copy(secretField());
  await leave();
  expect(question() !== null).toBe(asks);
});
