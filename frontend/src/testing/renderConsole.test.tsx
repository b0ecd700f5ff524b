// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { installFakeServer } from './fakeServer';
import { createToggle, serveConsole } from './flagService';
import { advance, cleanPageAfterEach } from './page';
import { renderConsole } from './renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

test('renders the list of toggles', async () => {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  await renderConsole('/features');
  expect(screen.getByRole('link', { name: 'shop.basket' })).toBeDefined();
  await advance(1000);
  server().assertAllExpected();
});

test('renders the page of a toggle', async () => {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  await renderConsole('/features/strategies/shop.basket');
  await advance(1000);
  expect(screen.getByRole('heading', { name: 'shop.basket' })).toBeDefined();
  server().assertAllExpected();
});
