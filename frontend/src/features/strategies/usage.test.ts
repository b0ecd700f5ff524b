import { expect, test } from 'vitest';
import type { SeenApp, Toggle } from '@/api/generated/types';
import { applicationsWithout, implementsStrategy, togglesUsingStrategy } from './usage';

const toggle = (name: string, ...strategies: string[]) =>
  ({ name, strategies: strategies.map((strategy) => ({ name: strategy })) }) as Toggle;
const app = (appName: string, ...strategies: string[]) => ({ appName, strategies }) as SeenApp;

const basket = toggle('basket', 'default', 'byRegion');
const search = toggle('search', 'byRegion', 'byRegion');
const plain = toggle('plain', 'default');
const none = toggle('none');

test('counts a toggle once, even if it has the strategy twice', () => {
  expect(togglesUsingStrategy('byRegion', [basket, search, plain, none])).toEqual([basket, search]);
});

test('an application without strategies implements none', () => {
  expect(implementsStrategy('default', app('shop', 'default'))).toBe(true);
  expect(implementsStrategy('default', { strategies: [] })).toBe(false);
  expect(implementsStrategy('default', { strategies: null })).toBe(false);
});

test('lists applications without the strategy, first those that request a toggle with it', () => {
  const apps = [app('idle', 'default'), app('mobile', 'default'), app('shop', 'byRegion')];
  const seen = { basket: [app('mobile'), app('shop')], plain: [app('idle')], gone: [app('idle')] };
  expect(applicationsWithout('byRegion', apps, [basket, search], seen)).toEqual([
    { appName: 'mobile', requestedToggles: ['basket'] },
    { appName: 'idle', requestedToggles: [] },
  ]);
});

test('a toggle named like an inherited property has no requests', () => {
  expect(applicationsWithout('x', [app('shop')], [toggle('constructor', 'x')], {})).toEqual([
    { appName: 'shop', requestedToggles: [] },
  ]);
});
