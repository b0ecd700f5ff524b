// Input of the form for a strategy definition, and its conversion from and to the server's format.
import type { StrategyDefinitionDraft } from '@/api/endpoints';
import type { ParameterDefinition, ParameterType, StrategyDefinition } from '@/api/generated/types';
import { removeSpaces } from '@/lib/text';

export const parameterTypes: readonly ParameterType[] = ['string', 'percentage', 'list', 'number', 'boolean'];

interface ParameterRow {
  /** Identifies the row while it is renamed and moved. */
  readonly key: number;
  readonly parameter: ParameterDefinition;
}

export interface DefinitionInput {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly ParameterRow[];
}

const newParameter: ParameterDefinition = { name: '', type: 'string', description: '', required: false };

export function createInput(name: string): DefinitionInput {
  return { name: removeSpaces(name), description: '', parameters: [] };
}

export function toInput({ name, description, parameters }: StrategyDefinition): DefinitionInput {
  return {
    name,
    description: description ?? '',
    // Servers may omit fields with default values, and may send fields that the form does not show.
    parameters: parameters.map((parameter, key) => ({ key, parameter: { ...newParameter, ...parameter } })),
  };
}

type Rows = DefinitionInput['parameters'];

export function addRow(rows: Rows): Rows {
  return [...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, parameter: newParameter }];
}

export function moveRow(rows: Rows, from: number, to: number): Rows {
  const row = rows[from];
  return row ? rows.toSpliced(from, 1).toSpliced(to, 0, row) : rows;
}

/** Error messages by row key. Names must be unique, because clients look up parameters by name. */
export function rowErrors(rows: Rows): ReadonlyMap<number, string> {
  const errors = new Map<number, string>();
  const taken = new Set<string>();
  for (const { key, parameter } of rows) {
    const name = parameter.name.trim();
    if (name !== '' && taken.has(name)) errors.set(key, `A parameter named ${name} already exists.`);
    taken.add(name);
  }
  return errors;
}

/** The request body. Rows without a name are omitted. */
export function toDefinitionDraft({ name, description, parameters }: DefinitionInput): StrategyDefinitionDraft {
  return {
    name: name.trim(),
    description: description.trim(),
    parameters: parameters
      .map(({ parameter }) => ({
        ...parameter,
        name: parameter.name.trim(),
        description: trimText(parameter.description),
      }))
      .filter((parameter) => parameter.name !== ''),
  };
}

/** Servers send null here, contrary to their API description. */
function trimText(description: string | null): string {
  return description?.trim() ?? '';
}

/** Names of parameters that were removed or renamed in the form. */
export function removedParameters(base: StrategyDefinition, input: DefinitionInput): string[] {
  const kept = new Set(toDefinitionDraft(input).parameters.map(({ name }) => name));
  return base.parameters.map(({ name }) => name).filter((name) => !kept.has(name));
}
