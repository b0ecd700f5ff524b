// Fields of the context form.
import type { ContextField } from '@/api/generated/types';
import type { LabContext } from './labContext';

export interface LabField {
  name: string;
  /** Values to suggest. */
  suggestions: readonly string[];
}

/** Fields that all client libraries know. The first ones decide most often. */
const IDS = ['userId', 'sessionId', 'remoteAddress'];
const SURROUNDINGS = ['appName', 'environment'];
/** Time of the evaluation. By default, the time of the server. */
export const CURRENT_TIME = 'currentTime';

/**
 * Returns the fields that are always shown, and those that are shown on demand unless they have a value. `environments`
 * are those of the server.
 */
export function getLabFields(
  defined: readonly ContextField[],
  environments: readonly string[],
  context: LabContext,
  added: readonly string[],
): { main: LabField[]; more: LabField[] } {
  const known = [...defined].sort((a, b) => a.sortOrder - b.sortOrder).map(({ name }) => name);
  const builtIn = [...IDS, ...SURROUNDINGS, CURRENT_TIME];
  const own = [...new Set([...known, ...Object.keys(context), ...added])].filter((name) => !builtIn.includes(name));
  const legalValues = (name: string) => defined.find((field) => field.name === name)?.legalValues;
  const toField = (name: string): LabField => ({
    name,
    suggestions: legalValues(name) ?? (name === 'environment' ? environments : []),
  });
  return { main: [...IDS, ...own].map(toField), more: SURROUNDINGS.map(toField) };
}

/** Returns why a field cannot be added. */
export function validateAddedField(name: string, shown: readonly string[]): string | undefined {
  if (name === '') return 'Enter a name.';
  // Client libraries send other fields in this object.
  if (name === 'properties') return 'Enter the name of a field inside "properties".';
  return shown.includes(name) ? 'This field already exists.' : undefined;
}
