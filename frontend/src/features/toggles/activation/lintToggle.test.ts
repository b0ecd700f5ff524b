import { expect, test } from 'vitest';
import type { Strategy, StrategyDefinition, Variant } from '@/api/generated/types';
import { type LintFix, lintToggle } from './lintToggle';

const always: Strategy = { name: 'default', parameters: {} };
const rollout = (percent: string, more: object = {}): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'g' },
  ...more,
});
const users = (userIds: string): Strategy => ({ name: 'userWithId', parameters: { userIds } });
const limited = (...values: string[]) => ({
  constraints: [{ contextName: 'region', operator: 'IN' as const, values }],
});

const definition = (name: string, more: Partial<StrategyDefinition> = {}): StrategyDefinition => ({
  name,
  editable: false,
  description: null,
  parameters: [],
  deprecated: false,
  ...more,
});
const definitions = [
  definition('default'),
  definition('flexibleRollout'),
  definition('gradualRolloutUserId', { deprecated: true }),
  definition('userWithId', { parameters: [{ name: 'userIds', type: 'list', description: '', required: false }] }),
  definition('byCity', {
    parameters: [
      { name: 'city', type: 'string', description: '', required: true },
      { name: 'limit', type: 'number', description: '', required: true },
      { name: 'share', type: 'percentage', description: '', required: true },
      { name: 'shops', type: 'list', description: '', required: true },
      { name: 'strict', type: 'boolean', description: '', required: true },
      { name: 'note', type: 'string', description: '', required: false },
    ],
  }),
];

const lint = (strategies: Strategy[], options?: Parameters<typeof lintToggle>[2]) =>
  lintToggle({ strategies, variants: [], enabled: true }, definitions, options);
const textsOf = (strategies: Strategy[]) => lint(strategies).map(({ text }) => text);

test.each<[Strategy[], string[]]>([
  [[always], []],
  [[rollout('40'), users('ada')], []],
  [[always, rollout('40')], ['flexibleRollout has no effect: default is on for everyone.']],
  [[rollout('100'), users('ada')], ['userWithId has no effect: flexibleRollout is on for everyone.']],
  [[rollout('100', limited('eu')), users('ada')], []],
  [[{ ...always, ...limited('eu') }, users('ada')], []],
  [
    [{ name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'userId' } }, users('ada')],
    ['flexibleRollout is at 100 %: everyone gets it.'],
  ],
  [
    [rollout('0'), always, users('ada')],
    [
      'flexibleRollout, userWithId have no effect: default is on for everyone.',
      'flexibleRollout is at 0 %: no one gets it.',
    ],
  ],
  [[rollout('100')], ['flexibleRollout is at 100 %: everyone gets it.']],
  [[rollout('0')], ['flexibleRollout is at 0 %: no one gets it.']],
  [[rollout('')], ['flexibleRollout is at 0 %: no one gets it.']],
  // The row shows both.
  [[{ name: 'gradualRolloutUserId', parameters: { percentage: '20' } }], []],
  [[{ name: 'gone' }], []],
  [[users(' , ')], ['userWithId has an empty list userIds: no one gets it.']],
  [[{ name: 'byCity', parameters: { city: 'Oslo', limit: '0', share: '5', shops: 'a' } }], []],
  [
    [{ name: 'byCity', parameters: { city: ' ' } }],
    [
      'byCity has an empty list shops: no one gets it.',
      'byCity requires a value for City.',
      'byCity requires a value for Limit.',
      'byCity requires a value for Share.',
    ],
  ],
  [[rollout('40', limited())], ['flexibleRollout has a constraint on region without values.']],
  [[always, always], ['default (2 of 2) has no effect: default (1 of 2) is on for everyone.']],
])('warns about %j with %j', (strategies, expected) => {
  expect(textsOf(strategies)).toEqual(expected);
});

test('does not warn about definitions before they are loaded', () => {
  expect(lintToggle({ strategies: [{ name: 'own' }], variants: [], enabled: true }, undefined)).toEqual([]);
  const notes = lintToggle({ strategies: [users('')], variants: [], enabled: true }, undefined);
  expect(notes.map(({ text }) => text)).toEqual(['userWithId has an empty list userIds: no one gets it.']);
});

test('warns that variants of a disabled toggle are not served', () => {
  const variants: Variant[] = [{ name: 'a', weight: 1000, weightType: 'variable' }];
  const lint = (enabled: boolean, some: Variant[] | null) =>
    lintToggle({ strategies: [always], variants: some, enabled }, definitions).map(({ text }) => text);
  expect(lint(false, variants)).toEqual(['The toggle is off, so its variant is not served.']);
  expect(lint(true, variants)).toEqual([]);
  expect(lint(false, null)).toEqual([]);
});

const focus = (label: string, more: object): LintFix => ({ label, kind: 'focus', strategy: 0, ...more });
const removeDefault = (...strategies: number[]): LintFix => ({ label: 'Remove default', kind: 'remove', strategies });

test.each<[Strategy[], readonly LintFix[]]>([
  [[always, rollout('40')], [removeDefault(0)]],
  [[rollout('40'), always, always], [removeDefault(1, 2)]],
  [[always, { ...always, ...limited('eu') }], [removeDefault(0)]],
  [[always, always], [{ label: 'Remove duplicate', kind: 'remove', strategies: [1] }]],
  [[always, always, always], [{ label: 'Remove duplicates', kind: 'remove', strategies: [1, 2] }]],
  [
    [rollout('100'), always],
    [removeDefault(1), focus('Set a percentage', { parameter: 'rollout' })],
  ],
  [
    [rollout('100'), users('ada')],
    [
      focus('Set a percentage', { parameter: 'rollout' }),
      { label: 'Turn into a constraint', kind: 'constrain', strategy: 1 },
    ],
  ],
  [
    [always, users('ada')],
    [removeDefault(0), { label: 'Turn into a constraint', kind: 'constrain', strategy: 1 }],
  ],
  [[rollout('0')], [focus('Set a percentage', { parameter: 'rollout' })]],
  [[users('')], [focus('Add values', { parameter: 'userIds' })]],
  [[rollout('40', limited())], [focus('Add values', { constraint: 1 })]],
])('offers for the first warning about %j the fixes %j', (strategies, expected) => {
  expect(lint(strategies, { canConstrainUsers: true })[0]?.fixes).toEqual(expected);
});

test('offers no constraint if the server lacks the context field', () => {
  expect(lint([always, users('ada')])[0]?.fixes).toEqual([removeDefault(0)]);
});

test('explains a new list of users next to other strategies', () => {
  const strategies = [rollout('40'), users('ada')];
  expect(lint(strategies, { canConstrainUsers: true, added: [1] })).toEqual([
    {
      text: 'userWithId adds users. It does not limit the other strategies.',
      fixes: [
        { label: 'Only these users', kind: 'keepOnly', strategy: 1 },
        { label: 'Turn into a constraint', kind: 'constrain', strategy: 1 },
      ],
    },
  ]);
  expect(lint(strategies)).toEqual([]);
  expect(lint([users('ada')], { added: [0] })).toEqual([]);
});
