import { expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import { setDisabled, setSegments, setTitle } from './StrategyProperties';

const stored: Strategy = { id: 's', name: 'default', title: null, disabled: false };
const titled: Strategy = { ...stored, title: 'Beta', disabled: true };

test('sets and clears the title and the disabled state', () => {
  expect(setTitle(stored, 'Beta', stored)).toEqual({ ...stored, title: 'Beta' });
  expect(setTitle(titled, '', titled)).toEqual({ ...titled, title: '' });
  expect(setDisabled(stored, true, stored)).toEqual({ ...stored, disabled: true });
  expect(setDisabled(titled, false, titled)).toEqual({ ...titled, disabled: false });
});

test('leaves the strategy as it was stored if the edit is taken back', () => {
  expect(setTitle(setTitle(stored, 'Beta', stored), '', stored)).toEqual(stored);
  expect(setDisabled(setDisabled(stored, true, stored), false, stored)).toEqual(stored);
  const added: Strategy = { name: 'default' };
  expect(setTitle(setTitle(added, 'Beta', undefined), '', undefined)).toEqual(added);
});

test('removes the last segment, and leaves the field as it was stored', () => {
  expect(setSegments(stored, [3], stored)).toEqual({ ...stored, segments: [3] });
  expect(setSegments({ ...stored, segments: [3] }, [], stored)).toEqual(stored);
  const inSegment: Strategy = { ...stored, segments: [3] };
  expect(setSegments(inSegment, [], inSegment)).toEqual({ ...stored, segments: [] });
});
