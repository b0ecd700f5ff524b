// Whether a constraint matches only where another one on the same context field matches, in all client libraries.
// `src/evaluation/effect.rs` decides the same.
import type { Constraint } from '@/api/generated/types';
import { jsonEqual } from '@/lib/json';
import { isPlainConstraint, isPlainNumber, isPlainVersion } from './plainValues';
import { compareVersions, isNetworkWithin } from './plainOrder';

/** Operators that old client libraries do not know. There, they never match. */
const RECENT_OPERATORS = ['REGEX', 'IN_CIDR', 'SEMVER_GTE', 'SEMVER_LTE'];

/** The Python library takes numbers below this for equal if they differ by less than `Number.EPSILON`. */
const MAX_APPROXIMATE_NUMBER = 2;

/** Returns whether both constraints have the same definition, so that each library decides equally. */
export function isSameConstraint(one: Constraint, other: Constraint): boolean {
  return jsonEqual(toComparable(one), toComparable(other));
}

function toComparable({ contextName, operator, inverted, caseInsensitive, value, values }: Constraint): object {
  return {
    contextName,
    operator,
    inverted: inverted ?? false,
    caseInsensitive: caseInsensitive ?? false,
    value: value ?? null,
    values: values ?? [],
  };
}

/** Returns whether no context matches. */
export function isNever(constraint: Constraint): boolean {
  return isPlainConstraint(constraint) && isList(constraint, true) && getValues(constraint).length === 0;
}

/** Returns whether every context matches. */
export function isAlways(constraint: Constraint): boolean {
  return isPlainConstraint(constraint) && isList(constraint, false) && getValues(constraint).length === 0;
}

/** Returns whether a constraint matches only where the other one matches. */
export function implies(part: Constraint, whole: Constraint): boolean {
  if (isSameConstraint(part, whole)) return true;
  if (part.contextName !== whole.contextName || !isPlainConstraint(part) || !isPlainConstraint(whole)) return false;
  if (!isRecent(part) && isRecent(whole)) return false;
  if (isList(part, true)) return getValues(part).every((value) => accepts(whole, value));
  if (isList(part, false) && isList(whole, false)) return isSubset(getValues(whole), getValues(part));
  if (getKind(part) !== getKind(whole) || getKind(part) === 'list' || isInverted(part) !== isInverted(whole))
    return false;
  return isInverted(part) ? testImplies(whole, part) : testImplies(part, whole);
}

/** Returns whether it can be decided which of two constraints on the same field matches in more cases. */
export function areComparable(one: Constraint, other: Constraint): boolean {
  const [kind, otherKind] = [one, other].map(getKind);
  if (kind !== otherKind || kind === 'REGEX') return false;
  return kind === 'list' || (isInverted(one) === isInverted(other) && isRecent(one) === isRecent(other));
}

/** Operators of one kind can be compared with each other. */
function getKind({ operator, caseInsensitive }: Constraint): string {
  if (isListOperator(operator)) return 'list';
  if (operator.startsWith('STR_')) return caseInsensitive ? `${operator} without case` : operator;
  return operator.split('_')[0] === 'IN' ? operator : (operator.split('_')[0] ?? operator);
}

function isRecent({ operator }: Constraint): boolean {
  return RECENT_OPERATORS.includes(operator);
}

function isInverted({ inverted }: Constraint): boolean {
  return inverted ?? false;
}

function isListOperator(operator: string): boolean {
  return operator === 'IN' || operator === 'NOT_IN';
}

/** Returns whether the constraint lists the values that match, or with `isListed` false, those that do not match. */
function isList(constraint: Constraint, isListed: boolean): boolean {
  const { operator } = constraint;
  return isListOperator(operator) && ((operator === 'IN') !== isInverted(constraint)) === isListed;
}

function getValues({ values }: Constraint): readonly string[] {
  return values ?? [];
}

export function isSubset(part: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all);
  return part.every((value) => known.has(value));
}

/** Returns whether all libraries accept a value of the context field. False if they do not agree. */
function accepts(constraint: Constraint, value: string): boolean {
  const { operator } = constraint;
  if (isListOperator(operator)) return getValues(constraint).includes(value) === isList(constraint, true);
  const holds = holdsFor(constraint, value);
  return holds !== undefined && holds !== isInverted(constraint);
}

/** Returns the result for a value without inversion; undefined if libraries do not agree. */
function holdsFor(constraint: Constraint, value: string): boolean | undefined {
  const { operator, value: wanted } = constraint;
  if (operator.startsWith('STR_')) {
    const texts = getValues(constraint);
    if (constraint.caseInsensitive && ![value, ...texts].every(isAscii)) return undefined;
    return texts.some((text) => holdsText(constraint, value, text));
  }
  if (operator.startsWith('NUM_')) {
    if (!isPlainNumber(value)) return Number.isNaN(Number(value)) && !/inf|nan/i.test(value) ? false : undefined;
    const [one, other] = [Number(value), Number(wanted)];
    const isApproximate = one !== other && Math.abs(one - other) <= 2 * Number.EPSILON;
    return isApproximate ? undefined : acceptsOrder(operator, one - other);
  }
  const isVersion = operator.startsWith('SEMVER_') && isPlainVersion(value) && !value.includes('+');
  return isVersion ? acceptsOrder(operator, compareVersions(value, wanted ?? '')) : undefined;
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

function holdsText({ operator, caseInsensitive }: Constraint, text: string, wanted: string): boolean {
  const [whole, part] = caseInsensitive ? [text.toLowerCase(), wanted.toLowerCase()] : [text, wanted];
  if (operator === 'STR_STARTS_WITH') return whole.startsWith(part);
  return operator === 'STR_ENDS_WITH' ? whole.endsWith(part) : whole.includes(part);
}

/** Returns whether a comparison accepts a value. `order`: negative if it is less than that of the constraint. */
function acceptsOrder(operator: string, order: number): boolean {
  switch (getComparison(operator)) {
    case 'LT':
      return order < 0;
    case 'LTE':
      return order <= 0;
    case 'GTE':
      return order >= 0;
    case 'GT':
      return order > 0;
    default:
      return order === 0;
  }
}

function getComparison(operator: string): string {
  const [, comparison = ''] = operator.split('_');
  return { AFTER: 'GT', BEFORE: 'LT' }[comparison] ?? comparison;
}

/** Returns whether a test holds only where the other one of the same kind holds. */
function testImplies(part: Constraint, whole: Constraint): boolean {
  const kind = getKind(part);
  const [value, wanted] = [part.value ?? '', whole.value ?? ''];
  if (kind.startsWith('STR_'))
    return getValues(part).every((text) => getValues(whole).some((other) => holdsText(whole, text, other)));
  if (kind === 'IN_CIDR')
    return getValues(part).every((network) => getValues(whole).some((other) => isNetworkWithin(network, other)));
  if (kind === 'NUM') return numberImplies(part.operator, Number(value), whole.operator, Number(wanted));
  if (kind === 'DATE') return orderImplies(part.operator, whole.operator, Date.parse(value) - Date.parse(wanted));
  if (kind === 'SEMVER') return orderImplies(part.operator, whole.operator, compareVersions(value, wanted));
  return value === wanted && (part.caseInsensitive ?? false) === (whole.caseInsensitive ?? false);
}

function numberImplies(part: string, value: number, whole: string, wanted: number): boolean {
  const isApproximate =
    part === 'NUM_EQ' &&
    whole !== 'NUM_EQ' &&
    Math.abs(value) < MAX_APPROXIMATE_NUMBER &&
    Math.abs(value - wanted) <= 2 * Number.EPSILON;
  return !isApproximate && orderImplies(part, whole, value - wanted);
}

/** Returns whether every value that `part` accepts is one that `whole` accepts. `order` compares their values. */
function orderImplies(part: string, whole: string, order: number): boolean {
  const [one, other] = [part, whole].map(getComparison);
  if (one === 'EQ') return acceptsOrder(whole, order);
  if (one === 'LTE' && other === 'LT') return order < 0;
  if (one === 'GTE' && other === 'GT') return order > 0;
  if (one?.startsWith('LT') && other?.startsWith('LT')) return order <= 0;
  return one?.startsWith('GT') === true && other?.startsWith('GT') === true && order >= 0;
}
