// An addon with its parameters as top-level fields, so that edits of different parameters can be merged.
import type { Addon } from '@/api/generated/types';

export type FlatAddon = { [field: string]: unknown };

const PREFIX = 'parameters.';

export function flatten({ parameters, ...rest }: Addon): FlatAddon {
  const parameterFields = Object.entries(parameters).map(([name, value]) => [PREFIX + name, value]);
  return { ...rest, ...Object.fromEntries(parameterFields) };
}

export function unflatten(flat: FlatAddon): Addon {
  const isParameter = (field: string) => field.startsWith(PREFIX);
  const fields = Object.entries(flat).filter(([field]) => !isParameter(field));
  const parameters = Object.entries(flat).flatMap(([field, value]) =>
    isParameter(field) ? [[field.slice(PREFIX.length), value]] : [],
  );
  return { ...Object.fromEntries(fields), parameters: Object.fromEntries(parameters) } as Addon;
}
