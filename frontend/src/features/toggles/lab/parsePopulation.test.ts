import { expect, test } from 'vitest';
import { looksLikeCsv, parsePopulation } from './parsePopulation';

const csv = (text: string) => parsePopulation({ format: 'csv', field: 'userId', text });
const list = (text: string, field = 'userId') => parsePopulation({ format: 'list', field, text });

test('reads a list: one value per line, without spaces around it and empty lines', async () => {
  expect(await list('\uFEFF7 \r\n\n  8\r9', 'sessionId')).toMatchObject({
    fields: ['sessionId'],
    contexts: [{ sessionId: '7' }, { sessionId: '8' }, { sessionId: '9' }],
  });
});

test('reads a CSV with a header row, and leaves out empty values', async () => {
  expect(await csv('\uFEFFuserId, region\n7,eu\n8,\n')).toMatchObject({
    fields: ['userId', 'region'],
    contexts: [{ userId: '7', region: 'eu' }, { userId: '8' }],
  });
});

test('detects semicolons and tabs as separators', async () => {
  const expected = { fields: ['userId', 'plan'], contexts: [{ userId: '7', plan: 'a,b' }] };
  expect(await csv('userId;plan\n7;a,b')).toMatchObject(expected);
  expect(await csv('userId\tplan\n7\ta,b')).toMatchObject(expected);
});

test.each([
  ['', 'There is no header row with the names of the context fields.'],
  ['userId\n', 'There are no contexts.'],
  ['userId,\n7,eu', 'Line 1: column 2 has no name.'],
  ['userId,userId\n7,8', 'Line 1: there are two columns userId.'],
  ['userId,region\n7', 'Line 2: the row has 1 value, but the header has 2.'],
  ['userId\n"7\n', 'Line 2: the quotation mark is not closed.'],
  [`userId\n${'7'.repeat(1001)}`, 'Line 2: the value of userId is longer than 1000 bytes.'],
  [`userId\n${'é'.repeat(501)}`, 'Line 2: the value of userId is longer than 1000 bytes.'],
])('rejects a CSV with the line and the cause: %.40j', async (text, message) => {
  await expect(csv(text)).rejects.toThrow(message);
});

test('lists the first five problems', async () => {
  await expect(csv(`a,b\n${'1\n'.repeat(9)}`)).rejects.toHaveProperty(
    'message',
    [2, 3, 4, 5, 6].map((line) => `Line ${line}: the row has 1 value, but the header has 2.`).join('\n'),
  );
});

test('returns the contexts as JSON too', async () => {
  const { contexts, json } = await csv('userId,plan\n7,"a""b"\n8,\n');
  expect(JSON.parse(`[${await json.text()}]`)).toEqual(contexts);
});

test('accepts 10,000 contexts and values of 1,000 bytes, and no more', async () => {
  const value = 'é'.repeat(500);
  expect((await list(`${value}\n${'7\n'.repeat(9_999)}`)).contexts).toHaveLength(10_000);
  await expect(list('7\n'.repeat(10_001))).rejects.toThrow('Line 10001: there are more than 10,000 contexts.');
});

test.each<[string, boolean]>([
  ['userId,region\n4711,eu\n4712,us', true],
  ['userId;region\r\n4711;eu\r\n', true],
  ['userId\tplan\n4711\tpro', true],
  ['ada\nbob', false],
  ['ada,bob', false],
  ['4711,eu\n4712,us', false],
  ['userId,region\n4711', false],
  ['', false],
])('%j looks like a CSV: %s', (given, expected) => {
  expect(looksLikeCsv(given)).toBe(expected);
});
