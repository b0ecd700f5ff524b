// Input of the context field form, its validation, and its conversion to the server's format.

import { validateContextField } from '@/api/endpoints';
import type { ContextField } from '@/api/generated/types';
import { compareNames } from '@/lib/compareNames';
import type { EntityForm } from '@/shared/entity';

/** Fields that every server has. Client SDKs set them automatically. */
export const builtInFields: readonly string[] = ['environment', 'userId', 'appName'];

/** Servers use this for a field without a sort order. */
const DEFAULT_SORT_ORDER = 10;

export interface ContextFieldInput {
  name: string;
  description: string;
  legalValues: readonly string[];
  /** Text in the input for legal values that is not added yet. */
  legalValue: string;
  stickiness: boolean;
  sortOrder: string;
}

export const contextFieldForm: EntityForm<ContextField, ContextFieldInput> = {
  toInput: (field) => ({
    name: field?.name ?? '',
    description: field?.description ?? '',
    legalValues: field?.legalValues ?? [],
    legalValue: '',
    stickiness: field?.stickiness ?? false,
    sortOrder: String(field?.sortOrder ?? DEFAULT_SORT_ORDER),
  }),
  toItem: (input) => ({
    name: input.name,
    description: input.description.trim(),
    legalValues: withTypedValue(input),
    stickiness: input.stickiness,
    sortOrder: Number(input.sortOrder),
  }),
  validate: ({ name, legalValues, legalValue, sortOrder }) => ({
    name: name === '' ? 'Enter a name.' : undefined,
    legalValue: duplicateValueError(legalValues, legalValue),
    sortOrder: /^-?\d{1,9}$/u.test(sortOrder.trim()) ? undefined : 'Enter a whole number, such as 10.',
  }),
  checkId: (check) => check('name', validateContextField),
  conflictField: 'name',
};

export const contextFieldLabels = {
  description: 'Description',
  legalValues: 'Legal values',
  stickiness: 'Stickiness',
  sortOrder: 'Sort order',
};

/** Returns an error if the value exists already. */
export function duplicateValueError(values: readonly string[], value: string): string | undefined {
  return values.includes(value.trim()) ? 'Duplicate legal value' : undefined;
}

/** The legal values, including text that is typed but not added yet. */
export function withTypedValue({ legalValues, legalValue }: ContextFieldInput): string[] {
  const value = legalValue.trim();
  return value === '' || legalValues.includes(value) ? [...legalValues] : [...legalValues, value];
}

/** Sorts fields. Server responses are sorted, but the cache may contain a field with a new sort order. */
export function sortFields(fields: readonly ContextField[]): ContextField[] {
  return [...fields].sort((a, b) => a.sortOrder - b.sortOrder || compareNames(a.name, b.name));
}
