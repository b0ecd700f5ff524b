import { expect, test } from 'vitest';
import type { StrategyDefinition, Toggle } from '@/api/generated/types';
import { describeChange } from './describePlan';
import table from './planCases.json';

const definitions = table.strategies as unknown as StrategyDefinition[];
const segmentName = (id: number) => table.segments.find((segment) => segment.id === id)?.name ?? `${id}`;
const toggle = (side: object = {}) =>
  ({ name: 'shop.pay', strategies: [], variants: [], ...side }) as unknown as Toggle;

/** The review sends the name of the files beside the toggle. */
const split = ({ managedBy, ...rest }: { managedBy?: string }) => ({ managedBy, rest });

test.each(table.cases)('describes $before to $after, as flagdeck plan', ({ before, after, words }) => {
  const [from, to] = [before, after].map(split);
  const managedBy = to?.managedBy === from?.managedBy ? null : (to?.managedBy ?? null);
  const groups = describeChange(
    { before: toggle(from?.rest), after: toggle(to?.rest), managedBy },
    { definitions, locale: 'en', segmentName },
  );
  const lines = groups.map(({ subject, changes }) => `${subject}: ${changes.join('; ')}`.replaceAll('\u00a0', ' '));
  expect(lines).toEqual(words);
});
