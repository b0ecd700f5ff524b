import { expect, test } from 'vitest';
import { formatContexts } from './ContextList';
import { parsePopulation } from './parsePopulation';

test('formats one field as a list', () => {
  expect(formatContexts(['userId'], [{ userId: '7' }, { userId: 'a,b' }])).toBe('7\na,b');
});

test('formats several fields as a CSV that can be read again', async () => {
  const contexts = [{ userId: '7', plan: 'a,b' }, { userId: 'Ada "the first"' }, { plan: 'two\nlines' }];
  const text = formatContexts(['userId', 'plan'], contexts);
  expect(text).toBe('userId,plan\n7,"a,b"\n"Ada ""the first""",\n,"two\nlines"');
  expect(await parsePopulation({ format: 'csv', field: '', text })).toMatchObject({
    fields: ['userId', 'plan'],
    contexts,
  });
});
