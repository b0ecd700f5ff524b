import { useMemo } from 'react';

/** Returns the same object until its JSON changes. For objects that are created while rendering. */
export function useJsonMemo<T extends object>(value: T): T {
  const json = JSON.stringify(value);
  return useMemo(() => JSON.parse(json) as T, [json]);
}
