import { expect, test } from 'vitest';
import type { ChangeStatus, Effect, PlannedAction } from '@/api/generated/types';
import { createToggle } from '@/testing/flagService';
import { describeChange, describeSummary } from './describePlan';

test.each<[object, object, string | null, string[]]>([
  [{}, {}, null, []],
  [{ enabled: false }, { enabled: true }, null, ['Toggle: switched on']],
  [{}, {}, 'acme/flags', ['Files: managed by acme/flags']],
  [{}, { dependencies: [{ feature: 'shop' }] }, null, ['Dependencies: depends on shop']],
  [
    { dependencies: [{ feature: 'shop' }] },
    {
      dependencies: [
        { feature: 'shop', enabled: false },
        { feature: 'cart', variants: ['red'] },
        { feature: 'user', variants: ['a', 'b'] },
      ],
    },
    null,
    ['Dependencies: depends on shop (off), cart (variant red), user (variants a, b)'],
  ],
  [{ dependencies: [{ feature: 'shop' }] }, { dependencies: [] }, null, ['Dependencies: none']],
])('describes %j to %j, managed by %j', (before, after, managedBy, expected) => {
  const toggle = (more: object) => createToggle({ name: 'shop.pay', strategies: [], ...more });
  const change = { before: toggle(before), after: toggle(after), managedBy };
  const groups = describeChange(change, { locale: 'en', segmentName: String });
  expect(groups.map(({ subject, changes }) => `${subject}: ${changes.join('; ')}`)).toEqual(expected);
});

const change = (effect: Effect, status: ChangeStatus = 'ready', action: PlannedAction = 'change') => ({
  effect,
  status,
  action,
});

test.each([
  ['1 change, none of which widens who gets the feature', [change('narrows')]],
  ['3 changes, 2 of which may widen who gets the feature', [change('widens'), change('mayWiden'), change('neither')]],
  [
    '2 changes, 1 of which may widen who gets the feature',
    [change('changes'), change('narrows'), change('widens', 'applied')],
  ],
  [
    '1 change, none of which widens who gets the feature, 1 of which archives a toggle that the files name no more',
    [change('narrows', 'ready', 'archive')],
  ],
  ['2 changes, nothing left to apply', [change('widens', 'applied'), change('narrows', 'applied')]],
])('%s', (expected, changes) => {
  expect(describeSummary(changes)).toBe(expected);
});
