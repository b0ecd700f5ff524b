import { useCapabilities } from '@/api/capabilities';
import type { Toggle } from '@/api/generated/types';
import { areStrategiesKnown } from '@/api/newerTypes';
import { useOwnToggle } from '@/api/toggles';

/**
 * Returns a function that completes toggles with their strategies, or says why they are not known. On servers whose list
 * lacks strategies, only those of `wanted` are read.
 */
export function useComplete(wanted: Toggle | undefined): (toggle: Toggle) => Toggle | string {
  const { listsOrderedStrategies } = useCapabilities();
  const isListed = (toggle: Toggle) => listsOrderedStrategies && areStrategiesKnown(toggle);
  const { data, error } = useOwnToggle(wanted?.name ?? '', wanted !== undefined && !isListed(wanted));
  return (toggle) => {
    if (isListed(toggle)) return toggle;
    if (toggle.name !== wanted?.name) return 'Type its complete name to load its strategies.';
    if (data) return data;
    return error ? `Its strategies could not be loaded: ${error.message}` : 'Its strategies are loading…';
  };
}
