// Generates toggles and contexts with a fixed seed, for comparisons of the evaluation with client libraries, through a flag
// service. All values are such that every server stores them and that libraries agree. ../sdk/verdicts.mjs generates the others,
// and gives them to the libraries without a server.

import { Random } from './random';

export interface Constraint {
  contextName: string;
  operator: string;
  values?: string[];
  value?: string;
  inverted?: boolean;
  caseInsensitive?: boolean;
}

export interface Variant {
  name: string;
  weight: number;
  weightType: string;
  stickiness: string;
  payload?: { type: string; value: string };
  overrides?: { contextName: string; values: string[] }[];
}

export interface Strategy {
  name: string;
  parameters: Record<string, string>;
  constraints: Constraint[];
  segments?: number[];
  variants?: Variant[];
}

export interface Toggle {
  name: string;
  enabled: boolean;
  strategies: Strategy[];
  variants: Variant[];
  dependencies?: { feature: string; enabled?: boolean; variants?: string[] }[];
}

export interface Context {
  userId?: string;
  sessionId?: string;
  remoteAddress: string;
  environment: string;
  appName: string;
  currentTime: string;
  properties: Record<string, string>;
}

const VALUES = {
  environment: ['production', 'staging', 'test'],
  appName: ['shop', 'Checkout', 'admin'],
  remoteAddress: ['10.0.0.1', '10.0.1.1', '192.168.7.9', '172.16.4.4'],
  plan: ['gold', 'Gold plus', 'silver', 'free'],
  version: ['1.2.3', '1.10.0', '2.0.0-beta.2', '2.0.0-beta.11', '2.0.0', '3.1.4'],
  age: ['0', '-3', '7.5', '18', '100'],
  currentTime: ['2001-01-01T00:00:00.000Z', '2024-06-01T12:30:00.000Z', '2099-01-01T00:00:00.000Z'],
} as const;
/** Names of the context fields in constraints. */
export const CONTEXT_FIELDS = ['userId', 'sessionId', 'missing', ...Object.keys(VALUES)];
const NETWORKS = ['10.0.0.0/24', '10.0.0.0/16', '192.168.7.9', '0.0.0.0/0', '172.16.0.0/12'];
const PERCENTAGES = ['0', '1', '25', '33', '50', '75', '100'];
const COMPARISONS = ['EQ', 'GT', 'GTE', 'LT', 'LTE'];

/** Number of users; user ids and session ids are numbers below it. */
const USERS = 60;

/** Generates toggles and contexts. */
export class EvaluationCases {
  readonly #random: Random;
  readonly #host: string;

  /** `host` is the name of this host. */
  constructor(seed: number, host: string) {
    this.#random = new Random(seed);
    this.#host = host;
  }

  /** Returns a toggle with properties of any version; `segments` are the ids of segments that it can use. */
  toggle(index: number, segments: readonly number[]): Toggle {
    const strategies = this.#random.list(1, 3, () => this.#strategy(segments));
    const toggle: Toggle = {
      name: toggleName(index),
      enabled: !this.#random.isOneIn(10),
      strategies,
      variants: this.#random.isOneIn(2) ? this.#variants() : [],
    };
    // Parents have no parents.
    if (index % 10 === 0 || !this.#random.isOneIn(5)) return toggle;
    const parent = { feature: toggleName(index - (index % 10)) };
    const state = this.#random.isOneIn(2) ? {} : { enabled: this.#random.isOneIn(2) };
    return { ...toggle, dependencies: [{ ...parent, ...state }] };
  }

  /** Returns the toggle without the properties that version 3 of the API does not have. */
  static withoutNewerProperties(toggle: Toggle): Toggle {
    const { dependencies: _dependencies, ...rest } = toggle;
    const strategies = toggle.strategies.map(({ name, parameters, constraints }) => ({
      name,
      parameters,
      constraints: constraints.filter(({ operator, inverted }) => operator.endsWith('IN') && !inverted),
    }));
    return { ...rest, strategies };
  }

  constraints(): Constraint[] {
    return this.#random.list(0, 2, () => this.#constraint());
  }

  context(): Context {
    const pick = (field: keyof typeof VALUES) => this.#random.pick(VALUES[field]);
    return {
      // At least one of both.
      ...this.#random.pick([
        { userId: this.#id() },
        { sessionId: this.#id() },
        { userId: this.#id(), sessionId: this.#id() },
      ]),
      remoteAddress: pick('remoteAddress'),
      environment: pick('environment'),
      appName: pick('appName'),
      currentTime: pick('currentTime'),
      properties: this.#random.isOneIn(6) ? {} : { plan: pick('plan'), version: pick('version'), age: pick('age') },
    };
  }

  #strategy(all: readonly number[]): Strategy {
    const group = this.#random.pick(['shop', 'checkout']);
    const percentage = this.#random.pick(PERCENTAGES);
    const strategies: Omit<Strategy, 'constraints'>[] = [
      { name: 'default', parameters: {} },
      { name: 'userWithId', parameters: { userIds: this.#random.list(0, 20, () => this.#id()).join(', ') } },
      { name: 'gradualRolloutUserId', parameters: { percentage, groupId: group } },
      { name: 'gradualRolloutSessionId', parameters: { percentage, groupId: group } },
      { name: 'gradualRolloutRandom', parameters: { percentage, groupId: group } },
      {
        name: 'remoteAddress',
        parameters: { IPs: this.#random.list(1, 2, () => this.#random.pick(NETWORKS)).join(',') },
      },
      { name: 'applicationHostname', parameters: { hostNames: this.#random.pick([this.#host, 'other-host']) } },
      { name: 'unknown-strategy', parameters: {} },
      this.#rollout(group, percentage),
      this.#rollout(group, percentage),
    ];
    const segments = all.filter(() => this.#random.isOneIn(8));
    return {
      ...this.#random.pick(strategies),
      constraints: this.constraints(),
      ...(segments.length > 0 && { segments }),
    };
  }

  #rollout(groupId: string, rollout: string): Omit<Strategy, 'constraints'> {
    const stickiness = this.#random.pick(['default', 'userId', 'sessionId', 'plan', 'random', 'missing']);
    // Servers store no overrides for variants of strategies, and client libraries do not agree on them.
    const withoutOverrides = ({ overrides: _, ...variant }: Variant): Variant => variant;
    const variants = this.#random.isOneIn(4) ? { variants: this.#variants(stickiness).map(withoutOverrides) } : {};
    return { name: 'flexibleRollout', parameters: { rollout, stickiness, groupId }, ...variants };
  }

  #variants(stickiness = this.#random.pick(['default', 'userId', 'plan', 'random'])): Variant[] {
    const weights = this.#random.pick([[1000], [500, 500], [1, 333, 666], [900, 100, 0]]);
    return weights.map((weight, index) => ({
      name: `v${index}`,
      weight,
      weightType: 'variable',
      stickiness,
      ...(this.#random.isOneIn(3) && { payload: { type: 'json', value: `{"index": ${index}}` } }),
      ...(this.#random.isOneIn(4) && {
        overrides: [{ contextName: 'userId', values: this.#random.list(1, 3, () => this.#id()) }],
      }),
    }));
  }

  #constraint(): Constraint {
    const inverted = this.#random.isOneIn(5) && { inverted: true };
    const field = this.#random.pick(['environment', 'appName', 'plan', 'userId', 'missing'] as const);
    const value = () => (field === 'userId' || field === 'missing' ? this.#id() : this.#random.pick(VALUES[field]));
    const comparison = this.#random.pick(COMPARISONS);
    const texts = {
      operator: `STR_${this.#random.pick(['STARTS_WITH', 'ENDS_WITH', 'CONTAINS'])}`,
      values: ['go', 'd', 'ER'],
    };
    const constraints: Constraint[] = [
      { contextName: field, operator: this.#random.pick(['IN', 'NOT_IN']), values: this.#random.list(1, 4, value) },
      { contextName: 'plan', ...texts, caseInsensitive: this.#random.isOneIn(2) },
      { contextName: 'age', operator: `NUM_${comparison}`, value: this.#random.pick(VALUES.age) },
      {
        contextName: 'currentTime',
        operator: this.#random.pick(['DATE_AFTER', 'DATE_BEFORE']),
        value: this.#random.pick(VALUES.currentTime),
      },
      { contextName: 'version', operator: `SEMVER_${comparison}`, value: this.#random.pick(VALUES.version) },
      { contextName: 'plan', operator: 'REGEX', value: '^g.*(d|s)$', caseInsensitive: this.#random.isOneIn(2) },
      { contextName: 'remoteAddress', operator: 'IN_CIDR', values: [this.#random.pick(NETWORKS)] },
    ];
    const listed = constraints.slice(0, 1);
    return { ...this.#random.pick(this.#random.isOneIn(2) ? constraints : listed), ...inverted };
  }

  #id(): string {
    return String(this.#random.below(USERS));
  }
}

function toggleName(index: number): string {
  return `shop.toggle-${index}`;
}
