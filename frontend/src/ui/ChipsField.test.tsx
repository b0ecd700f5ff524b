// @vitest-environment happy-dom
import { cleanup, createEvent, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentProps, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { ChipsField } from './ChipsField';

// Typing renders each key, slowly on a busy machine.
vi.setConfig({ testTimeout: 20_000 });
afterEach(cleanup);

const field = () => screen.getByLabelText<HTMLInputElement>('Values');
const filter = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter Values' });

let entries: readonly string[] = [];

type Options = Partial<ComponentProps<typeof ChipsField>>;

function Form({ start, ...options }: Options & { start: readonly string[] }) {
  const [values, setValues] = useState(start);
  entries = values;
  return <ChipsField label="Values" entries={values} suggestions={['one']} {...options} onChange={setValues} />;
}

function renderField(start: readonly string[] = [], options: Options = {}) {
  render(<Form start={start} {...options} />);
  return userEvent.setup();
}

test('a comma, Enter and leaving the field add what was typed', async () => {
  const user = renderField();
  await user.type(field(), 'a,b{Enter}c');
  expect(entries).toEqual(['a', 'b']);
  await user.tab();
  expect(entries).toEqual(['a', 'b', 'c']);
});

test('Backspace in the empty field removes the last value', async () => {
  const user = renderField(['a', 'b']);
  await user.type(field(), '{Backspace}');
  expect(entries).toEqual(['a']);
});

test('holding Backspace removes the typed text, and no value', async () => {
  const user = renderField(['a', 'b']);
  await user.type(field(), 'x{Backspace>9/}');
  expect(field().value).toBe('');
  expect(entries).toEqual(['a', 'b']);
});

const many = Array.from({ length: 60 }, (_, number) => `value-${number}`);

test('Backspace removes no value that is not visible', async () => {
  const user = renderField(many);
  expect(screen.queryByRole('button', { name: 'Remove value-59' })).toBeNull();
  await user.type(field(), '{Backspace}');
  expect(entries).toHaveLength(60);
  await user.click(screen.getByRole('button', { name: /more/ }));
  await user.type(filter(), 'value-1');
  await user.type(field(), '{Backspace}');
  expect(entries).toHaveLength(60);
  await user.clear(filter());
  await user.type(field(), '{Backspace}');
  expect(entries.at(-1)).toBe('value-58');
});

test.each([
  ['at the caret', 2, 2, ['abXcd']],
  ['in place of the selection', 1, 3, ['aXd']],
])('pasted text is inserted %s', async (_, start, end, expected) => {
  const user = renderField();
  await user.type(field(), 'abcd');
  field().setSelectionRange(start, end);
  await user.paste('X');
  expect(entries).toEqual(expected);
});

test('a pasted list adds its values', async () => {
  const user = renderField(['a']);
  await user.click(field());
  await user.paste('b, c\nd');
  expect(entries).toEqual(['a', 'b', 'c', 'd']);
});

test.each([{ isComposing: true }, { keyCode: 229 }])(
  'Enter that confirms a composition adds nothing: %j',
  async (key) => {
    const user = renderField();
    await user.type(field(), 'にほん');
    const enter = createEvent.keyDown(field(), { key: 'Enter', ...key });
    fireEvent(field(), enter);
    expect(enter.defaultPrevented).toBe(false);
    expect([entries, field().value]).toEqual([[], 'にほん']);
    await user.keyboard('{Enter}');
    expect(entries).toEqual(['にほん']);
  },
);

const list = () => screen.queryByRole('listbox', { name: 'Suggestions' });
const offered = () =>
  within(screen.getByRole('listbox'))
    .getAllByRole('option')
    .map((option) => option.textContent);

test('the list offers the suggestions that are not chosen, and typing filters them', async () => {
  const user = renderField(['two'], { suggestions: ['one', 'two', 'three', 'ONE-b'] });
  expect(list()).toBeNull();
  await user.click(field());
  expect(offered()).toEqual(['one', 'three', 'ONE-b']);
  await user.keyboard('one');
  expect(offered()).toEqual(['one', 'ONE-b']);
  await user.click(screen.getByRole('option', { name: 'ONE-b' }));
  expect([entries, field().value]).toEqual([['two', 'ONE-b'], '']);
});

test('arrows highlight a suggestion, which Enter adds; without one, Enter adds what was typed', async () => {
  const user = renderField([], { suggestions: ['one', 'three'] });
  await user.click(field());
  await user.keyboard('o{ArrowDown}{Enter}');
  expect(entries).toEqual(['one']);
  await user.keyboard('thr{Enter}');
  expect(entries).toEqual(['one', 'thr']);
  await user.keyboard('x');
  expect(list()).toBeNull();
});

test('Escape closes only the list, and keeps the values and the typed text', async () => {
  const user = renderField(['a'], { suggestions: ['one'] });
  await user.click(field());
  await user.keyboard('o{Escape}');
  expect([list(), entries, field().value]).toEqual([null, ['a'], 'o']);
  await user.keyboard('{Escape}');
  expect([entries, field().value]).toEqual([['a'], 'o']);
});

test('leaving the field with an open list adds the typed text and closes the list', async () => {
  const user = renderField([], { suggestions: ['one', 'other'] });
  await user.click(field());
  await user.keyboard('o');
  await user.tab();
  expect([list(), entries]).toEqual([null, ['o']]);
});

test('while the list is open, the rest of the page stays available', async () => {
  const user = renderField(['a'], { suggestions: ['one'] });
  await user.click(field());
  expect(list()).not.toBeNull();
  await user.click(screen.getByRole('button', { name: 'Remove a' }));
  expect(entries).toEqual([]);
});

test('a field without suggestions is a text field', () => {
  renderField(['a'], { suggestions: [] });
  expect(screen.getByRole('textbox', { name: 'Values' }).hasAttribute('aria-expanded')).toBe(false);
  expect(screen.queryByRole('button', { name: 'Show suggestions' })).toBeNull();
});

test('arrow keys move to a value, and Delete removes it, whichever values a filter shows', async () => {
  const user = renderField(many);
  await user.click(screen.getByRole('button', { name: /more/ }));
  await user.type(filter(), 'value-1');
  await user.type(field(), '{ArrowLeft}{ArrowLeft}{Delete}');
  expect(many.filter((value) => !entries.includes(value))).toEqual(['value-18']);
  await user.click(screen.getByRole('button', { name: 'Remove value-10' }));
  expect(many.filter((value) => !entries.includes(value))).toEqual(['value-10', 'value-18']);
});

test.each([
  ['mouse', true],
  ['touch', false],
])('removing a value by %s moves the focus to the field: %s', (pointerType, isFocused) => {
  renderField(['a', 'b']);
  fireEvent(
    screen.getByRole('button', { name: 'Remove a' }),
    new PointerEvent('click', { bubbles: true, pointerType }),
  );
  expect(entries).toEqual(['b']);
  expect(document.activeElement === field()).toBe(isFocused);
});

test('a read-only field changes nothing', async () => {
  const user = renderField(['a'], { isReadOnly: true });
  await user.type(field(), '{Backspace}b{Enter}');
  await user.paste('c');
  await user.tab();
  expect(entries).toEqual(['a']);
  expect(screen.queryByRole('button')).toBeNull();
});
