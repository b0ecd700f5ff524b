import { expect, test } from 'vitest';
import { fuzzyScore, splitWords } from './fuzzy';

const score = (query: string, text: string) => fuzzyScore(splitWords(query), text.toLowerCase());

test.each([
  ['basket', 'shop.basket'],
  ['BASKET shop', 'shop.basket'],
  ['shbas', 'shop.basket'],
  ['gc', 'gift-cards'],
  ['', 'anything'],
])('%j finds %j', (query, text) => {
  expect(score(query, text)).not.toBe(0);
});

test.each([
  ['basket x', 'shop.basket'],
  ['teksab', 'shop.basket'],
  ['abcd', 'a-x-b-x-c-x-d'],
  ['a', ''],
])('%j does not find %j', (query, text) => {
  expect(score(query, text)).toBe(0);
});

test.each([
  ['the whole', 'shop', 'shop.basket', 'shop'],
  ['its beginning', 'shop', 'my.shop', 'shop.basket'],
  ['the beginning of a word', 'bas', 'subbase', 'shop.basket'],
  ['a part', 'ask', 'a-s-k', 'basket'],
  ['the shorter', 'shop', 'shop.basket.large', 'shop.basket'],
])('ranks %s higher', (_, query, worse, better) => {
  expect(score(query, better)).toBeGreaterThan(score(query, worse));
});
