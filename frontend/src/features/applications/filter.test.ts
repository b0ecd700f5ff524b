import { expect, test } from 'vitest';
import type { SeenApp } from '@/api/generated/types';
import { filterApplications } from './filter';

const app = (appName: string, more: Partial<SeenApp> = {}): SeenApp => ({
  appName,
  createdAt: '2026-01-05T10:00:00.000Z',
  updatedAt: '2026-01-05T10:00:00.000Z',
  description: null,
  strategies: [],
  createdBy: '127.0.0.1',
  url: null,
  color: null,
  icon: null,
  ...more,
});

const all = [app('web', { description: 'The shop' }), app('jobs', { strategies: ['byRegion'] }), app('Api')];

test.each([
  ['', ['Api', 'jobs', 'web']],
  ['web', ['web']],
  ['shop', ['web']],
  ['region', ['jobs']],
  ['nothing', []],
])('of the applications %o leaves, in name order, %o', (text, names) => {
  const matches = (tried: string) => tried.toLowerCase().includes(text);
  expect(filterApplications(all, matches).map(({ appName }) => appName)).toEqual(names);
});
