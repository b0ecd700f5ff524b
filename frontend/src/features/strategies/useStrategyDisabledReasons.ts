// The reasons why a strategy definition cannot be changed; undefined if it can.
import type { StrategyDefinition } from '@/api/generated/types';
import { useDisabledReason, useLastingDisabledReason } from '@/api/permissions';

/** Toggles without a strategy get this one, so it must stay available. */
const DEFAULT = 'default';

export interface StrategyDisabledReasons {
  /** Hides the edit form. Outages are ignored, because the form must keep its input. */
  edit: string | undefined;
  deprecate: string | undefined;
  remove: string | undefined;
}

export function useStrategyDisabledReasons({ name, editable }: StrategyDefinition): StrategyDisabledReasons {
  const edit = useLastingDisabledReason('UPDATE_STRATEGY');
  const update = useDisabledReason('UPDATE_STRATEGY');
  const remove = useDisabledReason('DELETE_STRATEGY');
  return {
    edit: editable ? edit : 'A built-in strategy cannot be edited.',
    deprecate: name === DEFAULT ? 'The default strategy cannot be deprecated.' : update,
    remove: editable ? remove : 'A built-in strategy cannot be deleted.',
  };
}
