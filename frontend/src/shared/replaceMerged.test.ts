import { expect, test } from 'vitest';
import { ApiError } from '@/api/error';
import type { Toggle } from '@/api/generated/types';
import { type MergeConflict, mergeItem, type Side } from '@/lib/merge';
import { createToggle } from '@/testing/flagService';
import { replaceMerged } from './replaceMerged';

type ToggleOptions = Omit<Parameters<typeof replaceMerged<Toggle>>[0], 'name' | 'merge'>;

const replaceToggle = (options: ToggleOptions) =>
  replaceMerged({
    name: options.base.name,
    merge: (base, mine, theirs, resolve) => mergeItem(base, mine, theirs, { labelOf: String }, resolve),
    ...options,
  });

const basket = createToggle({ name: 'shop.basket', description: 'Old' });

/** A server that refuses to replace another version than the stored one. `afterReads` are changes of a colleague. */
function serverWith(initial: Toggle, afterReads: readonly Partial<Toggle>[] = []) {
  let toggle = initial;
  const changes = [...afterReads];
  const refused: Toggle[] = [];
  const asked: MergeConflict[][] = [];
  return {
    refused,
    asked,
    stored: () => toggle,
    change(change: Partial<Toggle>): void {
      toggle = { ...toggle, ...change };
    },
    async read(): Promise<Toggle> {
      const read = toggle;
      toggle = { ...toggle, ...changes.shift() };
      return read;
    },
    async write(merged: Toggle, before: Toggle): Promise<Toggle> {
      // Compares versions, as a server compares entity tags.
      if (JSON.stringify(before) !== JSON.stringify(toggle)) {
        refused.push(merged);
        throw new ApiError({ status: 412, hop: 'binary', body: { code: 'precondition_failed' } }, 'Flagdeck');
      }
      toggle = merged;
      return merged;
    },
    decide(side: Side | undefined) {
      return async (conflicts: readonly MergeConflict[]) => {
        asked.push([...conflicts]);
        return side && new Map(conflicts.map(({ id }) => [id, side]));
      };
    },
  };
}

const mine: Toggle = { ...basket, description: 'Mine' };

test('an edit of a colleague between the read and the write is merged', async () => {
  const server = serverWith(basket, [{ stale: true }, { type: 'experiment' }]);
  const saved = await replaceToggle({ base: basket, mine, ...server, decide: server.decide('mine') });
  expect(server.refused.map(({ stale, type }) => [stale, type])).toEqual([
    [false, 'release'],
    [true, 'release'],
  ]);
  expect(server.stored()).toEqual({ ...mine, stale: true, type: 'experiment' });
  expect(saved).toEqual({
    before: { ...basket, stale: true, type: 'experiment' },
    sent: server.stored(),
    after: server.stored(),
  });
  expect(server.asked).toEqual([]);
});

test('a conflicting edit between the read and the write is decided by the user', async () => {
  for (const [side, description] of [
    ['mine', 'Mine'],
    ['theirs', 'Theirs'],
    [undefined, 'Theirs'],
  ] as const) {
    const server = serverWith(basket, [{ description: 'Theirs' }]);
    const saved = await replaceToggle({ base: basket, mine, ...server, decide: server.decide(side) });
    expect(server.refused).toHaveLength(1);
    expect(server.asked.map((conflicts) => conflicts.map(({ id, theirs }) => [id, theirs]))).toEqual([
      [['description', 'Theirs']],
    ]);
    expect(server.stored().description).toBe(description);
    expect(saved === undefined).toBe(side === undefined);
  }
});

test('a decision does not apply to a later edit of the same field', async () => {
  const server = serverWith(basket, [{ description: 'Theirs' }, {}, { description: 'Theirs again' }]);
  await replaceToggle({ base: basket, mine, ...server, decide: server.decide('mine') });
  expect(server.asked.map(([conflict]) => conflict?.theirs)).toEqual(['Theirs', 'Theirs again']);
  expect(server.stored().description).toBe('Mine');
});

test('a toggle that changes all the time is not stored', async () => {
  const changes = [true, false, true, false, true].map((stale) => ({ stale }));
  const server = serverWith(basket, changes);
  const save = replaceToggle({ base: basket, mine, ...server, decide: server.decide('mine') });
  await expect(save).rejects.toThrow('Not saved: shop.basket keeps changing. Try again in a moment.');
  expect(server.refused).toHaveLength(5);
  expect(server.stored()).toEqual({ ...basket, stale: true });
});

test('a failed write is not repeated', async () => {
  const failure = new ApiError({ status: 503, hop: 'binary', body: {} }, 'Flagdeck');
  const server = serverWith(basket);
  let writes = 0;
  const write = async () => {
    writes += 1;
    throw failure;
  };
  await expect(replaceToggle({ base: basket, mine, ...server, write, decide: server.decide('mine') })).rejects.toBe(
    failure,
  );
  expect(writes).toBe(1);
});

test('a conflict without a choice keeps the stored version', async () => {
  const server = serverWith({ ...basket, description: 'Theirs' });
  await replaceToggle({ base: basket, mine, ...server, decide: async () => new Map() });
  expect(server.stored().description).toBe('Theirs');
});

test('a save that needs no write ends without one', async () => {
  const server = serverWith(basket);
  const asked: unknown[] = [];
  const skipsWrite = (...what: unknown[]) => asked.push(what) > 0;
  const write = () => Promise.reject(new Error('written'));
  expect(
    await replaceToggle({ base: basket, mine, ...server, write, decide: server.decide('mine'), skipsWrite }),
  ).toBeUndefined();
  expect(asked).toEqual([[mine, basket, false]]);
});

test('a known toggle is written without a read, and read after a refusal', async () => {
  const server = serverWith({ ...basket, stale: true });
  let reads = 0;
  const read = () => {
    reads += 1;
    return server.read();
  };
  await replaceToggle({ base: basket, mine, known: basket, ...server, read, decide: server.decide('mine') });
  expect([server.refused.length, reads]).toEqual([1, 1]);
  expect(server.stored()).toEqual({ ...mine, stale: true });
});
