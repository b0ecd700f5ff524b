// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { confirmEdits, questionPrompt } from '@/api/questions';
import { dialog } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const UNREAD = 'may be managed by files (acme/flags): their toggles could not be read.';

beforeEach(() => {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  const tags = ['acme/flags', 'acme/web'].map((value) => ({ type: 'managed-by', value }));
  server().on('GET api/admin/tags', { body: { version: 1, tags } });
  server().on('GET api/admin/features?tag=managed-by%3Aacme%2Fflags', { status: 500, body: {} });
  const features = ['a', 'b'].map((name) => createToggle({ name }));
  server().on('GET api/admin/features?tag=managed-by%3Aacme%2Fweb', { body: { version: 1, features } });
});

test.each([
  [['a'], 'This toggle is managed by files (acme/web).'],
  [['a', 'b'], 'These toggles are managed by files (acme/web).'],
  [['x'], `This toggle ${UNREAD}`],
  [['x', 'y'], `These toggles ${UNREAD}`],
  [['a', 'x', 'y'], `1 of these toggles is managed by files (acme/web).2 of these toggles ${UNREAD}`],
])('names the files that manage %j or may do so', async (names, text) => {
  await renderConsole('/features');
  const edit = confirmEdits(names);
  await settlePage();
  expect(dialog().getByRole('heading').parentElement?.textContent).toContain(text);
  act(() => questionPrompt.close());
  expect(await edit).toBe(false);
});
