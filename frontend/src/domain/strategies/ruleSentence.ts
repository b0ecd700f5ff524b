// Describes a rule (an activation strategy with its constraints) as a sentence, such as
// `25 % of users where region is Nordics, sticky on userId`. The words keep the fields that they come from, so that the
// editor can make them controls. All texts about rules use this module. Pure functions.
import type { Constraint, Strategy } from '@/api/generated/types';
import { withPercentSign } from '@/lib/format';
import { joinFirst, splitList } from '@/lib/text';
import { getBuiltInList, getShareParameter, type ListParameter } from './builtInStrategies';
import { describeConstraint } from './describeConstraint';
import { describeSchedule, findSchedule, getSchedule } from './schedule';

/** A part of a sentence. Parts are separated by spaces, except before a comma or a colon. */
export type RulePart = { readonly text: string } & (
  | { readonly kind: 'words' }
  /** The name of a strategy, which keeps its case. */
  | { readonly kind: 'name' }
  /** The value of a parameter. */
  | { readonly kind: 'parameter'; readonly parameter: string }
  /** The names of the segments. */
  | { readonly kind: 'segments' }
  /** A constraint, with its index in the strategy. */
  | { readonly kind: 'constraint'; readonly constraint: Constraint; readonly index: number }
  /** The schedule, with the indexes of its constraints. */
  | { readonly kind: 'schedule'; readonly indexes: readonly number[] }
);

/** A stored strategy, or one of the form for a new toggle. */
export interface Rule extends Omit<Strategy, 'parameters' | 'constraints'> {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly constraints?: readonly Constraint[] | null;
}

interface Options {
  /** A group that differs from the name of its toggle is named. Without a toggle, no group is named. */
  toggleName?: string | undefined;
  /** Returns the name of a segment. Default: its id. */
  segmentName?: ((id: number) => string) | undefined;
  /** Maximum number of values shown of each list and constraint. */
  maxValues?: number;
  /** Formats times. Default: the language of the console. */
  locale?: string | undefined;
  /** Time at which a schedule has ended or not. Default: the clock. */
  now?: number;
}

/** Number of values shown before "and n more". */
const MAX_VALUES = 5;

/** Returns the sentence of a rule in parts. It starts with a lower-case letter or a digit. */
export function getRuleParts(rule: Rule, options: Options = {}): RulePart[] {
  return [...whoParts(rule, options), ...getHashParts(rule, options), ...endParts(rule)];
}

/** Returns the sentence without the parts of `getHashParts`, for rows that show them in a second line. */
export function getShortRuleParts(rule: Rule, options: Options = {}): RulePart[] {
  return [...whoParts(rule, options), ...endParts(rule)];
}

/** Returns what a rollout hashes to select users, unless it is the default: `, sticky on userId` and `, group basket`. */
export function getHashParts(rule: Rule, options: Options = {}): RulePart[] {
  return [...stickinessParts(rule), ...groupParts(rule, options)];
}

function whoParts(rule: Rule, options: Options): RulePart[] {
  const { maxValues = MAX_VALUES } = options;
  return [
    ...subjectParts(rule, maxValues),
    ...segmentParts(rule, options),
    ...constraintParts(rule, { ...options, maxValues }),
  ];
}

function endParts(rule: Rule): RulePart[] {
  return [...variantParts(rule), ...(rule.disabled ? [words('(disabled)')] : [])];
}

/** Returns the parameters that the sentence omits or shortens. */
export function getOmittedParameters(rule: Rule, options: Options = {}): [name: string, value: string][] {
  const { maxValues = MAX_VALUES } = options;
  const named = new Set(getRuleParts(rule, options).map((part) => (part.kind === 'parameter' ? part.parameter : '')));
  const isShortened = (name: string, value: string) =>
    name === getBuiltInList(rule.name) && splitList(value).length > maxValues;
  return Object.entries(rule.parameters ?? {}).filter(([name, value]) => !named.has(name) || isShortened(name, value));
}

/** Returns the text between a part and the part before it. */
export function getSeparator({ text }: RulePart, index: number): '' | ' ' {
  return index === 0 || /^[,:]/u.test(text) ? '' : ' ';
}

/** Describes a rule as a sentence without a period. */
export function describeRule(rule: Rule, options: Options = {}): string {
  return getRuleParts(rule, options)
    .map((part, index) => getSeparator(part, index) + part.text)
    .join('');
}

/** Describes the users of a rule in short, without names, stickiness, group and variants: `3 users in staging`. */
export function describeSubject(rule: Rule): string {
  const [found, ...rest] = subjectParts(rule, 0);
  const first = found?.kind === 'name' ? selectedBy(rule.name) : found;
  const isShare = getShareParameter(rule.name) !== undefined;
  const isPlace = ({ contextName, operator, inverted }: Constraint) =>
    contextName === 'environment' && operator === 'IN' && !inverted;
  const constraints = rule.constraints ?? [];
  const places = constraints.filter(isPlace).map(({ values }) => words(`in ${joinFirst(values ?? [], 2)}`));
  const others = constraintParts(
    { ...rule, constraints: constraints.filter((one) => !isPlace(one)) },
    { maxValues: 2 },
  );
  return [...(first ? [first] : []), ...(isShare ? rest : []), ...segmentCount(rule), ...places, ...others]
    .map((part, index) => getSeparator(part, index) + part.text)
    .join('');
}

/** Lists of toggles contain no names of segments. */
function segmentCount({ segments }: Rule): RulePart[] {
  if (!segments || segments.length === 0) return [];
  return [words(segments.length === 1 ? 'in 1 segment' : `in ${segments.length} segments`)];
}

function words(text: string): RulePart {
  return { kind: 'words', text };
}

function parameter(name: string, text: string): RulePart {
  return { kind: 'parameter', parameter: name, text };
}

/** Words for one and for several entries of the lists of built-in strategies. */
const ENTRIES: { readonly [parameter in ListParameter]: { one: string; many: string } } = {
  userIds: { one: 'user', many: 'users' },
  hostNames: { one: 'host', many: 'hosts' },
  IPs: { one: 'address', many: 'addresses' },
};

/** Words for the whole of a percentage, unless it is "users". `flexibleRollout` depends on its stickiness. */
const SHARE_OF: { readonly [strategy: string]: string } = {
  gradualRolloutRandom: 'requests, at random',
  gradualRolloutSessionId: 'sessions',
};

const ROLLOUT_OF: { readonly [stickiness: string]: string } = { random: 'requests, at random', sessionId: 'sessions' };

function find<T>(table: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function subjectParts(rule: Rule, maxValues: number): RulePart[] {
  const { name, parameters = {} } = rule;
  if (name === 'default') return [words('everyone')];
  const list = getBuiltInList(name);
  if (list !== undefined) return listParts(list, rule, maxValues);
  const share = getShareParameter(name);
  if (share === undefined) return customParts(name, parameters);
  const { stickiness = 'default' } = parameters;
  const of = name === 'flexibleRollout' ? find(ROLLOUT_OF, stickiness) : find(SHARE_OF, name);
  return shareParts(share, parameters[share], of ?? 'users');
}

function shareParts(name: string, percentage: string | undefined, of: string): RulePart[] {
  return [parameter(name, withPercentSign(percentage || '0')), words(`of ${of}`)];
}

function listParts(list: ListParameter, rule: Rule, maxValues: number): RulePart[] {
  const entries = splitList(rule.parameters?.[list] ?? '');
  const { one, many } = ENTRIES[list];
  if (entries.length === 0) return [parameter(list, `no ${many}`)];
  const count = `${entries.length} ${entries.length === 1 ? one : many}`;
  const rest = entries.length - maxValues;
  const more = rest > 0 ? ` and ${rest} more` : '';
  const shown = `${entries.slice(0, maxValues).join(', ')}${more}`;
  const isFollowed = (rule.constraints?.length ?? 0) + (rule.segments?.length ?? 0) > 0;
  return [parameter(list, count), words(isFollowed ? `(${shown})` : `: ${shown}`)];
}

/** Only the application knows which users its own strategy selects: the values are read as words, such as `no holidays`. */
function customParts(name: string, parameters: Readonly<Record<string, string>>): RulePart[] {
  const set = Object.entries(parameters)
    .filter(([, value]) => `${value ?? ''}`.trim() !== '')
    // Servers send them in different orders.
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (set.length === 0) return [selectedBy(name)];
  return [
    { kind: 'name', text: `${name}:` },
    ...set.flatMap(([key, value], index) => [
      ...(index === 0 ? [] : [words(',')]),
      parameter(key, describeParameter(key, `${value}`.trim())),
    ]),
  ];
}

function selectedBy(name: string): RulePart {
  return words(`users selected by ${name}`);
}

function describeParameter(name: string, value: string): string {
  if (value === 'true') return name;
  if (value === 'false') return `no ${name}`;
  if (/percent|rollout/iu.test(name) && /^\d+(\.\d+)?$/u.test(value)) return withPercentSign(value);
  // The comma of a number is followed by digits.
  return `${name} ${OR.format(value.split(/,\s*(?=[^\s\d])/u))}`;
}

function segmentParts({ segments }: Rule, { segmentName = (id) => `${id}` }: Options): RulePart[] {
  if (!segments || segments.length === 0) return [];
  const names = segments.map(segmentName);
  return [words(`in ${names.length === 1 ? 'segment' : 'segments'}`), { kind: 'segments', text: joinAnd(names) }];
}

function constraintParts(rule: Rule, options: Options): RulePart[] {
  const { maxValues = MAX_VALUES } = options;
  const constraints = rule.constraints ?? [];
  const indexes = Object.values(findSchedule(constraints));
  const others = constraints
    .map((constraint, index) => ({ constraint, index }))
    .filter(({ index }) => !indexes.includes(index));
  const parts = others.flatMap(({ constraint, index }, at): RulePart[] => [
    words(at === 0 ? 'where' : 'and'),
    { kind: 'constraint', text: describeConstraint(constraint, maxValues), constraint, index },
  ]);
  if (indexes.length === 0) return parts;
  const text = describeSchedule(getSchedule(constraints), options);
  return [...parts, ...(parts.length > 0 ? [words(',')] : []), { kind: 'schedule', text, indexes }];
}

/** The default stickiness, and those that the subject contains, are not named. */
function stickinessParts({ name, parameters = {} }: Rule): RulePart[] {
  const { stickiness = 'default' } = parameters;
  const isNamed = name === 'flexibleRollout' && !['', 'default'].includes(stickiness) && !find(ROLLOUT_OF, stickiness);
  return isNamed ? [words(', sticky on'), parameter('stickiness', stickiness)] : [];
}

function groupParts({ name, parameters = {} }: Rule, { toggleName }: Options): RulePart[] {
  const { groupId = '' } = parameters;
  const isRollout = getShareParameter(name) !== undefined;
  const isNamed = isRollout && toggleName !== undefined && !['', toggleName].includes(groupId);
  return isNamed ? [words(', group'), parameter('groupId', groupId)] : [];
}

function variantParts({ variants }: Rule): RulePart[] {
  if (!variants || variants.length === 0) return [];
  const names = variants.map(({ name }) => name);
  return [words(`, with ${names.length === 1 ? 'variant' : 'variants'} ${joinAnd(names)}`)];
}

const OR = new Intl.ListFormat('en', { style: 'long', type: 'disjunction' });
const AND = new Intl.ListFormat('en', { style: 'long' });

function joinAnd(names: readonly string[]): string {
  return AND.format(names);
}
