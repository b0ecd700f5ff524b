// Records what client libraries decide about generated toggles. Prints JSON lines: states, contexts, and the verdicts of
// unleash-client 6 and 3 for Node and of UnleashClient for Python (their own code, without a server that rewrites values).
//
//   node frontend/e2e/sdk/verdicts.mjs GROUPS [SEED]
//
// Each line has states of the toggle `t` that differ in little, so that pairs of them are changes:
//   {"states": [{"features": […], "segments": […]}], "contexts": […], "verdicts": [[["-", "-", "+v1"], …], …]}
// `verdicts[state][context]` are those of Node 6, Node 3 and Python: `-` off, `+` on without a variant, `+v1` on with the
// variant v1, `?` for a random part.
//
// The first line has lists without items. Not generated: documents that the Python library refuses as a whole (numbers instead of texts, missing names); absent
// `values` and `parameters`, for which the Node libraries throw; `userId` and similar fields inside `properties`, names
// such as `constructor`, and an absent `currentTime`; sums of weights of 0 for Python, which then fails.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';

// Dates without an offset are local times. The zone must not hide that.
process.env.TZ = 'Asia/Tokyo';

const CONTEXTS = 5;
const MUTATIONS = 3;
/** Number of draws of an evaluation that uses random numbers. */
const DRAWS = 16;
const NAME = 't';
const PYTHON = path.join(import.meta.dirname, '../../../target/python-sdk/bin/python');
const require = createRequire(import.meta.url);

const TEXTS = [
  'gold',
  'Gold plan',
  'silver',
  'GOLD',
  '',
  ' gold',
  'gold ',
  ' ',
  '1',
  'straße',
  'ÄRGER',
  '\u212a',
  '\u017filver',
  'İ',
  'ΟΔΟΣ',
  'ς',
  '٣',
  'a"b',
  'a\\',
  'a\\b',
  '日本',
  '😀',
  '\u00a0gold',
  'x',
  'k',
  'a,b',
];
const NUMBERS = [
  '0',
  '1',
  '-3',
  '7.5',
  '18',
  '100',
  '1e2',
  '1E2',
  '+4',
  '5.',
  '.5',
  '0x64',
  '0b1100100',
  '0o144',
  'Infinity',
  '-Infinity',
  'NaN',
  'inf',
  'infinity',
  'nan',
  '',
  ' ',
  ' 50 ',
  '\t5',
  '5\n',
  '50.5',
  '-5',
  '1_000',
  '1,000',
  '٣',
  '1e400',
  '-0',
  '0.1',
  '0.3',
  '0.30000000000000004',
  '9007199254740993',
  'x',
  '1e',
  '--1',
  '0x',
  '-0x1',
  '1e+2',
  '010',
  '1n',
  '\u00a05',
];
/** Few draws show that these are random. */
const PERCENTAGES = [
  '0',
  '25',
  '33',
  '50',
  '75',
  '100',
  '101',
  '150',
  '1000',
  '-5',
  '50.5',
  '33.3',
  ' 50 ',
  '+50',
  '050',
  '1e2',
  '0x64',
  '0b1100100',
  '0o144',
  'Infinity',
  '-Infinity',
  'NaN',
  '',
  'x',
  '50%',
  '100.0',
  '5e1',
  '\u00a050',
  '0.5',
  '5_0',
];
const SMALL_PERCENTAGES = ['1', '99', '0.5', '99.9', '3', '97'];
const TIMES = [
  '2001-01-01T00:00:00Z',
  '2001-01-01T00:00:00.000Z',
  '2001-01-01T01:00:00+02:00',
  '2001-01-01T00:00:00.123Z',
  '2001-01-01T00:00:00.12Z',
  '2001-01-01T00:00:00.123456Z',
  '2001-01-01',
  '2001-01',
  '2001',
  '2001-01-01T00:00Z',
  '2001-01-01T00:00:00',
  '2001-01-01 00:00:00',
  '2001-01-01 00:00:00Z',
  'Jan 1, 2001',
  'Mon, 01 Jan 2001 00:00:00 GMT',
  '978307200000',
  '978307200',
  '2001-02-30T00:00:00Z',
  '2001-13-01T00:00:00Z',
  '2001-01-01T24:00:00Z',
  '2001-01-01T23:59:60Z',
  '2001-01-01t00:00:00z',
  '+002001-01-01T00:00:00Z',
  'now',
  '',
  '2099-01-01T00:00:00Z',
  '2020-06-01T12:30:00.000Z',
  ' 2001-01-01T00:00:00Z ',
  '2001-01-01T00:00:00+0200',
  '2001-01-01T00:00:00-00:00',
  '20010101',
  '2001-1-1',
  '2001-01-01T00:00:00.000+00:00',
];
const VERSIONS = [
  '1.0.0',
  '1.2.3',
  '1.10.0',
  '2.0.0-beta',
  '2.0.0-beta.2',
  '2.0.0-beta.11',
  '2.0.0+build',
  '2.0.0',
  '3.1.4',
  '2.0',
  '2',
  'v1.2.3',
  ' 1.2.3',
  '1.2.3 ',
  ' v1.2.3',
  'V1.2.3',
  '=1.2.3',
  '01.2.3',
  '1.2.3-01',
  '1.2.3-',
  '1.2.3-a..b',
  '9007199254740993.0.0',
  '99999999999999999999.0.0',
  '1.2.3-9007199254740993',
  '1.2.3-é',
  '',
  'x',
  '1.2.x',
  '1.2.3.4',
  '1.2.3-Beta',
  '\t1.2.3',
  '1.2.3+a.b',
];
const PATTERNS = [
  '^go',
  'old$',
  'g.ld',
  '^$',
  '[0-9]+',
  '(gold|silver)',
  '^gold( plan)?$',
  '(',
  'a{2,1}',
  '\\d',
  '\\w+',
  '^\\w+$',
  '\\s',
  '\\bgold\\b',
  '\\p{Nd}|x',
  '.{1,999}',
  '.{1,1001}',
  '(?i)GOLD',
  '(?=g)',
  '(g)\\1',
  '\\Qgold\\E',
  '[[:alpha:]]+',
  '[^g]',
  '\\p{L}+',
  '\\pL',
  '(?P<a>g)',
  '(?<a>g)',
  'a{,2}',
  '{',
  'a{',
  '\\',
  'gold\\\\',
  '"',
  '[a&&b]',
  '[a--b]',
  '\\x67',
  '\\u0067',
  '\\/',
  '\\-',
  'ß',
  'STRASSE',
  'k',
  '\\<gold',
  '\\Z',
  '\\z',
  '(?m)^d',
  '(?s).',
  '(?x) g o',
  '(?U)g+',
  '^.$',
  '\\C',
  '',
  '*',
  'g**',
  'g*?',
  'a'.repeat(1200),
  '(a{1,100}){1,100}',
  'silver|s',
  ' ',
  'g o',
];
const NETWORKS = [
  '10.0.0.0/24',
  '10.0.0.0/16',
  '10.0.0.7/16',
  '192.168.7.9',
  '2001:db8::/32',
  '2001:db8::7',
  '::1',
  '::/0',
  '0.0.0.0/0',
  '10.0.0.0/99',
  '10.0.0.0/33',
  'office',
  '',
  '10.0.0.0/255.255.255.0',
  '010.0.0.1',
  '10.1',
  '::ffff:10.0.0.1',
  '::ffff:10.0.0.0/120',
  '::ffff:0:0/96',
  '2001:DB8::7',
  '2001:0db8:0:0:0:0:0:7',
  'fe80::1%eth0',
  ' 10.0.0.1 ',
  '10.0.0.1/',
  '10.0.0.1/032',
  '10.0.0.1/32/32',
  '0x0a000001',
  '[::1]',
  '10.0.0.256',
  '10.0.0.1/32',
  '10.0.0.1/00',
  '2001:db8::/129',
  '10.0.0.0/0',
  '2001:db8::7/64',
];
const ADDRESSES = [
  '10.0.0.1',
  '10.0.1.1',
  '192.168.7.9',
  '::1',
  '2001:db8::7',
  '2001:db8:0::7',
  '2001:DB8::7',
  '2001:db9::1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  'office',
  '',
  '010.0.0.1',
  '10.1',
  ' 10.0.0.1',
  'fe80::1%eth0',
  '10.0.0.256',
  '[::1]',
  '0x0a000001',
  '127.0.0.1',
  '10.0.0.1:80',
];
const GROUPS = ['shop', 'checkout', '', 'äöü', 'a"b', 'a\\', ' shop'];
const STICKINESS = [
  'default',
  'userId',
  'sessionId',
  'plan',
  'random',
  'missing',
  '',
  'appName',
  'remoteAddress',
  'currentTime',
  'Default',
  'a"b',
];
const OPERATORS = [
  'IN',
  'NOT_IN',
  'STR_STARTS_WITH',
  'STR_ENDS_WITH',
  'STR_CONTAINS',
  'NUM_EQ',
  'NUM_GT',
  'NUM_GTE',
  'NUM_LT',
  'NUM_LTE',
  'DATE_AFTER',
  'DATE_BEFORE',
  'SEMVER_EQ',
  'SEMVER_GT',
  'SEMVER_GTE',
  'SEMVER_LT',
  'SEMVER_LTE',
  'REGEX',
  'IN_CIDR',
  'SOUNDS_LIKE',
  '',
];
/** Context fields of operators, by their prefixes. */
const USUAL_FIELDS = [
  ['NUM_', 'age'],
  ['DATE_', 'currentTime'],
  ['SEMVER_', 'version'],
  ['IN_CIDR', 'remoteAddress'],
];
const FIELDS = [
  'plan',
  'userId',
  'environment',
  'plan',
  'appName',
  'age',
  'version',
  'currentTime',
  'remoteAddress',
  'sessionId',
];
const STRATEGIES = [
  'default',
  'default',
  'userWithId',
  'gradualRolloutUserId',
  'gradualRolloutSessionId',
  'gradualRolloutRandom',
  'remoteAddress',
  'flexibleRollout',
  'flexibleRollout',
  'flexibleRollout',
  'beta-group',
];
const USERS = 12;

/** Generates states and contexts with a seed. */
class Cases {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  below(end) {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % end;
  }

  is(oneIn) {
    return this.below(oneIn) === 0;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** Prefers the first entries, which are common values. */
  value(list, common = 6) {
    return this.is(2) ? this.pick(list.slice(0, common)) : this.pick(list);
  }

  list(min, max, make) {
    return Array.from({ length: min + this.below(max - min + 1) }, make);
  }

  id() {
    return this.is(12) ? this.pick(TEXTS) : String(this.below(USERS));
  }

  valueOf(field) {
    if (field === 'userId' || field === 'sessionId') return this.id();
    if (field === 'remoteAddress') return this.value(ADDRESSES);
    if (field === 'currentTime') return this.value(TIMES, 5);
    if (field === 'version') return this.value(VERSIONS, 9);
    if (field === 'age') return this.value(NUMBERS);
    return this.value(TEXTS, 4);
  }

  context() {
    const [context, properties] = [{}, {}];
    for (const field of ['userId', 'sessionId', 'remoteAddress']) if (!this.is(4)) context[field] = this.valueOf(field);
    // The libraries fill in these.
    for (const field of ['environment', 'appName', 'currentTime']) context[field] = this.valueOf(field);
    for (const field of ['plan', 'version', 'age', 'a"b']) if (!this.is(5)) properties[field] = this.valueOf(field);
    return { ...context, properties };
  }

  constraint() {
    const operator = this.is(30) ? this.pick(OPERATORS) : this.pick(OPERATORS.slice(0, 19));
    const usual = USUAL_FIELDS.find(([prefix]) => operator.startsWith(prefix))?.[1] ?? this.pick(FIELDS);
    const contextName = this.is(15) ? this.pick(['missing', '', 'a"b', 'userId', 'age', 'version']) : usual;
    const constraint = { contextName, operator, values: [] };
    if (/^(NUM|DATE|SEMVER)_/.test(operator) || operator === 'REGEX') {
      const pool = { N: NUMBERS, D: TIMES, S: VERSIONS, R: PATTERNS }[operator[0]];
      if (!this.is(20)) constraint.value = this.value(pool, 7);
    } else {
      const pool = operator === 'IN_CIDR' ? () => this.value(NETWORKS, 8) : () => this.valueOf(contextName);
      constraint.values = this.list(this.is(10) ? 0 : 1, 3, pool);
    }
    if (this.is(4)) constraint.inverted = true;
    if (this.is(4)) constraint.caseInsensitive = true;
    return constraint;
  }

  variants(ofStrategy) {
    if (!this.is(ofStrategy ? 4 : 3)) return [];
    const weights = this.pick([[1000], [500, 500], [1, 333, 666], [900, 100, 0], [0, 1000], [1, 1]]);
    const stickiness = this.pick(STICKINESS);
    return weights.map((weight, index) => ({
      name: `v${index}`,
      weight,
      ...(!this.is(5) && { stickiness }),
      ...(this.is(4) && {
        overrides: [{ contextName: this.pick(['userId', 'plan']), values: this.list(1, 3, () => this.id()) }],
      }),
    }));
  }

  parameters(name = 'default') {
    const parameters = {};
    if (name === 'userWithId') {
      const users = this.list(0, 6, () => this.id()).join(this.pick([',', ', ', ' ,']));
      if (!this.is(12)) parameters.userIds = this.is(10) ? ` ${users} ` : users;
    } else if (name === 'remoteAddress') {
      if (!this.is(12)) parameters.IPs = this.list(0, 2, () => this.value(NETWORKS, 4)).join(this.pick([',', ', ']));
    } else if (name !== 'default') {
      const key = name === 'flexibleRollout' ? 'rollout' : 'percentage';
      if (!this.is(15))
        parameters[key] = this.value(name.endsWith('Id') ? [...PERCENTAGES, ...SMALL_PERCENTAGES] : PERCENTAGES, 6);
      if (!this.is(6)) parameters.groupId = this.value(GROUPS, 2);
      if (name === 'flexibleRollout' && !this.is(6)) parameters.stickiness = this.value(STICKINESS, 4);
    }
    return parameters;
  }

  strategy() {
    const name = this.pick(STRATEGIES);
    const segments = this.is(5) ? this.list(1, 2, () => this.pick([1, 1, 1, 2, 2, 2, 9])) : [];
    return {
      name,
      parameters: this.parameters(name),
      constraints: this.is(2) ? [] : this.list(1, 2, () => this.constraint()),
      ...(segments.length > 0 && { segments }),
      variants: this.variants(true),
    };
  }

  toggle(name, parents) {
    const toggle = {
      name,
      enabled: !this.is(20),
      strategies: this.list(this.is(10) ? 0 : 1, 2, () => this.strategy()),
      variants: this.variants(false),
    };
    if (parents.length > 0 && this.is(4))
      toggle.dependencies = this.list(1, this.is(4) ? 2 : 1, () => this.dependency(parents));
    return toggle;
  }

  dependency(parents) {
    const dependency = { feature: this.is(12) ? 'unknown' : this.pick(parents) };
    if (this.is(2)) dependency.enabled = this.is(2);
    if (this.is(3)) dependency.variants = this.pick([['v0'], ['v0', 'v1'], [], ['disabled'], ['other']]);
    return dependency;
  }

  state() {
    // `q` is a child itself, which no library accepts as a parent.
    const q = this.toggle('q', ['p']);
    return {
      features: [this.toggle(NAME, ['p', 'p', 'p', 'p', 'q']), this.toggle('p', []), q],
      segments: [1, 2].map((id) => ({ id, name: `s${id}`, constraints: this.list(0, 2, () => this.constraint()) })),
    };
  }

  /** Returns the state after a small change. */
  mutate(state) {
    const next = structuredClone(state);
    const toggle = this.is(6) ? next.features[1] : next.features[0];
    const { strategies } = toggle;
    const strategy = this.pick(strategies);
    const constraints = this.is(5) ? this.pick(next.segments).constraints : (strategy?.constraints ?? []);
    const constraint = this.pick(constraints);
    const set = (target, change) => Object.assign(target ?? {}, change);
    const all = [
      () => set(toggle, { enabled: !toggle.enabled }),
      () => strategies.push(this.strategy()),
      () => strategies.splice(this.below(strategies.length), 1),
      () => strategies.reverse(),
      () => set(toggle, { variants: this.variants(false) }),
      () => set(strategy, { variants: this.variants(true) }),
      () => set(strategy, { parameters: this.parameters(strategy?.name) }),
      () => set(strategy, { parameters: { ...strategy?.parameters, ...this.parameters(strategy?.name) } }),
      () => set(strategy, { name: 'default', parameters: {} }),
      () => constraints.push(this.constraint()),
      () => constraints.splice(this.below(constraints.length), 1),
      () => set(constraint, { inverted: !constraint?.inverted }),
      () => set(constraint, { caseInsensitive: !constraint?.caseInsensitive }),
      () => set(constraint, this.constraint()),
      () => set(constraint, { value: this.constraint().value ?? '' }),
      () => constraint?.values.pop(),
      () => constraint?.values.push(this.valueOf(constraint.contextName)),
      () => set(constraint, { operator: 'IN', values: this.list(1, 2, () => this.valueOf(constraint?.contextName)) }),
      () =>
        set(constraint, {
          operator: this.pick(OPERATORS.filter((other) => other[0] === constraint?.operator[0] || !constraint)),
        }),
      () => set(next.features[0], { dependencies: this.is(2) ? [] : [this.dependency(['p', 'p', 'p', 'q'])] }),
      () => set(strategy, { segments: this.pick([[], [1], [2], [1, 2]]) }),
    ];
    this.pick(all)();
    return next;
  }

  group() {
    const states = [this.state()];
    while (states.length <= MUTATIONS) states.push(this.mutate(this.is(3) ? states[states.length - 1] : states[0]));
    return { states, contexts: Array.from({ length: CONTEXTS }, () => this.context()) };
  }
}

/** Returns lists without items, which a library could take for lists with an empty user id, address or host. */
function emptyLists() {
  const toStrategy = (name, parameters) => ({ name, parameters, constraints: [], variants: [] });
  const users = toStrategy('userWithId', { userIds: 'ada' });
  const lists = { userWithId: 'userIds', remoteAddress: 'IPs', applicationHostname: 'hostNames' };
  const empty = Object.entries(lists).flatMap(([name, list]) =>
    [{}, { [list]: '' }, { [list]: ',' }].map((parameters) => toStrategy(name, parameters)),
  );
  const toState = (strategies) => ({
    features: [{ name: NAME, enabled: true, strategies, variants: [] }],
    segments: [],
  });
  return {
    states: [[users], ...empty.map((list) => [users, list])].map(toState),
    contexts: [{}, { userId: '', remoteAddress: '' }, { userId: 'ada' }],
  };
}

/** Returns the verdicts of a version of the Node library. */
function judgeWithNode(major, { features, segments }, contexts) {
  const { default: UnleashClient } = require(`unleash-client-${major}/lib/client.js`);
  const { defaultStrategies } = require(`unleash-client-${major}/lib/strategy`);
  const repository = {
    getToggle: (name) => features.find((toggle) => toggle.name === name),
    getSegment: (id) => segments.find((segment) => segment.id === id),
  };
  const client = new UnleashClient(repository, defaultStrategies);
  client.on('error', () => {});
  const evaluate = (context) => {
    const isOn = client.isEnabled(NAME, context, () => false);
    const { name, enabled } = client.getVariant(NAME, context);
    return [isOn, enabled ? name : ''];
  };
  return contexts.map((context) => judge(() => evaluate(context)));
}

/** Evaluates once, and often if the library uses random numbers. */
function judge(evaluate) {
  const { random } = Math;
  let calls = 0;
  try {
    Math.random = () => {
      calls += 1;
      return 0.5;
    };
    const first = evaluate();
    if (calls === 0) return toVerdict([first]);
    const draws = Array.from({ length: DRAWS }, (_, draw) => {
      // From 0 to almost 1.
      Math.random = () => (0.9999 * draw) / (DRAWS - 1);
      return evaluate();
    });
    return toVerdict(draws);
  } finally {
    Math.random = random;
  }
}

function toVerdict(draws) {
  const on = draws.filter(([isOn]) => isOn);
  if (on.length === 0) return '-';
  const variants = new Set(on.map(([, variant]) => variant));
  const variant = variants.size === 1 ? [...variants][0] : '?';
  return `${on.length === draws.length ? '+' : '?'}${variant}`;
}

/** Returns the state without the toggles and segments to which the toggle does not refer. */
function withoutUnused({ features, segments }) {
  const isUsed = ({ name }) => name === NAME || JSON.stringify(features[0].dependencies ?? []).includes(`"${name}"`);
  const used = features.filter(isUsed);
  const ids = used.flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments ?? []));
  const usedSegments = segments.filter(({ id }) => ids.includes(id));
  return { features: used, ...(usedSegments.length > 0 && { segments: usedSegments }) };
}

async function judgeWithPython(groups) {
  const child = spawn(PYTHON, [path.join(import.meta.dirname, 'python/verdicts.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(groups.map((group) => `${JSON.stringify(group)}\n`).join(''));
  const lines = (await text(child.stdout)).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

const [count = '100', seed = '1'] = process.argv.slice(2);
const cases = new Cases(Number(seed));
const groups = [emptyLists(), ...Array.from({ length: Number(count) }, () => cases.group())];
const python = await judgeWithPython(groups);
for (const [index, group] of groups.entries()) {
  const verdicts = group.states.map((state, at) => {
    const [six, three] = [6, 3].map((major) => judgeWithNode(major, state, group.contexts));
    return group.contexts.map((_, context) => [six[context], three[context], python[index][at][context]]);
  });
  const states = group.states.map(withoutUnused);
  process.stdout.write(`${JSON.stringify({ states, contexts: group.contexts, verdicts })}\n`);
}
