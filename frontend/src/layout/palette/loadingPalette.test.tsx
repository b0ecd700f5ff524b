// @vitest-environment happy-dom
// Keys that are typed before the code of the palette is loaded.
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const code = vi.hoisted(() => {
  let load = (): void => undefined;
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  return { loaded, load: () => load() };
});

vi.mock('@/layout/palette/Palette', async (importOriginal) => {
  await code.loaded;
  return importOriginal();
});

const OFF = 'POST api/admin/features/shop.basket/toggle/off';

/** Presses a key where the focus is, as a browser does. */
function press(key: string, options: object = {}) {
  const target = document.activeElement ?? document.body;
  const isHandled = !fireEvent.keyDown(target, { key, ...options });
  if (!isHandled && key.length === 1 && target instanceof HTMLInputElement)
    fireEvent.change(target, { target: { value: target.value + key } });
}

test('a command can be typed before the palette is loaded, and Escape cancels it', async () => {
  serveConsole(server(), [createToggle({ name: 'shop.basket', enabled: true })]);
  server().on(OFF, { body: createToggle({ name: 'shop.basket', enabled: false }) });
  await renderConsole('/features');
  const search = screen.getByRole('searchbox');
  search.focus();

  act(() => press('k', { ctrlKey: true }));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Search or run a command' }));
  for (const key of 'gh/?') press(key);
  press('Tab');
  press('Escape');
  await settlePage();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(search);

  act(() => press('k', { ctrlKey: true }));
  for (const key of 'disable shop.basket') press(key);
  press('Enter');
  expect(server().count(OFF)).toBe(0);
  await act(async () => code.load());
  await vi.waitFor(async () => {
    await settlePage();
    expect(server().count(OFF)).toBe(1);
  });
  expect(screen.queryByRole('dialog', { name: 'Command palette' })).toBeNull();
  expect(search).toHaveProperty('value', '');
});
