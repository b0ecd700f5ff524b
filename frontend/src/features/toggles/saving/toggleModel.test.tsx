// @vitest-environment happy-dom
// Random interleavings of reads, writes, failures and sign-ins against a small server: at rest, the page equals the server.
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { archivedFeatures, feature, features } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { clearUserData, refreshAllData, refreshReads, useRead } from '@/api/useRead';
import { noteResponse } from '@/api/outage';
import { useOwnToggle, useToggleList } from '@/api/toggles';
import { createToggle } from '@/testing/flagService';
import { advance, settle } from '@/testing/page';
import { useToggleSave } from './useToggleSave';
import { useToggleWrites } from './useToggleWrites';

const RUNS = 150;
const STEPS = 40;
const NAMES = ['a', 'b'];

/** A seeded generator (mulberry32). */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Reply {
  status: number;
  body: unknown;
  tag?: string;
}

interface Exchange {
  process: () => Reply;
  reply: Reply | undefined;
  isRead: boolean;
  deliver: (reply: Reply | undefined) => void;
}

/** Which responses contain a strong entity tag. */
type ServerKind = 'no tags' | 'tags of reads' | 'tags of reads and saves';

class ModelServer {
  /** Toggles and the archive of each user. */
  readonly #users = ['u1', 'u2'].map((user) => ({
    live: new Map(NAMES.map((name) => [name, createToggle({ name, description: user })])),
    archive: new Map<string, Toggle>(),
  }));
  user = 0;
  readonly pending: Exchange[] = [];
  readonly stored: string[] = [];
  /** Types that another user has chosen, by name. */
  readonly types = new Map<string, string>();
  readonly kind: ServerKind;

  constructor(kind: ServerKind) {
    this.kind = kind;
  }

  get live() {
    return this.#stateOf(this.user).live;
  }

  #stateOf(user: number) {
    const state = this.#users[user];
    if (!state) throw new Error(`no user ${user}`);
    return state;
  }

  fetch = (url: URL | string, init: RequestInit = {}): Promise<Response> => {
    const { user } = this;
    const headers = new Headers(init.headers);
    const method = init.method ?? 'GET';
    const path = String(url).replace(/^.*?api\/admin\//, '');
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    return new Promise((resolve, reject) => {
      const process = () => this.#process(user, method, path, headers, body);
      const deliver = (reply: Reply | undefined) => {
        if (!reply) return reject(new TypeError('Failed to fetch'));
        const { status, tag } = reply;
        const content = status === 304 ? null : JSON.stringify(reply.body);
        return resolve(new Response(content, { status, headers: tag ? { etag: tag } : {} }));
      };
      this.pending.push({ process, reply: undefined, isRead: method === 'GET', deliver });
    });
  };

  #process(user: number, method: string, path: string, headers: Headers, body: Partial<Toggle> | undefined): Reply {
    const { live, archive } = this.#stateOf(user);
    const [, name = '', action, state] = /^features\/([^/]+)(?:\/(toggle|stale)\/(on|off))?$/.exec(path) ?? [];
    const toggle = live.get(name);
    const revived = /^archive\/revive\/(.+)$/.exec(path)?.[1];
    if (path === 'features') return this.#read(headers, { version: 1, features: [...live.values()] });
    if (path === 'archive/features') return this.#read(headers, { version: 1, features: [...archive.values()] });
    if (revived !== undefined) {
      const archived = archive.get(revived);
      if (!archived) return { status: 404, body: {} };
      archive.delete(revived);
      live.set(revived, { ...archived, enabled: false });
      return { status: 200, body: {} };
    }
    if (!toggle) return { status: 404, body: {} };
    if (method === 'GET') return this.#read(headers, toggle);
    if (method === 'DELETE') {
      live.delete(name);
      archive.set(name, toggle);
      return { status: 200, body: {} };
    }
    if (method === 'PUT') {
      const tag = headers.get('if-match');
      if (tag !== null && tag !== tagOf(toggle)) return { status: 412, body: {} };
      const stored = { ...toggle, ...body };
      live.set(name, stored);
      this.stored.push(body?.description ?? '');
      if (this.kind !== 'tags of reads and saves') return { status: 200, body: {} };
      return { status: 200, body: stored, tag: tagOf(stored) };
    }
    const next = { ...toggle, [action === 'stale' ? 'stale' : 'enabled']: state === 'on' };
    live.set(name, next);
    return { status: 200, body: next };
  }

  #read(headers: Headers, body: object): Reply {
    if (this.kind === 'no tags') return { status: 200, body };
    const tag = tagOf(body);
    return headers.get('if-none-match') === tag ? { status: 304, body: null, tag } : { status: 200, body, tag };
  }
}

const tagOf = (body: object) => `"${encodeURIComponent(JSON.stringify(body))}"`;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function useModelPage() {
  useRead(archivedFeatures);
  useRead(feature('a'), { polls: true });
  const [saveA, saveB] = [useToggleSave(), useToggleSave()];
  const [a, b] = [useOwnToggle('a', true).data, useOwnToggle('b', true).data];
  return {
    list: useToggleList().data?.features,
    own: { a, b },
    saves: { a: saveA, b: saveB },
    writes: useToggleWrites(),
  };
}

async function run(seed: number, kind: ServerKind): Promise<void> {
  const random = createRandom(seed);
  const server = new ModelServer(kind);
  vi.stubGlobal('fetch', server.fetch);
  const saved: string[] = [];
  const page = renderHook(useModelPage);

  async function deliverOne(mayFail: boolean): Promise<void> {
    const index = random(server.pending.length);
    const exchange = server.pending[index];
    if (!exchange) return;
    if (!exchange.reply && random(2) === 0) {
      exchange.reply = exchange.process();
      return;
    }
    server.pending.splice(index, 1);
    const isLost = mayFail && exchange.isRead && random(8) === 0;
    await act(async () => exchange.deliver(isLost ? undefined : (exchange.reply ?? exchange.process())));
    await settle();
  }

  async function drain(): Promise<void> {
    for (let turn = 0; server.pending.length > 0; turn += 1) {
      if (turn > 2000) throw new Error('the page never rests');
      await deliverOne(false);
    }
  }

  function write(step: number): void {
    const name = random(2) === 0 ? 'a' : 'b';
    const { list, saves, writes } = page.result.current;
    const row = list?.find((one) => one.name === name);
    const ignore = () => undefined;
    const kind = random(5);
    if (!row) {
      if (list && kind < 2)
        void writes.revive(createToggle({ name, enabled: false, description: `u${server.user + 1}` }));
      return;
    }
    if (kind === 0) void writes.setStale(row, !row.stale);
    else if (kind === 1) void writes.setEnabled(row, !row.enabled);
    else if (kind === 2 && random(3) === 0) void writes.archive(name).catch(ignore);
    else {
      const description = `u${server.user + 1} ${step}`;
      const edit = (toggle: Toggle) => ({ ...toggle, description });
      void saves[name].save(row, edit, { onConflict: ignore }).then((isStored) => isStored && saved.push(description));
    }
  }

  function writeOfAnotherUser(): void {
    const name = random(2) === 0 ? 'a' : 'b';
    const toggle = server.live.get(name);
    if (!toggle) return;
    const number = 10 + random(50);
    if (random(2) === 0) server.live.set(name, { ...toggle, lastSeenAt: `2026-01-01T00:00:${number}.000Z` });
    else {
      server.live.set(name, { ...toggle, type: `type ${number}` });
      server.types.set(name, `type ${number}`);
    }
  }

  for (let step = 0; step < STEPS; step += 1) {
    const choice = random(20);
    if (choice < 9) await deliverOne(true);
    else if (choice < 12) await act(async () => write(step));
    else if (choice < 14) writeOfAnotherUser();
    else if (choice < 16) await act(async () => refreshReads([random(2) === 0 ? features : feature('a')]));
    else if (choice < 17) await act(async () => void refreshAllData());
    else if (choice < 18) await advance(1000 * random(8));
    else if (choice < 19 && server.user === 0 && random(4) === 0) {
      server.user = 1;
      server.types.clear();
      await act(async () => clearUserData({ rereads: true }));
    }
    await settle();
    if (server.user === 1)
      expect(JSON.stringify([page.result.current.list, page.result.current.own])).not.toContain('u1');
  }
  await drain();
  await act(async () => void refreshAllData());
  await settle();
  await drain();
  const { list, own } = page.result.current;
  const expected = [...server.live.values()];
  const byName = (all: readonly Toggle[] = []) => Object.fromEntries(all.map((toggle) => [toggle.name, toggle]));
  expect(byName(list)).toEqual(byName(expected));
  for (const toggle of expected) expect(own[toggle.name === 'a' ? 'a' : 'b']).toEqual(toggle);
  // Without tags, a change between the read and the write of a save is lost.
  if (kind !== 'no tags') {
    for (const { name, type } of expected) expect(type).toBe(server.types.get(name) ?? 'release');
  }
  for (const description of saved) expect(server.stored.filter((one) => one === description)).toHaveLength(1);
  page.unmount();
  act(() => clearUserData({ rereads: false }));
  noteResponse('service');
}

describe.each<ServerKind>(['no tags', 'tags of reads', 'tags of reads and saves'])('with %s', (kind) => {
  test('page and server are equal at rest after any interleaving', { timeout: 60_000 }, async () => {
    for (let seed = 1; seed <= RUNS; seed += 1) {
      await run(seed, kind).catch((failure: unknown) => {
        throw new Error(`seed ${seed}: ${failure instanceof Error ? failure.message : failure}`, { cause: failure });
      });
    }
  });
});
