// The users that no strategy selects: the last row of the rules. Pure function.
import { type AudienceRule, isForEveryone } from '@/domain/strategies/audience';

export interface RestOfUsers {
  subject: 'Everyone' | 'Everyone else' | 'No one else';
  /** The result for them; undefined if there are none. */
  result: 'on' | 'off' | undefined;
  /** Phrase with the reason, if it is not that no strategy matches. */
  reason: string | undefined;
}

interface Activation {
  readonly enabled: boolean;
  readonly strategies: readonly AudienceRule[];
}

/**
 * Returns the users that no strategy selects, and their result. Undefined if the switch says it, because the toggle is off, or
 * the only strategy.
 */
export function describeRest({ enabled, strategies }: Activation): RestOfUsers | undefined {
  if (!enabled) return undefined;
  if (strategies.length === 0) return { subject: 'Everyone', result: 'on', reason: 'there are no strategies' };
  if (strategies.every(({ disabled }) => disabled))
    return { subject: 'Everyone', result: 'off', reason: 'all strategies are disabled' };
  if (strategies.length === 1) return undefined;
  const all = strategies.findIndex(isForEveryone);
  if (all >= 0) return { subject: 'No one else', result: undefined, reason: `strategy ${all + 1} is on for everyone` };
  return { subject: 'Everyone else', result: 'off', reason: undefined };
}
