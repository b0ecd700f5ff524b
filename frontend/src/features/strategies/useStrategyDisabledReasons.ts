// The reasons why a strategy definition cannot be changed; undefined if it can.
import type { StrategyDefinition } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';

/** Toggles without a strategy get this one, so it must stay available. */
const DEFAULT = 'default';

export interface StrategyDisabledReasons {
  /** Hides the edit form. Outages are ignored, because the form must keep its input. */
  edit: string | undefined;
  deprecate: string | undefined;
  remove: string | undefined;
}

export function useStrategyDisabledReasons({ name, editable }: StrategyDefinition): StrategyDisabledReasons {
  const edit = usePermission('UPDATE_STRATEGY', { ignoresOutage: true });
  const update = usePermission('UPDATE_STRATEGY');
  const remove = usePermission('DELETE_STRATEGY');
  return {
    edit: editable ? edit : 'A built-in strategy cannot be edited.',
    deprecate: name === DEFAULT ? 'The default strategy cannot be deprecated.' : update,
    remove: editable ? remove : 'A built-in strategy cannot be deleted.',
  };
}
