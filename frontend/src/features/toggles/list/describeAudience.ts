import type { Toggle } from '@/api/generated/types';
import { areStrategiesKnown } from '@/api/newerTypes';
import { isForEveryone } from '@/domain/strategies/audience';
import { describeSubject } from '@/domain/strategies/ruleSentence';

/** Number of rules before "+ 2 more". */
const MAX_RULES = 2;

/**
 * Describes the users who get a toggle, such as `50 % of users where region is eu + 3 users`. For a toggle that is off, it says
 * who would get it. Empty if they are unknown.
 */
export function describeAudience(toggle: Toggle): string {
  const users = describeUsers(toggle);
  return toggle.enabled || users === '' ? users : `when on: ${users}`;
}

function describeUsers(toggle: Toggle): string {
  const { strategies } = toggle;
  if (!areStrategiesKnown(toggle) || strategies.length === 0) return '';
  const rules = strategies.filter(({ disabled }) => !disabled);
  if (rules.length === 0) return 'no one: all strategies are disabled';
  if (rules.some(isForEveryone)) return 'everyone';
  const shown = rules.slice(0, MAX_RULES).map(describeSubject);
  const more = rules.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(' + ');
}
