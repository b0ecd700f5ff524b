// What a new toggle and its activation strategies start with, must satisfy, and look like on the wire.
import type {
  ContextField,
  ParameterDefinition,
  Strategy,
  StrategyDefinition,
  ToggleDraft,
} from '@/api/generated/types';
import { removeSpaces } from '@/lib/removeSpaces';
import { constraintError } from './constraints';

export interface StrategyDraft {
  /** Tells cards apart: a toggle may have the same strategy twice. */
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
  readonly strategies: readonly StrategyDraft[];
}

export function emptyForm(name = '', project = 'default'): ToggleInput {
  return { name: removeSpaces(name), type: 'release', project, description: '', enabled: true, strategies: [] };
}

/** A rollout group that still bears the toggle's name follows it; one that was typed stays. */
export function rename(form: ToggleInput, typed: string): ToggleInput {
  const name = removeSpaces(typed);
  const strategies = form.strategies.map((strategy) =>
    strategy.parameters['groupId'] === form.name
      ? { ...strategy, parameters: { ...strategy.parameters, groupId: name } }
      : strategy,
  );
  return { ...form, name, strategies };
}

export function defaultParameters(
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

export function addStrategy(form: ToggleInput, definition: StrategyDefinition): ToggleInput {
  const key = Math.max(0, ...form.strategies.map((strategy) => strategy.key)) + 1;
  const parameters = defaultParameters(definition.parameters, form.name);
  return { ...form, strategies: [...form.strategies, { key, name: definition.name, parameters }] };
}

/** The server refuses a shorter name, and a rollout group is named after the toggle. */
export function canAddStrategy(form: ToggleInput): boolean {
  return form.name.length > 1;
}

export function offered(definitions: readonly StrategyDefinition[]): StrategyDefinition[] {
  return definitions.filter(({ deprecated }) => !deprecated);
}

export function parameterError({ name, type }: ParameterDefinition, value: string): string | undefined {
  if (type === 'number' && value !== '' && !/^-?\d+(\.\d+)?$/u.test(value)) return `${name} is not a number!`;
  return undefined;
}

/** The first reason why a strategy cannot be saved. */
export function strategyError(
  { name, parameters = {}, constraints }: Pick<Strategy, 'name' | 'parameters' | 'constraints'>,
  definitions: readonly StrategyDefinition[],
): string | undefined {
  const known = definitions.find((definition) => definition.name === name)?.parameters ?? [];
  const inParameters = known.flatMap((parameter) => parameterError(parameter, parameters[parameter.name] ?? '') ?? []);
  const inConstraints = (constraints ?? []).flatMap((constraint, index) => {
    const error = constraintError(constraint);
    return error ? [`Constraint ${index + 1} (${constraint.contextName}): ${error}`] : [];
  });
  return [...inParameters, ...inConstraints][0];
}

export function stickinessOptions(context: readonly ContextField[]): string[] {
  const sticky = context.filter(({ stickiness }) => stickiness).map(({ name }) => name);
  return [...new Set(['default', 'userId', 'sessionId', 'random', ...sticky])];
}

/** Whether what the server says about a name is that an archived toggle has it: its words are all there is to tell by. */
export function isArchivedName(message: string | undefined): boolean {
  return message !== undefined && /\barchived\b/iu.test(message);
}

export function toBody(form: ToggleInput): ToggleDraft {
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
    strategies: strategies.length > 0 ? strategies : [{ name: 'default', parameters: {} }],
    variants: [],
  };
}
