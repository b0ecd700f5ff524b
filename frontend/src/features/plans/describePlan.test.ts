import { expect, test } from 'vitest';
import { createToggle } from '@/testing/flagService';
import { describeChange } from './describePlan';

test.each<[object, object, string | null, string[]]>([
  [{}, {}, null, []],
  [{ enabled: false }, { enabled: true }, null, ['Toggle: enabled no → yes']],
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
