// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startChord } from '@/lib/keyboard';
import { IconDefaults } from './icons';
import { Table } from './Table';

const HEIGHT = 50;

beforeEach(() => {
  vi.stubGlobal('innerHeight', 500);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: HTMLElement) {
    const top = this.matches('tbody') ? 100 - scrollY : 0;
    return DOMRect.fromRect({ y: top, height: HEIGHT });
  });
});

afterEach(() => {
  cleanup();
  window.scrollTo(0, 0);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const names = (length: number) => Array.from({ length }, (_, index) => `row-${index}`);
const shown = () => screen.getAllByRole('row').flatMap((row) => row.dataset['key'] ?? []);

function renderTable(rows: readonly string[]) {
  const table = (some: readonly string[]) => (
    <IconDefaults>
      <main>
        <h1 tabIndex={-1}>Rows</h1>
        <Table
          label="Rows"
          columns={[{ header: 'Name', cell: (name: string) => name }]}
          rows={some}
          rowKey={keyOf}
          phoneColumns="1fr"
          rowHeight={{ wide: HEIGHT, narrow: HEIGHT }}
        >
          {cells}
        </Table>
      </main>
    </IconDefaults>
  );
  const { rerender } = render(table(rows));
  return { update: (some: readonly string[]) => rerender(table(some)) };
}

const keyOf = (name: string) => name;
const cells = (name: string) => (
  <td>
    <button type="button">{name}</button>
  </td>
);

function scroll(y: number) {
  act(() => {
    window.scrollTo(0, y);
    fireEvent.scroll(window);
  });
}

test('renders the visible rows of 10,000, with the position of each', () => {
  renderTable(names(10_000));
  expect(shown().length).toBeLessThan(20);
  expect(shown()[0]).toBe('row-0');
  const table = screen.getByRole('table', { name: 'Rows' });
  expect(table.getAttribute('aria-rowcount')).toBe('10001');
  expect(table.querySelector('tbody')?.style.height).toBe(`${10_000 * HEIGHT}px`);
  scroll(5_000 * HEIGHT);
  expect(shown()).toContain('row-5000');
  expect(shown()).not.toContain('row-0');
  const row = screen.getByText('row-5000').closest('tr');
  expect(row?.getAttribute('aria-rowindex')).toBe('5002');
  expect(row?.style.transform).toBe(`translateY(${5_000 * HEIGHT}px)`);
});

test('the focused row stays rendered and focused while it is scrolled out of view', () => {
  renderTable(names(1_000));
  const button = screen.getByRole('button', { name: 'row-2' });
  act(() => button.focus());
  scroll(500 * HEIGHT);
  expect(shown()[0]).toBe('row-2');
  expect(document.activeElement).toBe(button);
  act(() => button.blur());
  expect(shown()).not.toContain('row-2');
});

test('the focus moves to the heading when another user removes the focused row', async () => {
  const { update } = renderTable(names(10));
  act(() => screen.getByRole('button', { name: 'row-2' }).focus());
  update(names(2));
  await act(async () => undefined);
  expect(document.activeElement).toBe(screen.getByRole('heading'));
});

test('fewer rows than before leave no gap', () => {
  const { update } = renderTable(names(1_000));
  scroll(500 * HEIGHT);
  update(names(3));
  scroll(0);
  expect(shown()).toEqual(names(3));
});

test('j and k move the cursor, which stays on its item when the rows are sorted or filtered', async () => {
  const { update } = renderTable(names(1_000));
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  const cursor = () => document.activeElement?.textContent;
  press('j');
  press('j');
  expect(cursor()).toBe('row-1');
  // The next row is not rendered.
  scroll(500 * HEIGHT);
  press('j');
  expect(cursor()).toBe('row-2');
  const sorted = names(1_000).reverse();
  update(sorted);
  expect(cursor()).toBe('row-2');
  press('j');
  expect(cursor()).toBe('row-1');
  act(() => (document.activeElement as HTMLElement).blur());
  press('k');
  expect(cursor()).toBe('row-1');
  // The item of the cursor is filtered out: the row that took its place is next.
  update(sorted.filter((name) => name !== 'row-1'));
  await act(async () => undefined);
  press('j');
  expect(cursor()).toBe('row-0');
  update([]);
  await act(async () => undefined);
  press('j');
  expect(document.activeElement).toBe(screen.getByRole('heading'));
});

test('the keys belong to the page: not to fields, and not after the first key of a shortcut', () => {
  renderTable(names(3));
  const key = (name: string) => new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true });
  const go = key('g');
  startChord(go);
  act(() => void document.body.dispatchEvent(key('k')));
  expect(document.activeElement).toBe(document.body);
  act(() => void document.body.dispatchEvent(key('j')));
  expect(document.activeElement?.textContent).toBe('row-0');
});
