// The flight recorder of a replica in front of a real server: states at random times, after random edits, equal a model of the
// responses of the server.

import type { APIRequestContext } from '@playwright/test';
import type { PastChanges, PastState } from '../src/api/generated/types';
import { ALL_CASES } from './support/evaluationScenario';
import { test as base, expect } from './support/fixtures';
import { type Definitions, RandomEdits } from './support/randomEdits';
import { withRecorder } from './support/recorder';
import { hasEnvironments } from './support/versions';

/** Edits, and times at which states are compared: half of them random, half of them right after SDKs got a state. */
const [EDITS, TIMES] = ALL_CASES ? [1_000, 400] : [40, 60];
/** Pairs of times between which the changes are compared. */
const RANGES = 10;
/** Edits without a pause between them: the replica misses some of their states. */
const MAX_BURST = 8;

const test = base.extend({ settings: withRecorder('--replica', '--replica-refresh', '50ms') });

/** Toggles and segments by kind and name. */
type Items = { [key: string]: unknown };

/** The items after an edit, which SDKs of the replica get at an unknown time between two. */
interface ModelState {
  /** Time before the edit. */
  edited: number;
  /** Time after which SDKs get this state or a later one. */
  served: number;
  items: Items;
}

function toItems({ features, segments = [] }: Definitions): Items {
  const toggles = features.map((toggle) => [`toggle ${toggle.name}`, toggle]);
  return Object.fromEntries([...toggles, ...segments.map((segment) => [`segment ${segment.name}`, segment])]);
}

/** Returns the states that SDKs can have got at a time, in the order of the edits. */
function possibleStates(model: readonly ModelState[], time: number): Items[] {
  const first = model.findLastIndex(({ served }) => served <= time);
  const last = model.findLastIndex(({ edited }) => edited < time);
  return model.slice(first, last + 1).map(({ items }) => items);
}

async function read<Body>(request: APIRequestContext, path: string): Promise<Body> {
  const response = await request.get(path);
  expect(response.status(), await response.text()).toBe(200);
  return response.json();
}

const toTime = (milliseconds: number) => encodeURIComponent(new Date(milliseconds).toISOString());

test.describe('the flight recorder of a replica', { tag: ['@upstream', '@recorder-edits', '@ci'] }, () => {
  test('has the toggles of the server at random times, after random edits', { tag: '@smoke' }, async ({
    flagdeck,
    flags,
    page,
    realServer,
    version,
  }) => {
    test.setTimeout(60_000 + EDITS * 2_000);
    const headers = { 'unleash-client-spec': '5.2.0', authorization: realServer?.clientToken ?? 'none' };
    const readFrom = async (url = ''): Promise<Items> =>
      toItems((await (await fetch(new URL('api/client/features', url), { headers })).json()) as Definitions);
    const seed = Math.floor(Math.random() * 2 ** 31);
    const edits = new RandomEdits(flags, seed, hasEnvironments(version));
    const { random } = edits;

    const model: ModelState[] = [];
    let burst: ModelState[] = [];
    const edit = async (act: () => Promise<void>) => {
      const edited = Date.now();
      await act();
      burst.push({ edited, served: Number.POSITIVE_INFINITY, items: await readFrom(realServer?.url) });
    };
    /** Waits until SDKs get the state of the last edit, which differs from all states before it. */
    const endBurst = async () => {
      const last = burst.at(-1)?.items;
      await expect
        .poll(() => readFrom(flagdeck.url), { message: `seed ${seed}`, intervals: [50], timeout: 30_000 })
        .toEqual(last);
      const served = Date.now();
      model.push(...burst.map((state) => ({ ...state, served })));
      burst = [];
    };
    await edit(() => edits.start());
    await endBurst();
    while (model.length <= EDITS) {
      for (let count = random.below(MAX_BURST); count > 0; count -= 1) await edit(() => edits.edit());
      await edit(() => edits.editUniquely());
      await endBurst();
    }

    const start = model[0]?.served ?? 0;
    const end = model.at(-1)?.served ?? 0;
    const certain: { time: number; items: Items }[] = [];
    for (let count = 0; count < TIMES; count += 1) {
      const time = count % 2 === 0 ? start + random.below(end - start + 1) : random.pick(model).served;
      const possible = possibleStates(model, time);
      const [only] = possible;
      if (possible.length === 1 && only) certain.push({ time, items: only });
      const state = await read<PastState & Definitions>(page.request, `-/state?at=${toTime(time)}`);
      const found = toItems(state);
      const message = `seed ${seed}, at ${new Date(time).toISOString()}`;
      if (possible.length === 1) expect(found, message).toEqual(only);
      else expect(possible, message).toContainEqual(found);
      const { since, gap } = state.recording;
      expect(gap, message).toBeNull();
      expect(Date.parse(since.by), message).toBeLessThanOrEqual(time);
      if (since.after !== null) expect(Date.parse(since.after)).toBeLessThanOrEqual(Date.parse(since.by));
    }
    expect(certain.length).toBeGreaterThanOrEqual(TIMES / 2);

    for (let count = 0; count < RANGES; count += 1) {
      const [from, to] = [random.pick(certain), random.pick(certain)].sort((one, other) => one.time - other.time);
      if (!from || !to) throw new Error('There are no times');
      const path = `-/changes?from=${toTime(from.time)}&to=${toTime(to.time)}`;
      const { changes } = await read<PastChanges>(page.request, path);
      const listed = new Map(changes.map((change) => [`${change.kind} ${change.name}`, change]));
      for (const key of new Set([...Object.keys(from.items), ...Object.keys(to.items), ...listed.keys()])) {
        const [before, after] = [from.items[key] ?? null, to.items[key] ?? null];
        const change = listed.get(key);
        if (change)
          expect({ before: change.before, after: change.after }, `seed ${seed}, ${path}, ${key}`).toEqual({
            before,
            after,
          });
        else expect(after, `seed ${seed}, ${path}, ${key}`).toEqual(before);
      }
    }
  });
});
