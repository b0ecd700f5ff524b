// Finds the toggles that use a context field.
import type { Toggle } from '@/api/generated/types';

/** Names of the toggles with the field in a constraint, stickiness or override. */
export function togglesUsingField(field: string, toggles: readonly Toggle[]): string[] {
  return toggles.filter((toggle) => usesField(field, toggle)).map(({ name }) => name);
}

function usesField(field: string, { strategies, variants }: Toggle): boolean {
  return (
    strategies.some(
      ({ constraints, parameters }) =>
        constraints?.some(({ contextName }) => contextName === field) || parameters?.['stickiness'] === field,
    ) ||
    (variants ?? []).some(
      ({ stickiness, overrides }) =>
        stickiness === field || overrides?.some(({ contextName }) => contextName === field),
    )
  );
}
