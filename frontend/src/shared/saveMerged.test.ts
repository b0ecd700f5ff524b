import { expect, test } from 'vitest';
import { ApiError } from '@/api/error';
import { saveMerged } from './saveMerged';

interface Field {
  name: string;
  description: string;
  sortOrder: number;
}

const region: Field = { name: 'region', description: 'Old', sortOrder: 1 };

/** A server that compares the tag of a write with the number of writes. */
function serverWith(initial: Field) {
  let item = initial;
  let version = 1;
  const writes: (Field | 'refused')[] = [];
  return {
    writes,
    stored: () => item,
    /** Changes the item as another user would. */
    change(change: Partial<Field>): void {
      item = { ...item, ...change };
      version += 1;
    },
    async fetchCurrent() {
      return { item, tag: `"${version}"` };
    },
    async replace(thing: Field, { tag }: { tag: string | undefined }): Promise<void> {
      if (tag !== `"${version}"`) {
        writes.push('refused');
        throw new ApiError({ status: 412, hop: 'binary', body: { code: 'precondition_failed' } }, 'Flagdeck');
      }
      writes.push(thing);
      item = thing;
      version += 1;
    },
  };
}

const labels = { description: 'the description' };

test('a change between the read and the write is merged', async () => {
  const server = serverWith(region);
  let reads = 0;
  const fetchCurrent = async () => {
    const current = await server.fetchCurrent();
    reads += 1;
    if (reads === 1) server.change({ sortOrder: 7 });
    return current;
  };
  const edited = { ...region, description: 'Mine' };
  await saveMerged(region, edited, { ...server, fetchCurrent, labels }, () => expect.unreachable());
  expect(server.writes).toEqual(['refused', { ...edited, sortOrder: 7 }]);
});

test('a conflicting change between the read and the write is reported and not overwritten', async () => {
  const server = serverWith(region);
  let bases: Field[] = [];
  let reads = 0;
  const fetchCurrent = async () => {
    const current = await server.fetchCurrent();
    reads += 1;
    if (reads === 1) server.change({ description: 'Theirs' });
    return current;
  };
  const options = { ...server, fetchCurrent, labels };
  const edited = { ...region, description: 'Mine' };
  await expect(saveMerged(region, edited, options, (base) => (bases = [...bases, base]))).rejects.toThrow(
    'Not saved: someone else changed the description to “Theirs” while you were editing. Save again to overwrite.',
  );
  expect(server.stored().description).toBe('Theirs');
  expect(bases).toEqual([{ ...region, description: 'Theirs' }]);

  // The second save overwrites only the version that the message has shown.
  server.change({ description: 'Theirs again' });
  const [shown = region] = bases;
  await expect(saveMerged(shown, edited, options, () => undefined)).rejects.toThrow('“Theirs again”');
  expect(server.stored().description).toBe('Theirs again');
  await saveMerged(server.stored(), edited, options, () => expect.unreachable());
  expect(server.stored()).toEqual(edited);
});

test('an item that changes all the time is not stored', async () => {
  const server = serverWith(region);
  const fetchCurrent = async () => {
    const current = await server.fetchCurrent();
    server.change({ sortOrder: server.stored().sortOrder + 1 });
    return current;
  };
  const save = saveMerged(region, { ...region, description: 'Mine' }, { ...server, fetchCurrent, labels }, () => {});
  await expect(save).rejects.toThrow('Not saved: it keeps changing. Try again in a moment.');
  expect(server.writes).toEqual(Array(5).fill('refused'));
  expect(server.stored().description).toBe('Old');
});

test('other failures are not repeated', async () => {
  const server = serverWith(region);
  const failure = new ApiError({ status: 409, hop: 'server', body: {} }, 'Flagdeck');
  let writes = 0;
  const replace = async () => {
    writes += 1;
    throw failure;
  };
  const edited = { ...region, description: 'Mine' };
  await expect(saveMerged(region, edited, { ...server, replace, labels }, () => {})).rejects.toBe(failure);
  const fetchCurrent = async () => undefined;
  await expect(saveMerged(region, edited, { ...server, fetchCurrent, labels }, () => {})).rejects.toThrow(
    'Not saved: it was removed while you were editing.',
  );
  expect(writes).toBe(1);
});

test.each([
  ['a number', 'sortOrder to 7', { sortOrder: 7 }],
  ['an empty text', 'the description to empty', { description: '' }],
  ['two fields', 'the description to “Theirs” and sortOrder to 7', { description: 'Theirs', sortOrder: 7 }],
])('a conflict names the field and its stored value: %s', async (_, text, change) => {
  const server = serverWith(region);
  server.change(change);
  const edited = { ...region, description: 'Mine', sortOrder: 2 };
  await expect(saveMerged(region, edited, { ...server, labels }, () => {})).rejects.toThrow(
    `Not saved: someone else changed ${text} while you were editing.`,
  );
  expect(server.writes).toEqual([]);
});
