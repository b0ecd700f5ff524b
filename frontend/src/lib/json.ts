export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is missing, null or an empty text. */
export function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Like `isUnset`, also for an empty list: servers store a missing list in any of these forms. */
export function isUnsetOrEmpty(value: unknown): boolean {
  return isUnset(value) || (Array.isArray(value) && value.length === 0);
}

/** Returns whether two JSON values are equal. The order of keys does not matter, and a key without a value is absent. */
export function jsonEqual(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return true;
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((item, index) => jsonEqual(item, after[index]));
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    return Object.keys({ ...before, ...after }).every((key) => jsonEqual(before[key], after[key]));
  }
  return false;
}
