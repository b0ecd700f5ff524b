// A context field as people type it, and as servers take it.
import type { ContextField } from '@/api/generated/types';

/** Those that come with every server; client libraries fill them in by themselves. */
export const builtInFields: readonly string[] = ['environment', 'userId', 'appName'];

/** Where servers list a field that names no place. */
const DEFAULT_SORT_ORDER = 10;

export interface ContextFieldInput {
  name: string;
  description: string;
  legalValues: readonly string[];
  /** What stands in the box of the legal values and was not added yet. */
  legalValue: string;
  stickiness: boolean;
  sortOrder: string;
}

export function fieldInput(field?: ContextField): ContextFieldInput {
  return {
    name: field?.name ?? '',
    description: field?.description ?? '',
    legalValues: field?.legalValues ?? [],
    legalValue: '',
    stickiness: field?.stickiness ?? false,
    sortOrder: String(field?.sortOrder ?? DEFAULT_SORT_ORDER),
  };
}

export function fieldErrors({ name, legalValues, legalValue, sortOrder }: ContextFieldInput) {
  return {
    name: name === '' ? 'Give the context field a name.' : undefined,
    legalValue: duplicateValueError(legalValues, legalValue),
    sortOrder: /^-?\d{1,9}$/u.test(sortOrder.trim()) ? undefined : 'Give a whole number, such as 10.',
  };
}

export function duplicateValueError(values: readonly string[], value: string): string | undefined {
  return values.includes(value.trim()) ? 'Duplicate legal value' : undefined;
}

/** What was typed but not added is meant as well. */
export function withTypedValue({ legalValues, legalValue }: ContextFieldInput): string[] {
  const value = legalValue.trim();
  return value === '' || legalValues.includes(value) ? [...legalValues] : [...legalValues, value];
}

export function toField(input: ContextFieldInput) {
  return {
    name: input.name,
    description: input.description.trim(),
    legalValues: withTypedValue(input),
    stickiness: input.stickiness,
    sortOrder: Number(input.sortOrder),
  };
}

/** Server lists are sorted already; those in a cache may hold a field that was just moved. */
export function sortFields(fields: readonly ContextField[]): ContextField[] {
  return [...fields].sort((a, b) => a.sortOrder - b.sortOrder || a.name.localeCompare(b.name, 'en'));
}
