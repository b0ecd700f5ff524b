// Values that all client libraries read equally. Others can match anything, and some libraries refuse the whole toggle because of
// them. `src/evaluation/constraint.rs` and `src/evaluation/strategy.rs` decide the same.
import type { Constraint } from '@/api/generated/types';
import type { AudienceRule } from '@/domain/strategies/audience';
import { getShareParameter } from '@/domain/strategies/builtInStrategies';

const NUMBER = /^[ \t]*[+-]?\d+(\.\d*)?(e[+-]?\d+)?[ \t]*$/i;
const TIME = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{3})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
const IDENTIFIER = '(?:0|[1-9]\\d*|\\d*[a-z-][\\da-z-]*)';
const VERSION = new RegExp(
  `^[ \\t]*(?:0|[1-9]\\d{0,14})(?:\\.(?:0|[1-9]\\d{0,14})){2}(?:-${IDENTIFIER}(?:\\.${IDENTIFIER})*)?(?:\\+[\\da-z-]+(?:\\.[\\da-z-]+)*)?[ \\t]*$`,
  'i',
);
/** Without notations about which regular expression engines disagree. */
const PATTERN = /^[\w .,:@/^$|-]*$/;
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const NETWORK = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}(?:/(?:[12]?\\d|3[0-2]))?$`);
const PERCENTAGE = /^\+?\d{1,3}$/;

/** Returns whether all client libraries read the parameters of a strategy equally. */
export function isPlainRule({ name, parameters = {} }: AudienceRule): boolean {
  const share = getShareParameter(name);
  if (share !== undefined) {
    const percentage = parameters[share];
    if (percentage === undefined) return true;
    const { groupId, stickiness } = parameters;
    // Libraries disagree about the default group of these.
    const needsGroup = name === 'gradualRolloutUserId' || name === 'gradualRolloutSessionId';
    return (
      PERCENTAGE.test(percentage) &&
      Number(percentage) <= 100 &&
      !(needsGroup && groupId === undefined) &&
      (groupId === undefined || isPlainName(groupId)) &&
      (stickiness === undefined || (stickiness !== '' && isPlainName(stickiness)))
    );
  }
  const { userIds, IPs, hostNames } = parameters;
  switch (name) {
    case 'userWithId':
      return userIds === undefined || (userIds.trim() === userIds && splitItems(userIds).every(isPlainText));
    case 'remoteAddress':
      return IPs === undefined || IPs === '' || splitItems(IPs).every((item) => NETWORK.test(item));
    case 'applicationHostname':
      return hostNames === undefined || !/["\\]/.test(hostNames);
    default:
      return true;
  }
}

/** Returns whether all client libraries read a constraint equally. */
export function isPlainConstraint({ contextName, operator, value, values }: Constraint): boolean {
  if (!isPlainName(contextName)) return false;
  const [single, list] = [value ?? '', values ?? []];
  if (operator === 'IN' || operator === 'NOT_IN') return list.every(isPlainText);
  if (operator.startsWith('STR_')) return list.length > 0 && list.every(isPlainText);
  if (operator.startsWith('NUM_')) return NUMBER.test(single);
  if (operator.startsWith('DATE_')) return contextName === 'currentTime' && TIME.test(single) && isDate(single);
  if (operator.startsWith('SEMVER_')) return VERSION.test(single);
  if (operator === 'REGEX') return value != null && PATTERN.test(single);
  return operator === 'IN_CIDR' && list.length > 0 && list.every((item) => NETWORK.test(item));
}

/** Returns whether all client libraries read a number equally. */
export function isPlainNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** Returns whether all client libraries read a version equally. */
export function isPlainVersion(text: string): boolean {
  return VERSION.test(text);
}

/** JavaScript engines read 30 February as a day in March, or not at all. */
function isDate(time: string): boolean {
  const day = time.slice(0, 'YYYY-MM-DD'.length);
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** Splits a list of a built-in strategy at its commas. */
export function splitItems(list: string): string[] {
  return list.split(',').map((item) => item.trim());
}

/** The Python library refuses toggles with a text that ends with a backslash, and the Node library ignores white space. */
function isPlainText(text: string): boolean {
  return text !== '' && text.trim() === text && !text.endsWith('\\');
}

function isPlainName(name: string): boolean {
  return !name.includes('"') && !name.endsWith('\\');
}
