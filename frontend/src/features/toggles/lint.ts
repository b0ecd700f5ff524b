// What about a toggle's activation hardly can be meant: said quietly, and never in the way.

import type { Strategy, StrategyDefinition, Toggle } from '@/api/generated/types';
import { parameterLabel, strategyLabel } from '@/lib/describeStrategy';
import { splitList } from '@/lib/splitList';

const NOBODY_LEFT_OUT = 'rolls out to 100\u00a0%: it leaves nobody out.';

/** Each remark names what it is about. Without definitions, nothing is said about them: they may not have been read yet. */
export function lintToggle(
  { strategies, variants, enabled }: Pick<Toggle, 'strategies' | 'variants' | 'enabled'>,
  definitions: readonly StrategyDefinition[] | undefined,
): string[] {
  const open = strategies.findIndex(isForEveryone);
  const pointless = strategies.map((_, at) => at).filter((at) => open >= 0 && at !== open);
  const notes = strategies.flatMap((strategy, at) =>
    strategyNotes(strategy, definitions)
      // What it is to the others says more.
      .filter((note) => note !== NOBODY_LEFT_OUT || at !== open || pointless.length === 0)
      .map((note) => `${strategyLabel(strategies, at)} ${note}`),
  );
  if (pointless.length > 0) {
    const names = pointless.map((at) => strategyLabel(strategies, at)).join(', ');
    const verb = pointless.length === 1 ? 'makes' : 'make';
    notes.unshift(`${names} ${verb} no difference: ${strategyLabel(strategies, open)} is on for everyone.`);
  }
  const count = variants?.length ?? 0;
  return enabled || count === 0
    ? notes
    : [...notes, `The toggle is off, so nobody gets ${count === 1 ? 'its variant' : `its ${count} variants`}.`];
}

const percentOf: Record<string, string> = {
  flexibleRollout: 'rollout',
  gradualRolloutRandom: 'percentage',
  gradualRolloutSessionId: 'percentage',
  gradualRolloutUserId: 'percentage',
};

/** Undefined for strategies that do not select by a share. */
function shareParameter(strategyName: string): string | undefined {
  return Object.hasOwn(percentOf, strategyName) ? percentOf[strategyName] : undefined;
}

function percent({ name, parameters = {} }: Strategy): number | undefined {
  const parameter = shareParameter(name);
  return parameter === undefined ? undefined : Number(parameters[parameter] || '0');
}

/** The gradual ones want a user or session that some calls do not have, and so are never for all. */
function isForEveryone(strategy: Strategy): boolean {
  if ((strategy.constraints ?? []).length > 0) return false;
  if (strategy.name === 'default') return true;
  const { stickiness = 'default' } = strategy.parameters ?? {};
  return strategy.name === 'flexibleRollout' && percent(strategy) === 100 && ['default', 'random'].includes(stickiness);
}

const usualLists: Record<string, string> = {
  userWithId: 'userIds',
  applicationHostname: 'hostNames',
  remoteAddress: 'IPs',
};

function strategyNotes(strategy: Strategy, definitions: readonly StrategyDefinition[] | undefined): string[] {
  const { name, parameters = {}, constraints } = strategy;
  const definition = definitions?.find((one) => one.name === name);
  const usual = Object.hasOwn(usualLists, name) ? usualLists[name] : undefined;
  const lists =
    definition?.parameters.filter(({ type }) => type === 'list').map((list) => list.name) ?? (usual ? [usual] : []);
  const notes: string[] = [];
  if (definitions && !definition) notes.push('does not exist on this server: no application is told what it means.');
  if (definition?.deprecated) notes.push('is deprecated.');
  if (percent(strategy) === 0) notes.push('rolls out to 0\u00a0%: it is on for nobody.');
  if (percent(strategy) === 100) notes.push(NOBODY_LEFT_OUT);
  for (const list of lists) {
    if (splitList(parameters[list] ?? '').length === 0) notes.push(`has an empty list ${list}: it is on for nobody.`);
  }
  for (const { name: parameter, type, required } of definition?.parameters ?? []) {
    // Of lists and shares more has been said, and a switch always stands somewhere.
    const said = type === 'list' || type === 'boolean' || parameter === shareParameter(name);
    if (required && !said && `${parameters[parameter] ?? ''}`.trim() === '')
      notes.push(`has no value for ${parameterLabel(parameter)}, which it requires.`);
  }
  for (const { contextName, values = [] } of constraints ?? []) {
    if (values.length === 0) notes.push(`has a constraint on ${contextName} without values.`);
  }
  return notes;
}
