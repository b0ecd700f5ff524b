// Descriptions of the conflicts of a strategy definition.
import type { ParameterDefinition, StrategyDefinition } from '@/api/generated/types';
import { describeFieldChanges } from '@/domain/changes/describeChanges';
import { ChangeLines, type ChangesProps, describeSide } from '@/shared/ConflictDialog';

export function DefinitionConflict({ conflict, side }: ChangesProps) {
  const { id, base } = conflict;
  const lines = describeSide(conflict, side, (value) => {
    const [before, after] = [base, value].map((one) => ({ [id]: one }) as unknown as StrategyDefinition);
    return before && after && describeDefinitionChanges(before, after, [id]);
  });
  return <ChangeLines lines={lines} value={conflict[side]} />;
}

/** Describes the changes of the given fields, one line each. */
export function describeDefinitionChanges(
  before: StrategyDefinition,
  after: StrategyDefinition,
  fields: readonly string[],
): string[] {
  return fields.flatMap((field) =>
    field === 'parameters'
      ? parameterChanges(before.parameters, after.parameters)
      : describeFieldChanges(only(before, field), only(after, field)),
  );
}

function only(definition: object, field: string): object {
  return Object.fromEntries(Object.entries(definition).filter(([key]) => key === field));
}

function parameterChanges(before: readonly ParameterDefinition[], after: readonly ParameterDefinition[]): string[] {
  const find = (list: readonly ParameterDefinition[], name: string) => list.find((one) => one.name === name);
  const added = after
    .filter(({ name }) => !find(before, name))
    .map((one) => `parameter ${one.name} added: ${facts(one)}`);
  const removed = before.filter(({ name }) => !find(after, name)).map(({ name }) => `parameter ${name} removed`);
  const changed = after.flatMap((one) => {
    const old = find(before, one.name);
    return old ? describeFieldChanges(old, one).map((change) => `parameter ${one.name}: ${change}`) : [];
  });
  const names = (list: readonly ParameterDefinition[], other: readonly ParameterDefinition[]) =>
    list.flatMap(({ name }) => (find(other, name) ? [name] : [])).join(', ');
  const isMoved = names(before, after) !== names(after, before);
  return [...added, ...removed, ...changed, ...(isMoved ? [`parameters: new order ${names(after, before)}`] : [])];
}

function facts({ type, required, description }: ParameterDefinition): string {
  return [type, ...(required ? ['required'] : []), ...(description ? [`“${description}”`] : [])].join(', ');
}
