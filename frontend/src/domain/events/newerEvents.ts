// Events of newer servers: they contain only the changed part, such as a strategy, before and after the change.
import type { Event, Strategy } from '@/api/generated/types';
import { type ChangeOptions, describeStrategyChanges } from '@/domain/changes/describeChanges';
import { describeRule } from '@/domain/strategies/ruleSentence';
import { isJsonObject, type JsonObject } from '@/lib/json';

type NewerEvent = Event & {
  /** Environment of the change; null if it applies to all. */
  environment?: string | null;
  /** The changed part before the change. */
  preData?: JsonObject | null;
};

/** The environment in which the change was made; undefined if it applies to all, and for other servers. */
export function getEventEnvironment({ environment }: NewerEvent): string | undefined {
  return environment ?? undefined;
}

/** The changed part before and after the change, without the name of the toggle; undefined for other servers. */
export function getChangedPart(event: NewerEvent): { before: JsonObject; after: JsonObject } | undefined {
  const { preData, data } = event;
  return isJsonObject(preData) && isJsonObject(data) ? { before: preData, after: data } : undefined;
}

export interface StrategyChange {
  /** Undefined if the strategy was added. */
  before: Strategy | undefined;
  /** Undefined if it was removed. */
  after: Strategy | undefined;
}

/** Returns the strategy that an event added, changed or removed; undefined for other events. */
export function getStrategyChange(event: NewerEvent): StrategyChange | undefined {
  const [, action] = /^feature-strategy-(add|update|remove)$/.exec(event.type) ?? [];
  if (action === undefined) return undefined;
  const before = action === 'add' ? undefined : toStrategy(event.preData);
  const after = action === 'remove' ? undefined : toStrategy(event.data);
  return before || after ? { before, after } : undefined;
}

/** In `data`, `name` is the name of the toggle, and that of the strategy is `strategyName`. */
function toStrategy(data: unknown): Strategy | undefined {
  if (!isJsonObject(data)) return undefined;
  const { strategyName, sortOrder: _, featureName: __, projectId: ___, ...strategy } = data;
  // An event of an older server has only the name of the toggle.
  const name = strategyName ?? ('parameters' in data || 'title' in data ? strategy['name'] : undefined);
  return typeof name === 'string' ? ({ ...strategy, name } as Strategy) : undefined;
}

/** Describes a change of a strategy, such as `added flexibleRollout: 25 % of users`. */
export function describeStrategyChange({ before, after }: StrategyChange, options: ChangeOptions = {}): string {
  if (before && after) {
    const changes = describeStrategyChanges(before, after, options);
    return changes.length === 1 ? `changed ${after.name}: ${changes[0]}` : `changed ${after.name}`;
  }
  const strategy = after ?? before;
  const rule = strategy ? `: ${describeRule(strategy, { segmentName: options.segmentName })}` : '';
  return `${after ? 'added' : 'removed'} ${strategy?.name}${rule}`;
}
