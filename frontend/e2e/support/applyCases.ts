// Generates states of toggles with a fixed seed, for `flagdeck apply` on real servers: state before, and file.

import type { Constraint, Variant } from './evaluationCases';
import { Random } from './random';

export interface PlannedStrategy {
  name: string;
  title?: string;
  disabled?: boolean;
  parameters: Record<string, string>;
  constraints: Constraint[];
  segments?: number[];
  variants?: Variant[];
}

export interface PlannedToggle {
  description: string;
  type: string;
  stale: boolean;
  enabled: boolean;
  strategies: PlannedStrategy[];
  variants: Variant[];
  tags: { type: string; value: string }[];
  project?: string;
  impressionData?: boolean;
  dependencies?: { feature: string; enabled?: boolean; variants?: string[] }[];
}

export type Kind = 'new' | 'live' | 'archived';

export interface ApplyCase {
  name: string;
  kind: Kind;
  /** The toggle before; of a new one, its defaults. */
  before: PlannedToggle;
  /** The properties in the file. */
  file: Partial<PlannedToggle>;
  /** The toggle after it. */
  after: PlannedToggle;
}

/** Number of users of the contexts, whose ids are the numbers below it. */
export const USERS = 10;

/** What a flag service stores. */
export interface Storage {
  /** Properties that 5.12 and newer servers store. */
  hasNewerProperties: boolean;
  /** Stickiness of variants. */
  hasVariantStickiness: boolean;
  /** Toggles without strategies. A toggle that is on has an enabled one. */
  hasNoStrategies: boolean;
  /** Ids. */
  segments: readonly number[];
}

export class ApplyCases {
  readonly #random: Random;
  readonly #storage: Storage;
  #isOdd = false;

  constructor(seed: number, storage: Storage) {
    this.#random = new Random(seed);
    this.#storage = storage;
  }

  /** True if the file contains a state that some servers refuse. */
  get isOdd(): boolean {
    return this.#isOdd;
  }

  isOneIn(count: number): boolean {
    return this.#random.isOneIn(count);
  }

  below(end: number): number {
    return this.#random.below(end);
  }

  /** Returns toggles; each of the last two depends on one of the first two at most. After the file, the pairs may have changed roles. */
  next(prefix: string): ApplyCase[] {
    const names = ['a', 'b', 'c', 'd'].map((name) => `${prefix}.${name}`);
    const rolesChange = this.isOneIn(4);
    const parents = new Set<string>();
    const cases = names.map((name, index): ApplyCase => {
      const kind = this.#random.pick<Kind>(['live', 'live', 'live', 'live', 'archived', 'new']);
      const isChild = index >= 2;
      const before = kind === 'new' ? structuredClone(NEW) : this.#stored();
      const after = this.#toggle();
      const parent = names[this.below(2)] ?? '';
      if (this.#storage.hasNewerProperties) {
        before.dependencies = isChild && kind === 'live' && !this.isOneIn(3) ? [this.#dependency(parent)] : [];
        let other = this.isOneIn(3) ? names[this.below(2)] : parent;
        if (rolesChange) other = names[2 + this.below(2)];
        after.dependencies = isChild !== rolesChange && !this.isOneIn(3) ? [this.#dependency(other ?? '')] : [];
      }
      for (const { feature } of before.dependencies ?? []) parents.add(feature);
      return { name, kind, before, file: after, after };
    });
    for (const { after } of cases) if (this.isOneIn(20)) this.#makeOdd(after, names);
    const mixed = cases.map((one) => {
      // Parents exist before.
      const isLive = parents.has(one.name);
      const kind = isLive ? 'live' : one.kind;
      const before =
        isLive && one.kind === 'new'
          ? { ...this.#stored(), ...(this.#storage.hasNewerProperties && { dependencies: [] }) }
          : one.before;
      return { ...one, kind, ...this.#mixed(kind, before, one.after) };
    });
    for (const one of mixed) this.#makeStorable(one, mixed);
    return mixed;
  }

  /** Changes a file that no server stores as it is, with few exceptions. */
  #makeStorable({ name, file, after }: ApplyCase, cases: readonly ApplyCase[]): void {
    const parents = (after.dependencies ?? []).map(({ feature }) => feature);
    const child = cases.find((other) => other.after.dependencies?.some(({ feature }) => feature === name));
    const replacement: Partial<PlannedToggle> = {};
    if (parents.length > 0 && child) replacement.dependencies = [];
    const isUsable = after.strategies.some(({ disabled }) => !disabled);
    if (this.#storage.hasNoStrategies && after.enabled && !isUsable) replacement.enabled = false;
    if (Object.keys(replacement).length === 0) return;
    if (this.isOneIn(20)) this.#isOdd = true;
    else for (const toggle of [file, after]) Object.assign(toggle, replacement);
  }

  /** Lets some properties keep their value. The properties of an archived toggle are not known. */
  #mixed(kind: Kind, before: PlannedToggle, wanted: PlannedToggle): Pick<ApplyCase, 'before' | 'file' | 'after'> {
    // The file does not name the toggle.
    if (kind === 'live' && this.isOneIn(8)) return { before, file: {}, after: { ...before } };
    const file: Partial<PlannedToggle> = { ...wanted };
    const after = { ...wanted };
    for (const key of Object.keys(wanted) as (keyof PlannedToggle)[]) {
      if (this.isOneIn(4)) Object.assign(file, { [key]: before[key] });
      else if (kind === 'live' && this.isOneIn(6)) delete file[key];
      else continue;
      Object.assign(after, { [key]: before[key] });
    }
    return { before, file, after };
  }

  /** Returns a state that all servers store. */
  #stored(): PlannedToggle {
    const toggle = this.#toggle();
    // Newer servers add a strategy if a toggle without an enabled one is switched on.
    if (toggle.strategies.every(({ disabled }) => disabled)) toggle.enabled = false;
    return toggle;
  }

  /** Gives a toggle a value that some servers refuse, drop or change. */
  #makeOdd(toggle: PlannedToggle, names: readonly string[]): void {
    const [strategy] = toggle.strategies;
    if (!strategy) return;
    this.#isOdd = true;
    const variant = { name: 'v0', weight: 1000, weightType: 'variable', stickiness: 'default' };
    const overrides = [{ contextName: 'userId', values: ['1'] }];
    const odd: (() => void)[] = [
      () => Object.assign(toggle, { impressionData: true }),
      () =>
        Object.assign(toggle, {
          variants: [
            { ...variant, name: 'b', weight: 500 },
            { ...variant, name: 'a', weight: 500 },
          ],
        }),
      () =>
        Object.assign(toggle, {
          variants: [
            { ...variant, weight: 400 },
            { ...variant, name: 'v1', weight: 600 },
          ],
        }),
      () => Object.assign(toggle, { variants: [{ ...variant, weightType: 'fix' }] }),
      () => Object.assign(toggle, { variants: [{ ...variant, payload: { type: 'string', value: '' } }] }),
      () => Object.assign(toggle, { variants: [{ ...variant, payload: { type: 'json', value: '{' } }] }),
      () => Object.assign(toggle, { variants: [{ ...variant, payload: { type: 'xml', value: '<x/>' } }] }),
      () => Object.assign(toggle, { variants: [{ ...variant, payload: this.#random.pick(ODD_PAYLOADS) }] }),
      () => Object.assign(toggle, { variants: [{ ...variant, name: 'a b' }] }),
      () =>
        Object.assign(toggle, {
          variants: [this.#random.pick(ODD_NAMES), this.#random.pick(ODD_NAMES)].map((name) => ({
            ...variant,
            name,
            weight: 500,
          })),
        }),
      () => Object.assign(toggle, { tags: [{ type: 'simple', value: this.#random.pick(ODD_TAGS) }] }),
      () => Object.assign(toggle, { tags: [{ type: this.#random.pick(['kind', 'Kind', 'a b']), value: 'red' }] }),
      () => Object.assign(toggle, { type: 'other' }),
      () => Object.assign(toggle, { project: 'other' }),
      () => Object.assign(toggle, { description: this.#random.pick([' one ', 'one\ntwo', 'x'.repeat(1000)]) }),
      () => Object.assign(toggle, { dependencies: names.slice(0, 2).map((feature) => ({ feature })) }),
      () => Object.assign(strategy, { title: this.#random.pick(['Odd', ' Odd ', 'x'.repeat(300)]) }),
      () => Object.assign(strategy, { name: this.#random.pick(['other', 'a b']), parameters: {} }),
      () =>
        Object.assign(strategy, {
          name: 'userWithId',
          parameters: { userIds: this.#random.pick(['', ' 1 , 2', '1\n2']) },
        }),
      () => Object.assign(strategy, { parameters: { ...strategy.parameters, own: 'x', id: '1' } }),
      () =>
        Object.assign(strategy, {
          constraints: [{ contextName: 'userId', operator: 'NUM_GT', values: [], value: '4' }],
        }),
      () =>
        Object.assign(strategy, {
          constraints: [{ contextName: this.#random.pick(['plan', 'a b']), operator: 'IN', values: ['1'] }],
        }),
      () =>
        Object.assign(strategy, {
          constraints: [
            { contextName: 'userId', operator: 'IN', values: this.#random.pick([['1', '1'], [' 1'], ['']]) },
          ],
        }),
      () => Object.assign(strategy, { constraints: [{ contextName: 'userId', operator: 'NEWER', values: ['1'] }] }),
      () => Object.assign(strategy, { disabled: true }),
      () => Object.assign(strategy, { variants: [{ ...variant, overrides }] }),
      () => Object.assign(strategy, { variants: [{ ...variant, weight: 1 }] }),
      () => Object.assign(strategy, { variants: [{ name: 'v0', weight: 1000, weightType: 'variable' }] }),
      () => Object.assign(strategy, { constraints: [{ contextName: 'userId', operator: 'NUM_GT', value: '4' }] }),
      () => Object.assign(strategy, { name: 'flexibleRollout', parameters: { rollout: '40', stickiness: 'userId' } }),
      () => Object.assign(strategy, { name: 'flexibleRollout', parameters: { rollout: '40', groupId: 'x' } }),
      () =>
        Object.assign(strategy, {
          constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'], inverted: true }],
        }),
      () => Object.assign(strategy, { constraints: [{ contextName: 'userId', operator: 'IN', values: [] }] }),
      () => Object.assign(strategy, { constraints: [{ contextName: 'userId', operator: 'NOT_IN', values: [] }] }),
      () =>
        Object.assign(strategy, {
          constraints: [{ contextName: 'userId', values: [], ...this.#random.pick(ODD_VALUES) }],
        }),
      () => Object.assign(strategy, { constraints: [{ contextName: 'userId', operator: 'STR_CONTAINS', values: [] }] }),
      () =>
        Object.assign(strategy, {
          constraints: [{ contextName: 'userId', operator: 'IN', values: ['x'.repeat(101)] }],
        }),
    ];
    this.#random.pick(odd)();
  }

  #toggle(): PlannedToggle {
    return {
      description: this.#random.pick(['', 'one', 'two']),
      type: this.#random.pick(['release', 'experiment']),
      stale: this.isOneIn(4),
      enabled: !this.isOneIn(3),
      strategies: this.#random.list(this.#storage.hasNoStrategies && this.isOneIn(8) ? 0 : 1, 3, () =>
        this.#strategy(),
      ),
      variants: this.isOneIn(2) ? [] : this.#variants(true),
      tags: this.#random
        .list(0, 2, () => ({ type: 'simple', value: this.#random.pick(['red', 'green', 'blue']) }))
        .filter((tag, index, all) => all.findIndex(({ value }) => value === tag.value) === index),
      ...(this.#storage.hasNewerProperties && { impressionData: this.isOneIn(3) }),
    };
  }

  #dependency(feature: string) {
    const condition = this.#random.pick([{}, {}, {}, { enabled: false }, { variants: ['v0'] }]);
    return { feature, ...condition };
  }

  #strategy(): PlannedStrategy {
    const users = () => this.#random.list(1, 4, () => String(this.below(USERS)));
    const rollout = this.#random.pick(['0', '30', '60', '100']);
    const strategy = this.#random.pick<Pick<PlannedStrategy, 'name' | 'parameters'>>([
      { name: 'default', parameters: {} },
      { name: 'userWithId', parameters: { userIds: users().join(',') } },
      {
        name: 'flexibleRollout',
        parameters: { rollout, stickiness: 'userId', groupId: this.#random.pick(['x', 'y']) },
      },
      { name: 'flexibleRollout', parameters: { rollout, stickiness: 'userId', groupId: 'z' } },
      { name: 'gradualRolloutUserId', parameters: { percentage: rollout, groupId: 'z' } },
    ]);
    const constraints = this.#random.list(0, 2, () => {
      const operator = this.#random.pick(['IN', 'NOT_IN']);
      if (!this.#storage.hasNewerProperties) return { contextName: 'userId', operator, values: users() };
      const newer = { operator: 'NUM_GT', values: [], value: String(this.below(USERS)) };
      return {
        contextName: 'userId',
        ...(this.isOneIn(6) ? newer : { operator, values: users() }),
        ...(this.isOneIn(4) && { inverted: true }),
      };
    });
    if (!this.#storage.hasNewerProperties) return { ...strategy, constraints };
    return {
      ...strategy,
      constraints,
      ...(this.isOneIn(3) && { title: this.#random.pick(['Beta', 'Staff']) }),
      ...(this.isOneIn(5) && { disabled: true }),
      ...(this.isOneIn(3) && { segments: [this.#random.pick(this.#storage.segments)] }),
      ...(this.isOneIn(4) && { variants: this.#variants(false) }),
    };
  }

  #variants(hasOverrides: boolean): Variant[] {
    const [weights, types] = this.#random.pick([
      [[1000], ['variable']],
      [
        [500, 500],
        ['variable', 'variable'],
      ],
      [
        [300, 700],
        ['fix', 'variable'],
      ],
      [
        [334, 333, 333],
        ['variable', 'variable', 'variable'],
      ],
    ]);
    return weights.map((weight, index) => ({
      name: `v${index}`,
      weight,
      weightType: types[index] ?? '',
      stickiness: this.#storage.hasVariantStickiness ? this.#random.pick(['default', 'userId']) : 'default',
      ...(this.isOneIn(3) && { payload: { type: 'string', value: this.#random.pick(['x', 'y']) } }),
      ...(hasOverrides &&
        this.isOneIn(4) && { overrides: [{ contextName: 'userId', values: [String(this.below(USERS))] }] }),
    }));
  }
}

const ODD_PAYLOADS = [
  { type: 'number', value: 'x' },
  { type: 'number', value: '1.50' },
  { type: 'json', value: '{ "a": 1 }' },
  { type: 'csv', value: ' a,b ' },
  { type: 'string', value: ' ' },
];
const ODD_VALUES = [
  { operator: 'NUM_GT', value: '9007199254740992' },
  { operator: 'NUM_GT', value: '1e20' },
  { operator: 'NUM_GT', value: '0.1234567890123456789' },
  { operator: 'DATE_AFTER', value: '2026-01-01T12:00:60Z' },
  { operator: 'SEMVER_GT', value: '1.0.0+b1' },
  { operator: 'SEMVER_GT', value: ' 1.0.0' },
];
const ODD_NAMES = ['a', 'A', 'b', 'a-1', 'a_1', 'a.1', 'a1', 'a10', 'a2', '~', "b'", 'x'.repeat(101)];
const ODD_TAGS = ['a\\b', 'a', ' padded ', 'a b/c?d#e%f', 'x'.repeat(51), 'Red', 'é'];

/** A new toggle. */
export const NEW: PlannedToggle = {
  description: '',
  type: 'release',
  stale: false,
  enabled: false,
  strategies: [{ name: 'default', parameters: {}, constraints: [] }],
  variants: [],
  tags: [],
};
