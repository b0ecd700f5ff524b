import { expect, test } from 'vitest';
import type { Toggle } from '@/api/generated/types';
import { formatPath, toSides } from './diffSides';
import { diffNewToggle, diffToggles } from './toggleDiffs';

const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });
const rollout = (percent: string, values: string[] = []) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent },
  constraints: values.length > 0 ? [{ contextName: 'region', operator: 'IN', values }] : [],
});
const variant = (name: string, weight: number) => ({ name, weight, weightType: 'variable' });

const toggle = (more: object) =>
  ({ name: 'a', enabled: true, strategies: [users('ada')], ...more }) as unknown as Toggle;

/** The server still has segment 1, but not segment 9. */
const WORDS = { locale: 'en', segmentName: (id: number) => (id === 1 ? 'nordic-teams' : `${id}`) };

/** Formats the groups as `subject: path before → after`. */
function describe(groups: ReturnType<typeof diffToggles>): string[] {
  return groups.map(({ subject, status, diffs }) => {
    const lines = diffs.map((diff) => {
      const { path, before, after } = toSides(diff);
      const [old, now] = [before, after].map((side) => (side ? JSON.stringify(side.value) : '…'));
      return `${formatPath(path)} ${old} → ${now}`;
    });
    return `${[subject, status].filter(Boolean).join(' ')}: ${lines.join('; ')}`;
  });
}

test.each<[string, object, object, string[]]>([
  ['nothing that the server maintains', { lastSeenAt: null }, { lastSeenAt: '2026', createdAt: '2025' }, []],
  ['a field', {}, { enabled: false }, ['Toggle: enabled true → false']],
  ['empty values', { a: null, b: 0 }, { a: '', c: false }, ['Toggle: a null → ""; b 0 → …; c … → false']],
  [
    'a parameter by its name',
    { strategies: [rollout('25')] },
    { strategies: [rollout('50')] },
    ['flexibleRollout: rollout "25" → "50"'],
  ],
  [
    'the strategy that changed, although its index changed too',
    { strategies: [users('ada'), rollout('25')] },
    { strategies: [rollout('50')] },
    ['flexibleRollout: rollout "25" → "50"', 'userWithId removed: userIds "ada" → …'],
  ],
  [
    'each property of an added strategy',
    {},
    { strategies: [users('ada'), rollout('5', ['eu'])] },
    [
      'flexibleRollout added: rollout … → "5"; constraints › 1 › contextName … → "region"; ' +
        'constraints › 1 › operator … → "IN"; constraints › 1 › values … → "eu"',
    ],
  ],
  [
    'segments by their names, and a deleted one by its id',
    { strategies: [{ ...users('ada'), segments: [9] }] },
    { strategies: [{ ...users('ada'), segments: [1, 9] }] },
    ['userWithId: segments "9" → "nordic-teams, 9"'],
  ],
  [
    'an added strategy without parameters',
    {},
    { strategies: [users('ada'), { name: 'default' }] },
    ['default added: '],
  ],
  [
    'the values of a constraint as one text',
    { strategies: [rollout('5', ['eu', 'us'])] },
    { strategies: [rollout('5', ['eu', 'asia', 'us'])] },
    ['flexibleRollout: constraints › 1 › values "eu, us" → "eu, asia, us"'],
  ],
  [
    'the order',
    { strategies: [users('ada'), rollout('5')] },
    { strategies: [rollout('5'), users('ada')] },
    ['Order: strategies "userWithId, flexibleRollout" → "flexibleRollout, userWithId"'],
  ],
  [
    'variants by name, with their weight in percent',
    { variants: [variant('a', 1000)] },
    { variants: [variant('b', 667), variant('a', 333)] },
    ['Variant b added: weight … → "66.7 %"; weightType … → "variable"', 'Variant a: weight "100 %" → "33.3 %"'],
  ],
])('compares %s', (_, before, after, expected) => {
  expect(describe(diffToggles(toggle(before), toggle(after), WORDS))).toEqual(expected);
});

test('a new toggle consists of additions', () => {
  expect(describe(diffNewToggle(toggle({}), WORDS))).toEqual([
    'Toggle: enabled … → true',
    'userWithId added: userIds … → "ada"',
  ]);
});
