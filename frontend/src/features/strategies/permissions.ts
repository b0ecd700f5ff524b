// Why something cannot be done to a strategy definition; undefined where it can.
import type { StrategyDefinition } from '@/api/generated/types';
import { needs, usePermission } from '@/api/permissions';

/** Toggles without another strategy have this one. */
const DEFAULT = 'default';

export interface Hindrances {
  edit: string | undefined;
  deprecate: string | undefined;
  remove: string | undefined;
}

export function useHindrances({ name, editable }: StrategyDefinition): Hindrances {
  const mayUpdate = usePermission('UPDATE_STRATEGY');
  const mayDelete = usePermission('DELETE_STRATEGY');
  return {
    edit: first(!editable && 'A built-in strategy cannot be edited.', !mayUpdate && needs('UPDATE_STRATEGY')),
    deprecate: first(
      name === DEFAULT && 'The default strategy cannot be deprecated.',
      !mayUpdate && needs('UPDATE_STRATEGY'),
    ),
    remove: first(!editable && 'A built-in strategy cannot be deleted.', !mayDelete && needs('DELETE_STRATEGY')),
  };
}

function first(...reasons: (string | false)[]): string | undefined {
  return reasons.find((reason) => reason !== false) || undefined;
}
