import { expect, test } from 'vitest';
import type { SeenApp, Toggle } from '@/api/generated/types';
import { countUses, implementsIt, lackingIt, togglesUsing } from './usage';

const toggle = (name: string, ...strategies: string[]) =>
  ({ name, strategies: strategies.map((strategy) => ({ name: strategy })) }) as Toggle;
const app = (appName: string, ...strategies: string[]) => ({ appName, strategies }) as SeenApp;

const basket = toggle('basket', 'default', 'byRegion');
const search = toggle('search', 'byRegion', 'byRegion');
const plain = toggle('plain', 'default');
const none = toggle('none');

test('toggles use a strategy that is among theirs, also twice', () => {
  expect(togglesUsing('byRegion', [basket, search, plain, none])).toEqual([basket, search]);
  expect(Object.fromEntries(countUses([basket, search, plain, none]))).toEqual({ default: 2, byRegion: 2 });
});

test('an application without any strategies implements none', () => {
  expect(implementsIt('default', app('shop', 'default'))).toBe(true);
  expect(implementsIt('default', { strategies: [] })).toBe(false);
  expect(implementsIt('default', { strategies: null })).toBe(false);
});

test('applications without it are told with the toggles that they ask for, those that ask first', () => {
  const apps = [app('idle', 'default'), app('mobile', 'default'), app('shop', 'byRegion')];
  const seen = { basket: [app('mobile'), app('shop')], plain: [app('idle')], gone: [app('idle')] };
  expect(lackingIt('byRegion', apps, [basket, search], seen)).toEqual([
    { appName: 'mobile', asksFor: ['basket'] },
    { appName: 'idle', asksFor: [] },
  ]);
});

test('a toggle named like what objects inherit is asked for by nobody', () => {
  expect(lackingIt('x', [app('shop')], [toggle('constructor', 'x')], {})).toEqual([{ appName: 'shop', asksFor: [] }]);
});
