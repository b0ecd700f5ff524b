// Comparison operators of constraints. Servers up to 4.2 have only `IN` and `NOT_IN`.
import type { Operators } from '@/api/generated/types';
import type { FirstVersions } from '@/domain/evaluation/sdkVersion';

export type ValueKind = 'text' | 'number' | 'date' | 'version' | 'pattern';

interface Operator {
  label: string;
  /** Label of the inverted comparison. */
  inverse: string;
  /** Both labels for a list with one value, such as `is` and `is not`. */
  ofOne?: readonly [label: string, inverse: string];
  /** Kind of the single value; absent if the operator compares with a list. */
  single?: ValueKind;
  /** The comparison can ignore the case of letters. */
  hasCase?: boolean;
  /** The values are IP addresses and networks. */
  hasNetworks?: boolean;
  /** The operator with the opposite result, which not all servers have. */
  negation?: string;
}

const OPERATORS: { readonly [name: string]: Operator } = {
  IN: { label: 'is one of', inverse: 'is not one of', ofOne: ['is', 'is not'], negation: 'NOT_IN' },
  NOT_IN: { label: 'is not one of', inverse: 'is one of', ofOne: ['is not', 'is'], negation: 'IN' },
  STR_STARTS_WITH: {
    label: 'starts with one of',
    inverse: 'starts with none of',
    ofOne: ['starts with', 'does not start with'],
    hasCase: true,
  },
  STR_ENDS_WITH: {
    label: 'ends with one of',
    inverse: 'ends with none of',
    ofOne: ['ends with', 'does not end with'],
    hasCase: true,
  },
  STR_CONTAINS: {
    label: 'contains one of',
    inverse: 'contains none of',
    ofOne: ['contains', 'does not contain'],
    hasCase: true,
  },
  IN_CIDR: {
    label: 'is in one of the networks',
    inverse: 'is in none of the networks',
    ofOne: ['is in the network', 'is not in the network'],
    hasNetworks: true,
  },
  REGEX: { label: 'matches the pattern', inverse: 'does not match the pattern', single: 'pattern', hasCase: true },
  NUM_EQ: { label: 'equals', inverse: 'does not equal', single: 'number' },
  NUM_GT: { label: 'is greater than', inverse: 'is not greater than', single: 'number', negation: 'NUM_LTE' },
  NUM_GTE: { label: 'is at least', inverse: 'is not at least', single: 'number', negation: 'NUM_LT' },
  NUM_LT: { label: 'is less than', inverse: 'is not less than', single: 'number', negation: 'NUM_GTE' },
  NUM_LTE: { label: 'is at most', inverse: 'is not at most', single: 'number', negation: 'NUM_GT' },
  DATE_AFTER: { label: 'is after', inverse: 'is not after', single: 'date' },
  DATE_BEFORE: { label: 'is before', inverse: 'is not before', single: 'date' },
  SEMVER_EQ: { label: 'is version', inverse: 'is not version', single: 'version' },
  SEMVER_GT: { label: 'is above version', inverse: 'is not above version', single: 'version', negation: 'SEMVER_LTE' },
  SEMVER_LT: { label: 'is below version', inverse: 'is not below version', single: 'version', negation: 'SEMVER_GTE' },
  SEMVER_GTE: {
    label: 'is at least version',
    inverse: 'is not at least version',
    single: 'version',
    negation: 'SEMVER_LT',
  },
  SEMVER_LTE: {
    label: 'is at most version',
    inverse: 'is not at most version',
    single: 'version',
    negation: 'SEMVER_GT',
  },
};

/**
 * First versions of client libraries with the operators of Unleash 4.9. Source: the table of compatibility in
 * https://docs.getunleash.io/reference/sdks
 */
const EXTENDED_SINCE: FirstVersions = {
  'unleash-client-dotnet': [2, 1],
  'unleash-client-go': [3, 3],
  'unleash-client-java': [5, 1],
  'unleash-client-node': [3, 12],
  'unleash-client-php': [1, 3, 1],
  'unleash-client-python': [5, 1],
  'unleash-client-ruby': [4, 2],
};
/** Later operators. Sources: published packages of unleash-client (Node.js), release notes of the PHP library. */
const PATTERNS_SINCE: FirstVersions = { ...EXTENDED_SINCE, 'unleash-client-node': [6, 10] };
const NETWORKS_SINCE: FirstVersions = { ...EXTENDED_SINCE, 'unleash-client-node': [6, 11] };
const VERSION_RANGES_SINCE: FirstVersions = { ...NETWORKS_SINCE, 'unleash-client-php': [2, 11] };

/**
 * Returns the first versions of client libraries that evaluate an operator; undefined for operators of all. For the latest
 * operators, versions of other libraries are not known: theirs are lower bounds.
 */
export function findFirstVersions(operator: string): FirstVersions | undefined {
  if (operator === 'REGEX') return PATTERNS_SINCE;
  if (operator === NETWORK_OPERATOR) return NETWORKS_SINCE;
  if (RECENT_OPERATORS.includes(operator)) return VERSION_RANGES_SINCE;
  return BASIC_OPERATORS.includes(operator) || !findOperator(operator) ? undefined : EXTENDED_SINCE;
}

/** Returns whether an operator is newer than those of Unleash 4.9. */
export function isRecentOperator(operator: string): boolean {
  return operator === NETWORK_OPERATOR || RECENT_OPERATORS.includes(operator);
}

/** Operators of all servers with constraints. */
export const BASIC_OPERATORS: readonly string[] = ['IN', 'NOT_IN'];
/** Operators that only the newest servers have. */
const RECENT_OPERATORS: readonly string[] = ['SEMVER_GTE', 'SEMVER_LTE', 'REGEX'];
/** The operator that client libraries evaluate, and only the embedded service accepts. */
const NETWORK_OPERATOR = 'IN_CIDR';
const ALL_OPERATORS: readonly string[] = Object.keys(OPERATORS);

/** The operators of servers, by the capability of the server. */
export const OPERATORS_OF: { readonly [operators in Operators]: readonly string[] } = {
  basic: BASIC_OPERATORS,
  extended: ALL_OPERATORS.filter((name) => name !== NETWORK_OPERATOR && !RECENT_OPERATORS.includes(name)),
  all: ALL_OPERATORS.filter((name) => name !== NETWORK_OPERATOR),
  withNetworks: ALL_OPERATORS,
};

const GROUPS = [
  ['NUM_', 'Number'],
  ['DATE_', 'Date'],
  ['SEMVER_', 'Version'],
] as const;

/** Returns what kind of values an operator compares, as a heading in a list of operators. */
export function getOperatorGroup(name: string): string {
  return GROUPS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'Text';
}

/** Returns the definition of an operator; undefined for one that this console does not know. */
export function findOperator(name: string): Operator | undefined {
  return Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
}
