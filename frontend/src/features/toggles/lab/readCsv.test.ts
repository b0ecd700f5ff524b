import { expect, test } from 'vitest';
import { readCsv } from './readCsv';

const read = (text: string, separator = ',') => [...readCsv(text, separator)];

test('reads rows with the lines on which they start', () => {
  expect(read('userId,region\r\n7,eu\n\n8,')).toEqual([
    { line: 1, values: ['userId', 'region'] },
    { line: 2, values: ['7', 'eu'] },
    { line: 4, values: ['8', ''] },
  ]);
});

test('reads quoted values with separators, line breaks and quotation marks', () => {
  expect(read('"a,b","c\nd","e ""f"""\n7,8,""\n')).toEqual([
    { line: 1, values: ['a,b', 'c\nd', 'e "f"'] },
    { line: 3, values: ['7', '8', ''] },
  ]);
});

test('uses the given separator, and a single line break or none at the end', () => {
  const rows = [
    { line: 1, values: ['a', 'b,c'] },
    { line: 2, values: ['', ''] },
  ];
  expect(read('a;b,c\r;', ';')).toEqual(rows);
  expect(read('a\tb,c\r\t\r', '\t')).toEqual(rows);
  expect(read('')).toEqual([]);
});

test.each([
  ['a,b\n"c,d', 'Line 2: the quotation mark is not closed.'],
  ['a\n"b\nc"d', 'Line 2: text follows a closing quotation mark.'],
  ['a\nb"c"', 'Line 2: a value with a quotation mark must be enclosed in quotation marks.'],
])('names the line and the cause of an error: %j', (text, message) => {
  expect(() => read(text)).toThrow(message);
});
