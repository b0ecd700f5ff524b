// Warnings about likely mistakes in a toggle's activation, and their fixes. They never prevent saving.
import type { Strategy, StrategyDefinition, Toggle } from '@/api/generated/types';
import {
  getPercent,
  getUserIds,
  hasConstraints,
  isForEveryone,
  isUnlimitedDefault,
} from '@/domain/strategies/audience';
import { getBuiltInList, getShareParameter } from '@/domain/strategies/builtInStrategies';
import { lacksValues } from '@/domain/strategies/lacksValues';
import { getParameterLabel, getStrategyLabel } from '@/domain/strategies/strategyNames';
import { splitList } from '@/lib/text';

/** A change to the unsaved strategies that resolves a warning. Strategies are given by their index. */
export type LintFix = { readonly label: string } & (
  | { readonly kind: 'remove'; readonly strategies: readonly number[] }
  /** Replaces a list of users by a constraint of all other strategies. */
  | { readonly kind: 'constrain'; readonly strategy: number }
  /** Removes all other strategies. */
  | { readonly kind: 'keepOnly'; readonly strategy: number }
  /** Moves the focus to the field that needs another value: a parameter, or a constraint by its number. */
  | { readonly kind: 'focus'; readonly strategy: number; readonly parameter?: string; readonly constraint?: number }
);

export interface LintNote {
  readonly text: string;
  readonly fixes: readonly LintFix[];
}

interface Options {
  /** The server has the context field that a constraint on users needs. */
  canConstrainUsers?: boolean;
  /** Indexes of strategies that are not saved yet. */
  added?: readonly number[];
}

const FULL_ROLLOUT = 'is at 100\u00a0%: everyone gets it.';

/** Returns the warnings, each naming its subject. Undefined definitions, which are still loading, cause no warnings. */
export function lintToggle(
  { strategies, variants, enabled }: Pick<Toggle, 'strategies' | 'variants' | 'enabled'>,
  definitions: readonly StrategyDefinition[] | undefined,
  options: Options = {},
): LintNote[] {
  const unrestricted = strategies.findIndex(isForEveryone);
  const hasRedundant = unrestricted >= 0 && strategies.length > 1;
  const notes = strategies.flatMap((strategy, at) =>
    strategyNotes(strategy, at, definitions)
      // The warning about redundant strategies covers this one.
      .filter(({ text }) => text !== FULL_ROLLOUT || !hasRedundant || at !== unrestricted)
      .map((note) => ({ ...note, text: `${getStrategyLabel(strategies, at)} ${note.text}` })),
  );
  return [
    ...(hasRedundant ? [redundancyNote(strategies, unrestricted, options)] : wideningNotes(strategies, options)),
    ...notes,
    ...variantNotes(enabled, variants?.length ?? 0),
  ];
}

function redundancyNote(strategies: readonly Strategy[], unrestricted: number, options: Options): LintNote {
  const labels = strategies.map((_, at) => getStrategyLabel(strategies, at));
  const redundant = labels.filter((_, at) => at !== unrestricted);
  const verb = redundant.length === 1 ? 'has' : 'have';
  const text = `${redundant.join(', ')} ${verb} no effect: ${labels[unrestricted]} is on for everyone.`;
  const limits: LintFix = {
    label: 'Set a percentage',
    kind: 'focus',
    strategy: unrestricted,
    parameter: getShareParameter(strategies[unrestricted]?.name ?? '') ?? '',
  };
  const isDefault = strategies[unrestricted]?.name === 'default';
  return {
    text,
    fixes: [...removalFixes(strategies), ...(isDefault ? [] : [limits]), ...userFixes(strategies, options)],
  };
}

/** Offers to remove each `default` that is on for everyone, or, if there is nothing else, its duplicates. */
function removalFixes(strategies: readonly Strategy[]): LintFix[] {
  const defaults = strategies.flatMap((strategy, at) => (isUnlimitedDefault(strategy) ? [at] : []));
  if (defaults.length < strategies.length)
    return defaults.length === 0 ? [] : [{ label: 'Remove default', kind: 'remove', strategies: defaults }];
  const label = defaults.length === 2 ? 'Remove duplicate' : 'Remove duplicates';
  return [{ label, kind: 'remove', strategies: defaults.slice(1) }];
}

/** Offers to turn the first list of users into a constraint of the other strategies. */
function userFixes(strategies: readonly Strategy[], { canConstrainUsers = false }: Options): LintFix[] {
  const at = strategies.findIndex((strategy) => getUserIds(strategy).length > 0);
  return canConstrainUsers && at >= 0 ? [{ label: 'Turn into a constraint', kind: 'constrain', strategy: at }] : [];
}

/** Explains new lists of users: strategies are alternatives, so a list does not limit the others. */
function wideningNotes(strategies: readonly Strategy[], options: Options): LintNote[] {
  if (strategies.length < 2) return [];
  return (options.added ?? [])
    .filter((at) => strategies[at]?.name === 'userWithId')
    .map((at) => ({
      text: `${getStrategyLabel(strategies, at)} adds users. It does not limit the other strategies.`,
      fixes: [{ label: 'Only these users', kind: 'keepOnly', strategy: at }, ...userFixes(strategies, options)],
    }));
}

function variantNotes(enabled: boolean, count: number): LintNote[] {
  if (enabled || count === 0) return [];
  const variants = count === 1 ? 'its variant is' : `its ${count} variants are`;
  return [{ text: `The toggle is off, so ${variants} not served.`, fixes: [] }];
}

function strategyNotes(
  strategy: Strategy,
  at: number,
  definitions: readonly StrategyDefinition[] | undefined,
): LintNote[] {
  const { name, parameters = {}, constraints, disabled } = strategy;
  if (disabled) return [];
  const definition = definitions?.find((one) => one.name === name);
  const builtInList = getBuiltInList(name);
  const lists =
    definition?.parameters.filter(({ type }) => type === 'list').map((list) => list.name) ??
    (builtInList ? [builtInList] : []);
  const share = getShareParameter(name);
  const notes: LintNote[] = [];
  const warn = (text: string, ...fixes: LintFix[]) => notes.push({ text, fixes });
  const fill = (label: string, parameter: string): LintFix => ({ label, kind: 'focus', strategy: at, parameter });
  // Rows show that a strategy is deprecated or not defined.
  if (share !== undefined && getPercent(strategy) === 0)
    warn('is at 0\u00a0%: no one gets it.', fill('Set a percentage', share));
  if (share !== undefined && getPercent(strategy) === 100 && !hasConstraints(strategy))
    warn(FULL_ROLLOUT, fill('Set a percentage', share));
  for (const list of lists) {
    if (splitList(parameters[list] ?? '').length === 0)
      warn(`has an empty list ${list}: no one gets it.`, fill('Add values', list));
  }
  for (const { name: parameter, type, required } of definition?.parameters ?? []) {
    // Lists and percentages have their own warnings, and a boolean always has a value.
    const isCovered = type === 'list' || type === 'boolean' || parameter === share;
    if (required && !isCovered && `${parameters[parameter] ?? ''}`.trim() === '')
      warn(`requires a value for ${getParameterLabel(parameter)}.`, fill('Add a value', parameter));
  }
  for (const [index, constraint] of (constraints ?? []).entries()) {
    const { contextName } = constraint;
    if (lacksValues(constraint)) {
      const fix: LintFix = { label: 'Add values', kind: 'focus', strategy: at, constraint: index + 1 };
      warn(`has a constraint on ${contextName} without values.`, fix);
    }
  }
  return notes;
}
