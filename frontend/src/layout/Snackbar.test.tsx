// @vitest-environment happy-dom
// The offer to undo an action. The focus of its keys, and the service: e2e/undo.spec.ts.
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { click, snackbarText, switchOf } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, serveConsole } from '@/testing/flagService';
import { advance, cleanPageAfterEach } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const SWITCH = 'POST api/admin/features/shop.basket/toggle';
const snackbar = () => screen.getByTestId('snackbar');
const undo = () => within(snackbar()).getByRole('button', { name: 'Undo' });

beforeEach(async () => {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  server().on(`${SWITCH}/off`, { body: createToggle({ name: 'shop.basket', enabled: false }) });
  server().on(`${SWITCH}/on`, { body: createToggle({ name: 'shop.basket' }) });
  await renderConsole('/features');
  await click(switchOf('shop.basket'));
  const off = createToggle({ name: 'shop.basket', enabled: false });
  server().on('GET api/admin/features', { body: { version: 1, features: [off] } });
  expect(snackbarText()).toContain('shop.basket switched off.');
});

test('the offer to undo lasts ten seconds, and longer while the pointer is on it', async () => {
  await advance(9_900);
  expect(undo()).toBeDefined();
  fireEvent.pointerEnter(snackbar());
  await advance(30_000);
  expect(undo()).toBeDefined();
  fireEvent.pointerLeave(snackbar());
  await advance(10_100);
  expect(screen.queryByTestId('snackbar')).toBeNull();
});

test('a failed undo shows the reason, and its offer stays', async () => {
  const message = 'The freeze has begun';
  server().on(`${SWITCH}/on`, { status: 403, body: { message } });
  await click(undo());
  expect(snackbarText()).toContain(message);
  expect(switchOf('shop.basket').checked).toBe(false);
  await click(within(snackbar()).getByRole('button', { name: 'Dismiss' }));
  server().on(`${SWITCH}/on`, { body: createToggle({ name: 'shop.basket' }) });
  await click(undo());
  expect(switchOf('shop.basket').checked).toBe(true);
  await advance(3_000);
  expect(screen.queryByTestId('snackbar')).toBeNull();
});

test('Ctrl+Z in a field undoes the action, and what was typed after it', async () => {
  const search = screen.getByRole('searchbox');
  search.focus();
  fireEvent.input(search, { target: { value: 'a' } });
  const isHandled = () => !fireEvent.keyDown(search, { key: 'z', ctrlKey: true });
  // The browser's undo.
  expect(isHandled()).toBe(false);
  fireEvent.input(search, { target: { value: '' } });
  await click(switchOf('shop.basket'));
  await advance(300);
  await click(switchOf('shop.basket'));
  expect(snackbarText()).toContain('shop.basket switched off.');
  search.focus();
  expect(isHandled()).toBe(true);
  await advance(300);
  expect(switchOf('shop.basket').checked).toBe(true);
});
