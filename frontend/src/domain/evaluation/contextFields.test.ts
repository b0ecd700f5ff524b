import { expect, test } from 'vitest';
import type { ContextField } from '@/api/generated/types';
import { getLabFields, validateAddedField } from './ContextForm';

const define = (name: string, sortOrder: number, legalValues?: string[]): ContextField => ({
  name,
  sortOrder,
  description: null,
  ...(legalValues && { legalValues }),
});

test('shows the ids, the fields of the server in their order, and fields that only the context has', () => {
  const defined = [
    define('region', 3, ['eu', 'us']),
    define('plan', 2),
    define('userId', 1),
    define('appName', 0, ['shop']),
  ];
  const { main, more } = getLabFields(
    defined,
    ['production'],
    { device: 'phone', userId: '1' },
    { added: ['shoeSize'] },
  );
  expect(main.map(({ name }) => name)).toEqual([
    'userId',
    'sessionId',
    'remoteAddress',
    'plan',
    'region',
    'device',
    'shoeSize',
  ]);
  expect(main.find(({ name }) => name === 'region')?.suggestions).toEqual(['eu', 'us']);
  expect(more).toEqual([
    { name: 'appName', suggestions: ['shop'] },
    { name: 'environment', suggestions: ['production'] },
  ]);
});

test('shows the deciding fields first, and all others on demand', () => {
  const defined = [define('region', 3, ['eu', 'us']), define('plan', 2), define('userId', 1)];
  const deciding = ['environment', 'currentTime', 'planet'];
  const { main, more } = getLabFields(defined, ['production'], { device: 'phone' }, { deciding });
  expect(main).toEqual([
    { name: 'environment', suggestions: ['production'] },
    { name: 'planet', suggestions: [] },
  ]);
  expect(more.map(({ name }) => name)).toEqual([
    'userId',
    'sessionId',
    'remoteAddress',
    'plan',
    'region',
    'device',
    'appName',
  ]);
});

test.each([
  ['', 'Enter a name.'],
  ['region', 'This field already exists.'],
  ['properties', 'Enter the name of a field inside "properties".'],
  ['device', undefined],
])('validates the added field "%s"', (name, expected) => {
  expect(validateAddedField(name, ['userId', 'region'])).toBe(expected);
});
