// Defaults, validation and request body of a new toggle and its strategies.
import { NAME_LENGTH } from '@/api/generated/limits';
import type {
  Constraint,
  ContextField,
  ParameterDefinition,
  Strategy,
  StrategyDefinition,
  ToggleDraft,
} from '@/api/generated/types';
import { getReadOnlyReason, validateConstraint } from '@/domain/strategies/constraints';
import { BASIC_OPERATORS } from '@/domain/strategies/operators';
import { jsonEqual } from '@/lib/json';
import { removeSpaces } from '@/lib/text';

export interface NewStrategy {
  /** Unique, because a toggle may have the same strategy twice. */
  readonly key: number;
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface ToggleInput {
  readonly name: string;
  readonly type: string;
  readonly project: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly strategies: readonly NewStrategy[];
}

export function createToggleInput(name = '', project = 'default'): ToggleInput {
  return { name: removeSpaces(name), type: 'release', project, description: '', enabled: true, strategies: [] };
}

/** Renames the toggle, and each rollout group that is named after it. */
export function renameToggle(form: ToggleInput, typed: string): ToggleInput {
  const name = removeSpaces(typed);
  const strategies = form.strategies.map((strategy) =>
    strategy.parameters['groupId'] === form.name
      ? { ...strategy, parameters: { ...strategy.parameters, groupId: name } }
      : strategy,
  );
  return { ...form, name, strategies };
}

export function getDefaultParameters(
  parameters: readonly ParameterDefinition[],
  toggleName: string,
): Record<string, string> {
  const known: Record<string, string> = {
    percentage: '100',
    rollout: '100',
    stickiness: 'default',
    groupId: toggleName,
  };
  return Object.fromEntries(
    parameters.map(({ name }) => [name, Object.hasOwn(known, name) ? (known[name] ?? '') : '']),
  );
}

export function addStrategy(
  form: ToggleInput,
  definition: StrategyDefinition,
  { replacesDefault = false } = {},
): ToggleInput {
  const key = Math.max(0, ...form.strategies.map((strategy) => strategy.key)) + 1;
  const parameters = getDefaultParameters(definition.parameters, form.name);
  const kept = form.strategies.filter(({ name }) => !replacesDefault || name !== 'default');
  return { ...form, strategies: [...kept, { key, name: definition.name, parameters }] };
}

/** Replaces all strategies by one. If the toggle already has it, its values are kept. */
export function setOnlyStrategy(form: ToggleInput, definition: StrategyDefinition): ToggleInput {
  const existing = form.strategies.filter(({ name }) => name === definition.name).slice(0, 1);
  const strategies = { ...form, strategies: existing };
  return existing.length > 0 ? strategies : addStrategy(strategies, definition);
}

/** Strategies need a valid toggle name, because their rollout group is named after it. */
export function canAddStrategy(form: ToggleInput): boolean {
  return form.name.length >= NAME_LENGTH.min;
}

export function omitDeprecated(definitions: readonly StrategyDefinition[]): StrategyDefinition[] {
  return definitions.filter(({ deprecated }) => !deprecated);
}

export function validateParameter({ name, type }: ParameterDefinition, value: string): string | undefined {
  const text = value.trim();
  if (type === 'number' && text !== '' && !/^-?\d+(\.\d+)?$/u.test(text)) return `${name} is not a number!`;
  return undefined;
}

/** Returns why a strategy cannot be saved, if a new constraint has no field yet. */
function findMissingField(constraints: readonly Constraint[]): string | undefined {
  const index = constraints.findIndex(({ contextName }) => contextName === '');
  const constraint = constraints[index];
  return constraint && `Constraint ${index + 1}: ${validateConstraint(constraint)}`;
}

/** Returns the first reason why a strategy cannot be saved. Constraints of an import are saved as they are stored. */
export function validateStrategy(
  { name, parameters = {}, constraints }: Pick<Strategy, 'name' | 'parameters' | 'constraints'>,
  definitions: readonly StrategyDefinition[],
  base?: Strategy,
): string | undefined {
  const known = definitions.find((definition) => definition.name === name)?.parameters ?? [];
  const inParameters = known.flatMap(
    (parameter) => validateParameter(parameter, parameters[parameter.name] ?? '') ?? [],
  );
  const inConstraints = (constraints ?? []).flatMap((constraint, index) => {
    const isBasic = getReadOnlyReason(constraint, BASIC_OPERATORS) === undefined;
    const isKept = !isBasic && base?.constraints?.some((stored) => jsonEqual(stored, constraint));
    const error = isKept ? undefined : validateConstraint(constraint);
    return error ? [`Constraint ${index + 1} (${constraint.contextName}): ${error}`] : [];
  });
  return findMissingField(constraints ?? []) ?? [...inParameters, ...inConstraints][0];
}

export function getStickinessOptions(context: readonly ContextField[]): string[] {
  const sticky = context.filter(({ stickiness }) => stickiness).map(({ name }) => name);
  return [...new Set(['default', 'userId', 'sessionId', 'random', ...sticky])];
}

/** `needsStrategy` is true for servers that reject a toggle without strategies: it gets `default` then. */
export function toToggleBody(form: ToggleInput, needsStrategy: boolean): ToggleDraft {
  const strategies: Strategy[] = form.strategies.map(({ name, parameters }) => ({
    name,
    parameters: Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, value.trim()])),
  }));
  return {
    name: form.name.trim(),
    description: form.description.trim(),
    type: form.type,
    project: form.project,
    enabled: form.enabled,
    stale: false,
    strategies: needsStrategy && strategies.length === 0 ? [{ name: 'default', parameters: {} }] : strategies,
    variants: [],
  };
}
