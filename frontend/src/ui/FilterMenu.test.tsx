// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { isOverlayOpen } from '@/lib/overlays';
import { ChipItem, FilterMenu, ItemRow, matchesFilter } from './FilterMenu';

// Typing renders each key, slowly on a busy machine.
vi.setConfig({ testTimeout: 20_000 });
afterEach(cleanup);

const REGIONS = ['eu', 'us', 'asia'];

function renderMenu({ disabledReason }: { disabledReason?: string } = {}) {
  const choose = vi.fn();
  render(
    <FilterMenu label="Add" nouns={['region', 'regions']} isGrid disabledReason={disabledReason}>
      {(filter) => {
        const names = REGIONS.filter((name) => matchesFilter(filter, name));
        const items = names.map((name) => (
          <ItemRow key={name}>
            <ChipItem label={name} onChoose={() => choose(name, document.activeElement?.textContent)}>
              {name}
            </ChipItem>
          </ItemRow>
        ));
        return { names, items };
      }}
    </FilterMenu>,
  );
  return { user: userEvent.setup(), choose };
}

/** Opens the menu. What is typed before the filter has the focus would be lost. */
async function openMenu() {
  const menu = renderMenu();
  await menu.user.click(button());
  await vi.waitFor(() => expect(document.activeElement).toBe(filter()));
  return menu;
}

const button = () => screen.getByRole('button', { name: 'Add' });
const filter = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Filter regions' });
const items = () => screen.getAllByRole('gridcell').map((item) => item.textContent);
const highlighted = () => document.getElementById(filter().getAttribute('aria-activedescendant') ?? '')?.textContent;

test('opens with the focus in the filter, and with the first item highlighted', async () => {
  const { user } = renderMenu();
  await user.click(button());
  expect(screen.getByRole('dialog', { name: 'Add' })).toBeDefined();
  expect(isOverlayOpen('dialog')).toBe(true);
  await vi.waitFor(() => expect(document.activeElement).toBe(filter()));
  expect(highlighted()).toBe('eu');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(highlighted()).toBe('asia');
  // The ends are connected.
  await user.keyboard('{ArrowDown}');
  expect(highlighted()).toBe('eu');
  await user.keyboard('{ArrowUp}');
  expect(highlighted()).toBe('asia');
});

test('typing filters, and Enter chooses the first match with the focus on the button again', async () => {
  const { user, choose } = await openMenu();
  await user.keyboard('s');
  expect(items()).toEqual(['us', 'asia']);
  expect(screen.getByRole('status').textContent).toBe('2 regions');
  await user.keyboard('{Enter}');
  expect(choose.mock.calls).toEqual([['us', 'Add']]);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(isOverlayOpen()).toBe(false);
  expect(document.activeElement).toBe(button());
  // The next opening shows all.
  await user.click(button());
  expect([filter().value, items()]).toEqual(['', REGIONS]);
});

test.each([
  ['Enter', {}, 1],
  ['Enter', { isComposing: true }, 0],
  ['Enter', { keyCode: 229 }, 0],
])('%s in the filter with %j chooses %d items', async (key, more, count) => {
  const { user, choose } = renderMenu();
  await user.click(button());
  fireEvent.keyDown(filter(), { key, ...more });
  expect(choose).toHaveBeenCalledTimes(count);
});

test('says that nothing matches, and Enter chooses nothing then', async () => {
  const { user, choose } = await openMenu();
  await user.keyboard('xyz');
  expect(screen.getByRole('status').textContent).toBe('No region contains “xyz”.');
  await user.keyboard('{Enter}');
  expect(choose).not.toHaveBeenCalled();
});

test('Escape closes the menu and returns the focus', async () => {
  const { user, choose } = await openMenu();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(button());
  expect(choose).not.toHaveBeenCalled();
});

test('a disabled button opens nothing', async () => {
  const { user } = renderMenu({ disabledReason: 'Not yet.' });
  await user.click(button());
  await user.keyboard('{Enter}{ArrowDown}');
  expect(screen.queryByRole('dialog')).toBeNull();
});
