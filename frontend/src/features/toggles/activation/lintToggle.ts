// Warnings about likely mistakes in a toggle's activation. They never prevent saving.

import type { Strategy, StrategyDefinition, Toggle } from '@/api/generated/types';
import { getParameterLabel, getStrategyLabel } from '@/domain/strategies/describeStrategy';
import { splitList } from '@/lib/splitList';

const FULL_ROLLOUT = 'is at 100\u00a0%: everyone gets it.';

/** Returns the warnings, each naming its subject. Undefined definitions, which are still loading, cause no warnings. */
export function lintToggle(
  { strategies, variants, enabled }: Pick<Toggle, 'strategies' | 'variants' | 'enabled'>,
  definitions: readonly StrategyDefinition[] | undefined,
): string[] {
  const unrestricted = strategies.findIndex(isForEveryone);
  const redundant = strategies.map((_, at) => at).filter((at) => unrestricted >= 0 && at !== unrestricted);
  const notes = strategies.flatMap((strategy, at) =>
    strategyNotes(strategy, definitions)
      // The warning about redundant strategies covers this one.
      .filter(
        (note) =>
          note !== FULL_ROLLOUT ||
          redundant.length === 0 ||
          at !== unrestricted ||
          redundant.length === 0 ||
          redundant.length === 0,
      )
      .map((note) => `${getStrategyLabel(strategies, at)} ${note}`),
  );
  if (redundant.length > 0) {
    const names = redundant.map((at) => getStrategyLabel(strategies, at)).join(', ');
    const verb = redundant.length === 1 ? 'has' : 'have';
    notes.unshift(`${names} ${verb} no effect: ${getStrategyLabel(strategies, unrestricted)} is on for everyone.`);
  }
  const count = variants?.length ?? 0;
  return enabled || count === 0
    ? notes
    : [...notes, `The toggle is off, so ${count === 1 ? 'its variant is' : `its ${count} variants are`} not served.`];
}

const shareParameters: Record<string, string> = {
  flexibleRollout: 'rollout',
  gradualRolloutRandom: 'percentage',
  gradualRolloutSessionId: 'percentage',
  gradualRolloutUserId: 'percentage',
};

/** Returns the name of the percentage parameter, if the strategy has one. */
function getShareParameter(strategyName: string): string | undefined {
  return Object.hasOwn(shareParameters, strategyName) ? shareParameters[strategyName] : undefined;
}

function getPercent({ name, parameters = {} }: Strategy): number | undefined {
  const parameter = getShareParameter(name);
  return parameter === undefined ? undefined : Number(parameters[parameter] || '0');
}

/** Returns whether a strategy matches every call. Gradual strategies need a user or session id, which may be missing. */
function isForEveryone(strategy: Strategy): boolean {
  if ((strategy.constraints ?? []).length > 0) return false;
  if (strategy.name === 'default') return true;
  const { stickiness = 'default' } = strategy.parameters ?? {};
  return (
    strategy.name === 'flexibleRollout' && getPercent(strategy) === 100 && ['default', 'random'].includes(stickiness)
  );
}

const builtInLists: Record<string, string> = {
  userWithId: 'userIds',
  applicationHostname: 'hostNames',
  remoteAddress: 'IPs',
};

function strategyNotes(strategy: Strategy, definitions: readonly StrategyDefinition[] | undefined): string[] {
  const { name, parameters = {}, constraints } = strategy;
  const definition = definitions?.find((one) => one.name === name);
  const builtInList = Object.hasOwn(builtInLists, name) ? builtInLists[name] : undefined;
  const lists =
    definition?.parameters.filter(({ type }) => type === 'list').map((list) => list.name) ??
    (builtInList ? [builtInList] : []);
  const notes: string[] = [];
  if (definitions && !definition) notes.push('is not defined on this server.');
  if (definition?.deprecated) notes.push('is deprecated.');
  if (getPercent(strategy) === 0) notes.push('is at 0\u00a0%: no one gets it.');
  if (getPercent(strategy) === 100) notes.push(FULL_ROLLOUT);
  for (const list of lists) {
    if (splitList(parameters[list] ?? '').length === 0) notes.push(`has an empty list ${list}: no one gets it.`);
  }
  for (const { name: parameter, type, required } of definition?.parameters ?? []) {
    // Lists and percentages have their own warnings, and a boolean always has a value.
    const isCovered = type === 'list' || type === 'boolean' || parameter === getShareParameter(name);
    if (required && !isCovered && `${parameters[parameter] ?? ''}`.trim() === '')
      notes.push(`requires a value for ${getParameterLabel(parameter)}.`);
  }
  for (const { contextName, values = [] } of constraints ?? []) {
    if (values.length === 0) notes.push(`has a constraint on ${contextName} without values.`);
  }
  return notes;
}
