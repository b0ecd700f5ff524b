// Random edits of a few toggles and a segment. Each is one write of the server, because SDKs can get every state between two
// writes.

import type { Flags, StoredStrategy } from './flags';
import { Random } from './random';
import type { Segment } from './serverImport';

/** The part of the definitions that the test of random edits compares by name. */
export interface Definitions {
  features: { name: string }[];
  segments?: { name: string }[];
}

interface Known {
  isOn: boolean;
  isStale: boolean;
  isArchived: boolean;
  hasStrategy: boolean;
}

const TOGGLES = 8;
/** A toggle that always exists. */
const FIRST = 'shop.first';
const SEGMENT = 'beta';

export class RandomEdits {
  readonly random: Random;
  readonly #flags: Flags;
  /** On servers with environments, a toggle can have no strategies, and there are segments. */
  readonly #hasEnvironments: boolean;
  readonly #known = new Map<string, Known>();
  /** Number of edits, which makes texts unique. */
  #count = 0;
  #segment: number | undefined;

  constructor(flags: Flags, seed: number, hasEnvironments: boolean) {
    this.#flags = flags;
    this.random = new Random(seed);
    this.#hasEnvironments = hasEnvironments;
  }

  /** Creates the toggle that always exists, and the segment that it uses. */
  async start(): Promise<void> {
    const strategy = this.#strategy();
    if (this.#hasEnvironments) {
      await this.#flags.post('admin/segments', { name: SEGMENT, constraints: this.#constraints() });
      const { segments } = await this.#flags.get<{ segments: Segment[] }>('admin/segments');
      this.#segment = segments.find(({ name }) => name === SEGMENT)?.id;
    }
    const strategies = [{ ...strategy, ...(this.#segment !== undefined && { segments: [this.#segment] }) }];
    await this.#flags.create({ name: FIRST, strategies });
  }

  /** Replaces the strategy of the toggle that always exists by one that no toggle had before. */
  editUniquely(): Promise<void> {
    const segments = this.#segment === undefined ? {} : { segments: [this.#segment] };
    return this.#flags.update(FIRST, { strategies: [{ ...this.#strategy(), ...segments }] });
  }

  async edit(): Promise<void> {
    if (this.#segment !== undefined && this.random.isOneIn(8)) {
      await this.#flags.put(`admin/segments/${this.#segment}`, { name: SEGMENT, constraints: this.#constraints() });
      return;
    }
    const name = `shop.t${this.random.below(TOGGLES)}`;
    const known = this.#known.get(name);
    if (!known) await this.#create(name);
    else if (known.isArchived) await this.#revive(name, known);
    else await this.#change(name, known);
  }

  async #create(name: string): Promise<void> {
    const strategies = this.#hasEnvironments ? [] : [this.#strategy()];
    await this.#flags.create({ name, enabled: false, strategies });
    const hasStrategy = strategies.length > 0;
    this.#known.set(name, { isOn: false, isStale: false, isArchived: false, hasStrategy });
  }

  async #revive(name: string, known: Known): Promise<void> {
    await this.#flags.post(`admin/archive/revive/${name}`);
    known.isArchived = false;
  }

  async #change(name: string, known: Known): Promise<void> {
    const changes = [
      async () => {
        await this.#flags.update(name, { strategies: [this.#strategy()] });
        known.hasStrategy = true;
      },
      async () => {
        await this.#flags.update(name, { variants: this.#variants() });
      },
      async () => {
        await this.#flags.post(`admin/features/${name}/stale/${known.isStale ? 'off' : 'on'}`);
        known.isStale = !known.isStale;
      },
    ];
    // Enabling a toggle without strategies would also add one.
    if (known.hasStrategy)
      changes.push(async () => {
        await this.#flags.post(`admin/features/${name}/toggle/${known.isOn ? 'off' : 'on'}`);
        known.isOn = !known.isOn;
      });
    // A revived toggle is off.
    if (!known.isOn)
      changes.push(async () => {
        await this.#flags.archive(name);
        known.isArchived = true;
      });
    await this.random.pick(changes)();
  }

  #strategy(): StoredStrategy {
    const parameters = { rollout: String(this.random.below(101)), stickiness: 'userId', groupId: this.#unique('g') };
    return { name: 'flexibleRollout', parameters, constraints: this.random.isOneIn(2) ? [] : this.#constraints() };
  }

  #constraints() {
    const values = this.random.list(1, 5, () => String(this.random.below(100)));
    return [{ contextName: 'userId', operator: 'IN', values: [...new Set(values)] }];
  }

  #variants() {
    const weight = this.random.below(1_001);
    const variant = { weightType: 'variable', stickiness: 'userId' };
    return [
      { ...variant, name: this.#unique('v'), weight },
      { ...variant, name: 'rest', weight: 1_000 - weight },
    ];
  }

  #unique(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }
}
