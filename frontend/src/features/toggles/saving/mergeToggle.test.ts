import { describe, expect, test } from 'vitest';
import type { Strategy, Toggle, Variant } from '@/api/generated/types';
import type { Side } from '@/lib/merge';
import { createToggle } from '@/testing/flagService';
import { mergeToggle } from './mergeToggle';

const rollout = (percent: string, more: object = {}): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'g' },
  ...more,
});
const users = (ids: string): Strategy => ({ name: 'userWithId', parameters: { userIds: ids } });
const always: Strategy = { name: 'default', parameters: {} };
const variant = (name: string, weight: number, more: object = {}): Variant => ({
  name,
  weight,
  weightType: 'variable',
  ...more,
});

const toggle = (more: object = {}) => createToggle({ name: 'a.toggle', strategies: [always], ...more });

describe('merges edits without conflicts', () => {
  test.each<[string, object, object, object, object]>([
    ['fields', {}, { description: 'mine' }, { type: 'experiment' }, { description: 'mine', type: 'experiment' }],
    ['the same change twice', {}, { stale: true }, { stale: true }, { stale: true }],
    ['unknown fields', { odd: 1 }, { odd: 1, stale: true }, { odd: 2 }, { odd: 2, stale: true }],
    [
      'an unknown field of the server',
      {},
      { stale: true },
      { impressionData: true },
      { stale: true, impressionData: true },
    ],
    [
      'edits of two strategies',
      { strategies: [rollout('10'), users('ada')] },
      { strategies: [rollout('20'), users('ada')] },
      { strategies: [rollout('10'), users('ada,grace')] },
      { strategies: [rollout('20'), users('ada,grace')] },
    ],
    [
      'edits of two strategies of the same name',
      { strategies: [rollout('10'), rollout('50')] },
      { strategies: [rollout('20'), rollout('50')] },
      { strategies: [rollout('10'), rollout('60')] },
      { strategies: [rollout('20'), rollout('60')] },
    ],
    [
      'a strategy added by each side',
      {},
      { strategies: [always, users('ada')] },
      { strategies: [always, rollout('10')] },
      { strategies: [always, users('ada'), rollout('10')] },
    ],
    [
      'a new strategy saved again after a lost response',
      {},
      { strategies: [always, users('ada')] },
      { strategies: [always, users('ada')] },
      { strategies: [always, users('ada')] },
    ],
    [
      'an edit and a removal by the other side',
      { strategies: [always, rollout('10'), users('ada')] },
      { strategies: [always, rollout('20'), users('ada')] },
      { strategies: [rollout('10'), users('ada')] },
      { strategies: [rollout('20'), users('ada')] },
    ],
    [
      'an edit and a reordering by the other side',
      { strategies: [always, rollout('10'), users('ada')] },
      { strategies: [always, rollout('20'), users('ada')] },
      { strategies: [users('ada'), rollout('10'), always] },
      { strategies: [users('ada'), rollout('20'), always] },
    ],
    [
      'strategy ids removed by their change of project',
      { strategies: [rollout('10', { id: '7' })] },
      { strategies: [rollout('20', { id: '7' })] },
      { strategies: [rollout('10')], project: 'other' },
      { strategies: [rollout('20')], project: 'other' },
    ],
    [
      'strategy ids removed by my change of project',
      { strategies: [rollout('10', { id: '7' })] },
      { strategies: [rollout('10')], project: 'other' },
      { strategies: [rollout('20', { id: '7' })] },
      { strategies: [rollout('20')], project: 'other' },
    ],
    [
      'payloads of two variants',
      { variants: [variant('a', 500), variant('b', 500)] },
      { variants: [variant('a', 500, { payload: { type: 'string', value: 'x' } }), variant('b', 500)] },
      { variants: [variant('a', 500), variant('b', 500, { overrides: [] })] },
      {
        variants: [
          variant('a', 500, { payload: { type: 'string', value: 'x' } }),
          variant('b', 500, { overrides: [] }),
        ],
      },
    ],
  ])('%s', (_, base, mine, theirs, expected) => {
    const merged = mergeToggle(toggle(base), toggle({ ...base, ...mine }), toggle({ ...base, ...theirs }));
    expect(merged.conflicts).toEqual([]);
    expect(merged.merged).toEqual(toggle({ ...base, ...expected }));
  });

  test('ignores fields that the server maintains', () => {
    const { merged } = mergeToggle(toggle(), toggle(), toggle({ lastSeenAt: '2026-02-01T00:00:00.000Z' }));
    expect(merged.lastSeenAt).toBe('2026-02-01T00:00:00.000Z');
  });
});

describe('resolves conflicts', () => {
  test.each<[string, object, object, object, string, Record<Side, object>]>([
    [
      'a field',
      {},
      { description: 'a' },
      { description: 'b' },
      'Description',
      { mine: { description: 'a' }, theirs: { description: 'b' } },
    ],
    [
      'a strategy',
      { strategies: [rollout('10'), users('ada')] },
      { strategies: [rollout('20'), users('ada')] },
      { strategies: [rollout('30'), users('ada')] },
      'flexibleRollout',
      { mine: { strategies: [rollout('20'), users('ada')] }, theirs: { strategies: [rollout('30'), users('ada')] } },
    ],
    [
      'a strategy edited by one side and removed by the other',
      { strategies: [always, rollout('10')] },
      { strategies: [always, rollout('20')] },
      { strategies: [always] },
      'flexibleRollout',
      { mine: { strategies: [always, rollout('20')] }, theirs: { strategies: [always] } },
    ],
    [
      'the order',
      { strategies: [always, rollout('10'), users('ada')] },
      { strategies: [rollout('10'), always, users('ada')] },
      { strategies: [users('ada'), always, rollout('10')] },
      'Order of the strategies',
      {
        mine: { strategies: [rollout('10'), always, users('ada')] },
        theirs: { strategies: [users('ada'), always, rollout('10')] },
      },
    ],
    [
      'a variant',
      { variants: [variant('a', 1000)] },
      { variants: [variant('a', 1000, { payload: { type: 'string', value: 'x' } })] },
      { variants: [variant('a', 1000, { payload: { type: 'string', value: 'y' } })] },
      'a',
      {
        mine: { variants: [variant('a', 1000, { payload: { type: 'string', value: 'x' } })] },
        theirs: { variants: [variant('a', 1000, { payload: { type: 'string', value: 'y' } })] },
      },
    ],
    [
      'weights, which are consistent only together',
      { variants: [variant('a', 1000)] },
      { variants: [variant('a', 500), variant('b', 500)] },
      { variants: [variant('a', 500), variant('c', 500)] },
      'Variants',
      {
        mine: { variants: [variant('a', 500), variant('b', 500)] },
        theirs: { variants: [variant('a', 500), variant('c', 500)] },
      },
    ],
    [
      'a variant removed by one side and edited by the other',
      { variants: [variant('a', 500), variant('b', 500)] },
      { variants: [variant('a', 1000)] },
      { variants: [variant('a', 500), variant('b', 500, { overrides: [] })] },
      'Variants',
      {
        mine: { variants: [variant('a', 1000)] },
        theirs: { variants: [variant('a', 500), variant('b', 500, { overrides: [] })] },
      },
    ],
  ])('%s', (_, base, mine, theirs, subject, expected) => {
    for (const side of ['mine', 'theirs'] as const) {
      const toStrategyVersions = [base, { ...base, ...mine }, { ...base, ...theirs }].map(toggle) as [
        Toggle,
        Toggle,
        Toggle,
      ];
      const merged = mergeToggle(...toStrategyVersions, () => side);
      expect(merged.conflicts.map((conflict) => conflict.subject)).toEqual([subject]);
      expect(merged.merged).toEqual(toggle({ ...base, ...expected[side] }));
    }
  });
});
