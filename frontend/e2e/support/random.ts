// Random numbers with a seed, so that a failure can be repeated.

/** A random number generator (SplitMix32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a whole number from 0 to `end` - 1. */
  below(end: number): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let bits = this.#state ^ (this.#state >>> 16);
    bits = Math.imul(bits, 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) % end;
  }

  isOneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error('The list is empty');
    return item;
  }

  /** Returns a list of `min` to `max` created items. */
  list<T>(min: number, max: number, create: () => T): T[] {
    return Array.from({ length: min + this.below(max - min + 1) }, create);
  }
}
