// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isOverlayOpen } from '@/lib/overlays';
import { installPopovers } from '@/testing/popovers';
import { IconDefaults } from './icons';
import { Menu } from './Menu';

beforeEach(installPopovers);
afterEach(cleanup);

function renderMenu(props: Partial<Parameters<typeof Menu>[0]> = {}) {
  const chosen = vi.fn();
  const item = (label: string) => ({ id: label, label, onSelect: () => chosen(label, document.activeElement) });
  const items = [item('Copy'), item('Clone'), { separator: true } as const, item('Archive')];
  const menu = (more: typeof props = {}) => (
    <IconDefaults>
      <Menu label="Actions" trigger={{ text: 'Actions' }} items={items} {...props} {...more} />
    </IconDefaults>
  );
  const { rerender } = render(menu());
  return { chosen, update: (more: typeof props) => rerender(menu(more)) };
}

const trigger = () => screen.getByRole('button', { name: 'Actions' });
const focusedText = () => document.activeElement?.textContent;

const rendered = () => act(async () => undefined);

async function open() {
  trigger().focus();
  fireEvent.click(trigger());
  await rendered();
}

async function press(...keys: string[]) {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
  await rendered();
}

test('opens with the first item selected, and its button says so', async () => {
  renderMenu();
  expect(trigger().getAttribute('aria-haspopup')).toBe('menu');
  expect(trigger().getAttribute('aria-expanded')).toBe('false');
  await open();
  expect(trigger().getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByRole('menu', { name: 'Actions' })).toBeDefined();
  expect(isOverlayOpen('menu')).toBe(true);
  expect(focusedText()).toBe('Copy');
});

test('opens with the down arrow', async () => {
  renderMenu();
  trigger().focus();
  await press('ArrowDown');
  expect(focusedText()).toBe('Copy');
});

test('arrows, Home and End move the focus, and wrap around', async () => {
  renderMenu();
  await open();
  await press('ArrowDown');
  expect(focusedText()).toBe('Clone');
  await press('End');
  expect(focusedText()).toBe('Archive');
  await press('ArrowDown');
  expect(focusedText()).toBe('Copy');
  await press('ArrowUp');
  expect(focusedText()).toBe('Archive');
  await press('Home');
  expect(focusedText()).toBe('Copy');
});

test('letters move the focus to the item that starts with them', async () => {
  renderMenu();
  await open();
  await press('c', 'l');
  expect(focusedText()).toBe('Clone');
});

test('a chosen item closes the menu before its action runs', async () => {
  const { chosen } = renderMenu();
  await open();
  chosen.mockImplementation(() => expect(screen.getByRole('menu').matches(':popover-open')).toBe(false));
  fireEvent.click(screen.getByRole('menuitem', { name: 'Clone' }));
  expect(chosen).toHaveBeenCalledOnce();
});

test('a disabled item explains its reason, can be reached, and does nothing', async () => {
  const chosen = vi.fn();
  renderMenu({ items: [{ id: 'a', label: 'Archive', disabledReason: 'You need a permission.', onSelect: chosen }] });
  await open();
  await press('ArrowDown');
  const item = screen.getByRole('menuitem');
  expect(item.textContent).toContain('You need a permission.');
  expect(item.getAttribute('aria-disabled')).toBe('true');
  expect(document.activeElement).toBe(item);
  fireEvent.click(item);
  await press('Enter');
  expect(chosen).not.toHaveBeenCalled();
});

test('radio items tell which one is chosen', async () => {
  const item = (id: string, checked: boolean) => ({ id, label: id, checked, onSelect: () => undefined });
  renderMenu({ items: [item('Light', false), item('Dark', true)] });
  await open();
  const states = screen.getAllByRole('menuitemradio').map((radio) => radio.getAttribute('aria-checked'));
  expect(states).toEqual(['false', 'true']);
});

test('does not open while it is disabled or busy', async () => {
  const { update } = renderMenu({ disabledReason: 'Not now.' });
  await open();
  expect(screen.queryByRole('menuitem')).toBeNull();
  update({ disabledReason: undefined, busy: true });
  await open();
  expect(screen.queryByRole('menuitem')).toBeNull();
});

test('a submenu opens below its entry, by click and by arrow keys', async () => {
  const chosen = vi.fn();
  const formats = ['JSON', 'YAML'].map((label) => ({ id: label, label, onSelect: () => chosen(label) }));
  const clone = { id: 'clone', label: 'Clone', onSelect: chosen };
  renderMenu({ items: [{ id: 'copy', label: 'Copy as…', items: formats }, clone] });
  await open();
  const copy = screen.getByRole('menuitem', { name: 'Copy as…' });
  expect(copy.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(copy);
  expect(copy.getAttribute('aria-expanded')).toBe('true');
  await press('ArrowDown', 'ArrowDown');
  expect(focusedText()).toBe('YAML');
  await press('ArrowLeft');
  expect(focusedText()).toBe('Copy as…');
  expect(screen.queryByRole('menuitem', { name: 'YAML' })).toBeNull();
  await press('ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown');
  expect(focusedText()).toBe('Clone');
  fireEvent.click(screen.getByRole('menuitem', { name: 'JSON' }));
  expect(chosen).toHaveBeenCalledWith('JSON');
  await rendered();
  expect(trigger().getAttribute('aria-expanded')).toBe('false');
});
