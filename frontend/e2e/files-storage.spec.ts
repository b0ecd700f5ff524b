// The real server stores properties of toggles as ../../src/tests/files/storage.json says, from which a test of `flagdeck apply` takes what
// it must refuse.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { NEW, type PlannedToggle } from './support/applyCases';
import { expect, test } from './support/fixtures';
import { canonical, StateApi, signIn } from './support/storedState';
import { hasEnvironments } from './support/versions';

const CASES = path.join(import.meta.dirname, '../../src/tests/files/storage.json');

interface Case {
  name: string;
  /** Segments have names. */
  state: Partial<PlannedToggle>;
  /** Versions that store the state as given. */
  stored: string[];
}

const SEGMENTS = ['s0', 's1', 's2', 's3', 's4', 's5'];

test('the server stores, changes or refuses properties as files expect it', {
  tag: '@upstream',
}, async ({ realServer, version }) => {
  test.setTimeout(180_000);
  if (!realServer) throw new Error('The test needs a real server');
  const isNewer = hasEnvironments(version);
  const api = new StateApi(realServer.url, await signIn(realServer), isNewer);
  const ids = new Map<string, number>();
  if (isNewer) for (const name of SEGMENTS) ids.set(name, await api.createSegment(name, ['1']));
  else for (const [id, name] of SEGMENTS.entries()) ids.set(name, id);
  for (const name of ['p1', 'p2']) await api.create(name, 'live', NEW);
  const text = await readFile(CASES, 'utf8');
  const cases: Case[] = JSON.parse(text, (_, value) => (typeof value === 'string' ? (ids.get(value) ?? value) : value));
  const faults: string[] = [];
  for (const [index, { name, state, stored }] of cases.entries()) {
    const toggle = { ...NEW, ...state };
    const found = await api.create(`case${index}`, 'live', toggle).then(
      () => api.read(`case${index}`),
      (refusal: Error) => refusal.message,
    );
    const isStored = isDeepStrictEqual(found, canonical(toggle));
    if (isStored !== stored.includes(version)) faults.push(`${name}: ${JSON.stringify(found)}`);
  }
  expect(faults).toEqual([]);
});
