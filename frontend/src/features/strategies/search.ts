// Finding one of many definitions.
import type { StrategyDefinition } from '@/api/generated/types';

/** More than fit on a screen need a search. */
export function isLong({ length }: readonly unknown[]): boolean {
  return length > 10;
}

export function matching(definitions: readonly StrategyDefinition[], text: string): StrategyDefinition[] {
  const wanted = text.trim().toLowerCase();
  return definitions.filter(({ name, description, parameters }) =>
    [name, description ?? '', ...parameters.map((parameter) => parameter.name)].some((part) =>
      part.toLowerCase().includes(wanted),
    ),
  );
}
