import { expect, test } from 'vitest';
import { ApiError } from '@/api/error';
import type { Application } from '@/api/generated/types';
import { collectMissing } from './missing';

const gone = (name: string) => ({ name, notFound: true });

function asking(appName: string, toggles: string[], strategies: string[] = []): Application {
  return {
    appName,
    createdAt: '2026-01-05T10:00:00.000Z',
    description: null,
    url: null,
    color: null,
    icon: null,
    strategies: [
      { name: 'default', description: null, editable: false, parameters: [], deprecated: false },
      ...strategies.map(gone),
    ],
    instances: [],
    seenToggles: toggles.map(gone),
    links: { self: '' },
  };
}

const failed = (status: number) => new ApiError({ status, hop: 'server', body: '' }, 'Flagdeck');

test('lists each missing item once, with all applications that use it, the most used first', () => {
  const outcomes = [asking('web', ['b', 'a'], ['byRegion']), asking('app', ['b', 'c'])];
  expect(collectMissing(['web', 'app'], outcomes)).toEqual({
    toggles: [
      { name: 'b', requestedBy: ['web', 'app'] },
      { name: 'a', requestedBy: ['web'] },
      { name: 'c', requestedBy: ['app'] },
    ],
    strategies: [{ name: 'byRegion', requestedBy: ['web'] }],
    unreadApplications: [],
  });
});

test('names applications that could not be loaded, except deleted ones', () => {
  expect(collectMissing(['web', 'app', 'old'], [asking('web', ['a']), failed(500), failed(404)])).toMatchObject({
    toggles: [{ name: 'a' }],
    unreadApplications: ['app'],
  });
});

test('a toggle may be named like an inherited property', () => {
  expect(
    collectMissing(['web'], [asking('web', ['constructor', '__proto__'])]).toggles.map(({ name }) => name),
  ).toEqual(['__proto__', 'constructor']);
});
