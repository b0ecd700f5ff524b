// @vitest-environment happy-dom

import { act, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { ApiError } from '@/api/error';
import { clearUserData } from '@/api/useRead';
import type { Stored } from '@/api/resource';
import { startPrefetch } from '@/testing/codeLoading';
import { click } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
// A part of the dialog of conflicts, whose code is loaded with it.
import '@/ui/Dialog';
import { SaveCancelledError } from './SaveCancelledError';
import { useMergedSave } from './useMergedSave';

startPrefetch();
beforeAll(() => vi.dynamicImportSettled(), 60_000);
const server = installFakeServer();
cleanPageAfterEach();

const LOG = 'GET api/admin/events';

interface Field {
  name: string;
  description?: string;
  sortOrder?: number;
  values?: string[];
}

const region: Field = { name: 'region', description: 'Old', sortOrder: 1 };
const mine = { ...region, description: 'Mine' };

/** A server that compares the tag of a write with the number of writes. `afterReads` are changes of a colleague. */
function serverWith(initial: Field, afterReads: readonly Partial<Field>[] = []) {
  const changes = [...afterReads];
  let item: Field | undefined = initial;
  let version = 1;
  const writes: (Field | 'refused')[] = [];
  return {
    writes,
    stored: () => item,
    change(change: Partial<Field>): void {
      if (item) item = { ...item, ...change };
      version += 1;
    },
    remove(): void {
      item = undefined;
    },
    async find(): Promise<Stored<Field> | undefined> {
      const read = item && { item, tag: `"${version}"` };
      const change = changes.shift();
      if (change) this.change(change);
      return read;
    },
    async replace(merged: Field, { tag }: Stored<Field>): Promise<void> {
      if (tag !== `"${version}"`) {
        writes.push('refused');
        throw new ApiError({ status: 412, hop: 'binary', body: { code: 'precondition_failed' } }, 'Flagdeck');
      }
      writes.push(merged);
      item = merged;
      version += 1;
    },
  };
}

type Store = Pick<ReturnType<typeof serverWith>, 'find' | 'replace'>;
type Save = ReturnType<typeof useMergedSave<Field>>['save'];

/** Shows the dialog, and passes the function that saves to the test. */
function Saving({ store, onRender }: { store: Store; onRender: (save: Save) => void }) {
  const { save, conflict } = useMergedSave<Field>({
    noun: 'context field',
    id: 'region',
    rules: { labelOf: (field) => `The ${field}` },
    find: () => store.find(),
    replace: (...what) => store.replace(...what),
    createPermission: 'CREATE_CONTEXT_FIELD',
  });
  useEffect(() => {
    onRender(save);
  });
  return conflict;
}

/** Saves an edit of the field, and waits for the result or the dialog. */
async function startSave(store: Store, edited: Field = mine, create?: () => Promise<unknown>) {
  serveConsole(server());
  const saves: Save[] = [];
  const page = render(<Saving store={store} onRender={(save) => saves.push(save)} />);
  const outcome: { current: unknown } = { current: 'pending' };
  const end = (result: unknown) => {
    outcome.current = result;
  };
  act(() => {
    saves.at(-1)?.(region, edited, create).then(end, end);
  });
  await settlePage();
  return { ...page, outcome };
}

const choose = (side: string) => click(screen.getByRole('radio', { name: new RegExp(side) }));
const press = (button: string) => click(screen.getByRole('button', { name: button }));
const dialogTitle = () => screen.queryByRole('dialog')?.querySelector('h2')?.textContent;
const CHANGED = 'This context field changed while you were editing';

test('a change between the read and the write is merged', async () => {
  const store = serverWith(region, [{ sortOrder: 7 }]);
  const { outcome } = await startSave(store);
  expect(outcome.current).toBe(true);
  expect(store.writes).toEqual(['refused', { ...mine, sortOrder: 7 }]);
  expect(dialogTitle()).toBeUndefined();
});

test.each([
  ['Your version', 'Mine'],
  ['Saved version', 'Theirs'],
])('the user decides about a field that both changed: %s', async (side, description) => {
  server().on(LOG, { status: 500, body: {} });
  const store = serverWith({ ...region, description: 'Theirs', sortOrder: 7 });
  const { outcome } = await startSave(store);
  expect(dialogTitle()).toBe(CHANGED);
  expect(screen.getByRole('dialog').textContent).toContain(
    'region was changed while you were editing. Other changes were merged: The sortOrder. Choose which version to keep.',
  );
  expect(screen.getByRole('radio', { name: 'Your version “Mine”' })).toBeDefined();
  expect(screen.getByRole('radio', { name: 'Saved version “Theirs”' })).toBeDefined();
  expect([outcome.current, store.writes]).toEqual(['pending', []]);
  await choose(side);
  await press('Save merged');
  expect(outcome.current).toBe(true);
  expect(store.stored()).toEqual({ ...region, description, sortOrder: 7 });
});

test('nothing is saved without a choice, and the edit continues', async () => {
  const store = serverWith({ ...region, description: 'Theirs' });
  const { outcome } = await startSave(store);
  const save = screen.getByRole('button', { name: 'Save merged' });
  expect(save.getAttribute('aria-description')).toBe('Choose a version for each conflict first.');
  await press('Keep editing');
  expect([outcome.current, store.writes]).toEqual([false, []]);
});

test('a choice applies only to the version that was shown', async () => {
  const store = serverWith({ ...region, description: 'Theirs' });
  const { outcome } = await startSave(store);
  await choose('Your version');
  store.change({ description: 'Theirs again' });
  await press('Save merged');
  expect(screen.getByRole('radio', { name: 'Saved version “Theirs again”' })).toBeDefined();
  expect(store.stored()?.description).toBe('Theirs again');
  await choose('Your version');
  await press('Save merged');
  expect([outcome.current, store.stored()]).toEqual([true, mine]);
});

test('an item that changes all the time is not stored', async () => {
  const changes = [1, 2, 3, 4, 5].map((sortOrder) => ({ sortOrder }));
  const store = serverWith(region, changes);
  const { outcome } = await startSave(store);
  expect(outcome.current).toMatchObject({ message: 'Not saved: region keeps changing. Try again in a moment.' });
  expect(store.writes).toEqual(Array(5).fill('refused'));
  expect(store.stored()?.description).toBe('Old');
});

test('other failures are not repeated', async () => {
  const store = serverWith(region);
  const failure = new ApiError({ status: 409, hop: 'server', body: {} }, 'Flagdeck');
  let writes = 0;
  const replace = async () => {
    writes += 1;
    throw failure;
  };
  const { outcome } = await startSave({ find: () => store.find(), replace });
  expect([outcome.current, writes]).toEqual([failure, 1]);
});

test.each<[string, Partial<Field>, Partial<Field>, string, string]>([
  ['a number', { sortOrder: 2 }, { sortOrder: 7 }, 'Your version 2', 'Saved version 7'],
  ['an empty text', { description: 'Mine' }, { description: '' }, 'Your version “Mine”', 'Saved version empty'],
  [
    'no value',
    { description: 'Mine' },
    { description: undefined as never },
    'Your version “Mine”',
    'Saved version not set',
  ],
])('a conflict shows the stored value: %s', async (_, edit, change, own, saved) => {
  const { description = undefined, ...theirs } = { ...region, ...change };
  const store = serverWith(description === undefined ? theirs : { ...theirs, description });
  await startSave(store, { ...region, ...edit });
  expect(screen.getByRole('radio', { name: own })).toBeDefined();
  expect(screen.getByRole('radio', { name: saved })).toBeDefined();
});

test('a removed item can be created again', async () => {
  const store = serverWith(region);
  store.remove();
  let created = 0;
  const { outcome } = await startSave(store, mine, async () => {
    created += 1;
  });
  expect(dialogTitle()).toBe('This context field was deleted while you were editing');
  expect(screen.getByRole('dialog').textContent).toContain(
    'region was deleted while you were editing. You can create it again with your changes.',
  );
  await press('Create it again');
  expect([outcome.current, created]).toEqual([true, 1]);
});

test('a removed item is not created if the user keeps editing, and the save fails if it cannot be created', async () => {
  const store = serverWith(region);
  store.remove();
  const { outcome } = await startSave(store, mine, () => Promise.reject(new Error('created')));
  await press('Keep editing');
  expect(outcome.current).toBe(false);
  const { outcome: other } = await startSave(store);
  expect(other.current).toMatchObject({ message: 'Not saved: it was removed while you were editing.' });
});

const event = (id: number, type: string, name: string) => ({
  id,
  type,
  createdBy: `user ${id}`,
  createdAt: '2026-01-01T00:00:00.000Z',
  data: { name },
});

/** Starts a save whose conflict waits for the log. */
async function startHeld() {
  server().hold(LOG);
  const store = serverWith({ ...region, description: 'Theirs' });
  const page = await startSave(store);
  return { ...page, store, log: await server().take(LOG) };
}

test('a conflict names the author of the newest change of the item', async () => {
  const { log } = await startHeld();
  const all = [
    event(5, 'feature-updated', 'region'),
    event(4, 'context-field-updated', 'other'),
    event(2, 'context-field-updated', 'region'),
    event(3, 'context-field-updated', 'region'),
    event(1, 'context-field-created', 'region'),
  ];
  log.respond({ body: { version: 1, events: all } });
  await settlePage();
  expect(screen.getByRole('dialog').textContent).toContain('region was changed by user 3 ');
});

const UNDECIDED = new SaveCancelledError(
  'Not saved: the context field region has changed meanwhile, and you left the page that asks what to keep.',
);

test.each([
  ['the removal of its form', UNDECIDED],
  ['a change of the user', false],
])('a conflict is not asked after %s, and nothing is stored', async (change, expected) => {
  const { unmount, outcome, store, log } = await startHeld();
  if (expected === UNDECIDED) unmount();
  else act(() => clearUserData({ rereads: false }));
  log.respond({ body: { version: 1, events: [] } });
  await settlePage();
  expect([outcome.current, store.writes], change).toEqual([expected, []]);
  expect(dialogTitle()).toBeUndefined();
});

test.each([
  ['the removal of its form', UNDECIDED],
  ['a change of the user', false],
])('an open conflict ends with %s, and nothing is stored', async (change, expected) => {
  const { unmount, outcome, store, log } = await startHeld();
  log.respond({ body: { version: 1, events: [] } });
  await settlePage();
  expect(dialogTitle()).toBe(CHANGED);
  if (expected === UNDECIDED) unmount();
  else act(() => clearUserData({ rereads: false }));
  await settlePage();
  expect([outcome.current, store.writes], change).toEqual([expected, []]);
  expect(dialogTitle()).toBeUndefined();
});
