import { expect, test } from 'vitest';
import { type TextPart, wordDiff } from './wordDiff';

const SIGNS = { same: '', removed: '-', added: '+' };
const marked = (parts: readonly TextPart[]) =>
  parts.map(({ kind, text }) => (kind === 'same' ? text : `[${SIGNS[kind]}${text}]`)).join('');

test.each([
  ['equal', 'equal', 'equal'],
  ['', 'new text', '[+new text]'],
  ['old text', '', '[-old text]'],
  ['Half of our customers see it.', 'All of our customers see it.', '[-Half][+All] of our customers see it.'],
  ['The old green button', 'The new blue button', 'The [-old green][+new blue] button'],
  ['one two three', 'one three', 'one [-two ]three'],
  ['{"size":1}', '{"size":2}', '{"size":[-1][+2]}'],
  ['1042,1187', '1042,20933,1187', '1042,[+20933,]1187'],
  ['Größe ändern', 'Größe behalten', 'Größe [-ändern][+behalten]'],
  ['Показать всем клиентам', 'Показать новым клиентам', 'Показать [-всем][+новым] клиентам'],
  ['one\n\ntwo', 'one\ntwo', 'one[-\n\n][+\n]two'],
  ['', '', ''],
])('compares “%s” and “%s”', (before, after, expected) => {
  expect(marked(wordDiff(before, after))).toBe(expected);
});

test('compares texts of 500 different words in full', () => {
  const words = (prefix: string) => Array.from({ length: 250 }, (_, at) => `${prefix}${at}`).join(' ');
  const parts = wordDiff(`${words('a')} kept ${words('b')}`, `${words('c')} kept ${words('d')}`);
  expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added', 'same', 'removed', 'added']);
});

test('replaces large texts that differ everywhere, in bounded time', () => {
  const words = (prefix: string) => Array.from({ length: 20_000 }, (_, at) => `${prefix}${at}`).join(' ');
  expect(wordDiff(words('a'), words('b')).map(({ kind }) => kind)).toEqual(['removed', 'added']);
});

test('finds a change in a large text, and shortens the unchanged passages', () => {
  const text = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(' ');
  const parts = wordDiff(text, text.replace('word10000 ', 'other '));
  expect(parts.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same']);
  expect(parts.every((part) => part.text.length < 300)).toBe(true);
});
