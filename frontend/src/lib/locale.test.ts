import { expect, test } from 'vitest';
import { localeChoices } from './locale';

test.each([
  ['en-GB', 10],
  ['fi-FI', 11],
])('the languages include that of the browser: %s [S2-112]', (language, count) => {
  const choices = localeChoices(language);
  expect(choices).toHaveLength(count);
  expect(choices.filter(({ code }) => code === language)).toHaveLength(1);
});

test('a language that is not listed has a name', () => {
  expect(JSON.stringify(localeChoices('fi-FI'))).toMatch(/suomi|finnish/iu);
});
