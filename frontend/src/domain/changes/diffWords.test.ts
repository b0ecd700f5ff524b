import { expect, test } from 'vitest';
import type { PathStep } from '@/api/generated/types';
import { describePath, describeValue } from './diffWords';

test.each<[PathStep[], unknown, string]>([
  [['enabled'], true, 'Enabled: on'],
  [['enabled'], false, 'Enabled: off'],
  [['stale'], true, 'Status: Stale'],
  [['stale'], false, 'Status: Active'],
  [['description'], '', 'Description: ""'],
  [['impressionData'], true, 'Impression data: yes'],
  [['strategies', 1, 'disabled'], true, 'Strategy 2 › Strategy enabled: off'],
  [['rollout'], '25', 'Rollout: 25'],
  [['groupId'], 'a', 'groupId: a'],
  [['constraints', 0, 'contextName'], 'region', 'Constraint 1 › Context field: region'],
  [['constraints', 0, 'operator'], 'NOT_IN', 'Constraint 1 › Operator: is not one of'],
  [['constraints', 0, 'operator'], 'NEWER', 'Constraint 1 › Operator: NEWER'],
  [['constraints', 0, 'inverted'], true, 'Constraint 1 › Invert: yes'],
  [['segments'], '1, 2', 'Segments: 1, 2'],
  [['variants', 2], 'blue', 'Variant 3: blue'],
  [['weightType'], 'fix', 'Weight type: Fixed weight'],
  [['payload', 'type'], 'json', 'Payload › Type: json'],
  [['parameters', 0, 'count'], null, 'Parameters › 1 › Count: null'],
  [[], undefined, 'Everything: nothing'],
])('describes %j as in the forms', (path, value, expected) => {
  expect(`${describePath(path)}: ${describeValue(value, path)}`).toBe(expected);
});
