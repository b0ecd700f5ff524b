// Commands of the palette that have an argument, such as `set one-page 25`, `why one-page 4711` and `ines yesterday`.
import type { Strategy, Toggle } from '@/api/generated/types';
import { getShareParameter } from '@/domain/strategies/builtInStrategies';
import { splitWords } from '@/lib/fuzzy';
import type { Period } from '@/shared/timeRange';
import { parseAction } from './paletteActions';

export type PaletteCommandQuery =
  | {
      kind: 'set';
      /** Words that select the toggle. */
      words: readonly string[];
      /** Undefined if it is missing or out of range; `problem` says so. */
      percent: number | undefined;
      problem: string | undefined;
    }
  | { kind: 'why'; words: readonly string[]; userId: string | undefined }
  | { kind: 'events'; words: readonly string[]; period: Period };

/** Parses a query. User ids keep their upper-case letters. */
export function parseCommand(query: string): PaletteCommandQuery | undefined {
  const parts = query.trim().split(/\s+/u).filter(Boolean);
  const words = splitWords(query);
  const [first, ...rest] = words;
  if (first === 'set') return parseSet(rest.filter((word) => word !== 'to' && word !== '%'));
  if (first === 'why') {
    const userId = parts.length > 2 ? parts.at(-1) : undefined;
    return { kind: 'why', words: userId === undefined ? rest : rest.slice(0, -1), userId };
  }
  const period = PERIODS.get(words.at(-1) ?? '');
  return period && { kind: 'events', words: words.slice(0, -1).filter((word) => !EVENT_FILLERS.has(word)), period };
}

const NUMBER = /^[+-]?\d+([.,]\d+)?%?$/u;

function parseSet(words: readonly string[]): PaletteCommandQuery | undefined {
  const last = words.at(-1) ?? '';
  if (!NUMBER.test(last)) {
    // `set basket active` and similar are actions without an argument.
    if (parseAction(words)) return undefined;
    return { kind: 'set', words, percent: undefined, problem: `Add a percentage, such as ${EXAMPLE}.` };
  }
  const percent = Number(last.replace('%', '').replace(',', '.'));
  const isValid = Number.isInteger(percent) && percent >= 0 && percent <= 100;
  return {
    kind: 'set',
    words: words.slice(0, -1),
    percent: isValid ? percent : undefined,
    problem: isValid ? undefined : 'Enter a whole number from 0 to 100.',
  };
}

const EXAMPLE = 25;

const PERIODS: ReadonlyMap<string, Period> = new Map([
  ['yesterday', 'yesterday'],
  ['today', 'today'],
  ['hour', 'hour'],
  ['week', 'week'],
]);

/** Words before a period that are ignored, as in `changes by ines last week`. */
const EVENT_FILLERS = new Set(['changes', 'by', 'in', 'the', 'this', 'last']);

export const periodLabels: { readonly [period in Period]: string } = {
  any: '',
  hour: 'in the last hour',
  today: 'today',
  yesterday: 'yesterday',
  week: 'in the last 7 days',
};

/** A new percentage of one strategy. */
export interface RolloutChange {
  /** The toggle with all its strategies, as it is when the user decides. */
  toggle: Toggle;
  /** Index of the strategy. */
  index: number;
  percent: number;
}

/** The strategies that have a percentage, with their indexes. */
export function findRollouts({ strategies }: Toggle): { strategy: Strategy; index: number }[] {
  return strategies
    .map((strategy, index) => ({ strategy, index }))
    .filter(({ strategy }) => getShareParameter(strategy.name) !== undefined);
}

/** Returns the toggle with the new percentage. */
export function applyRollout({ toggle, index, percent }: RolloutChange): Toggle {
  const strategies = toggle.strategies.map((strategy, at) => {
    const parameter = getShareParameter(strategy.name);
    if (at !== index || parameter === undefined) return strategy;
    return { ...strategy, parameters: { ...strategy.parameters, [parameter]: String(percent) } };
  });
  return { ...toggle, strategies };
}
