// Defaults and validation of strategies.
import type {
  Constraint,
  ContextField,
  ParameterDefinition,
  Strategy,
  StrategyDefinition,
} from '@/api/generated/types';
import { getReadOnlyReason, validateConstraint } from '@/domain/strategies/constraints';
import { BASIC_OPERATORS } from '@/domain/strategies/operators';
import { jsonEqual } from '@/lib/json';

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
