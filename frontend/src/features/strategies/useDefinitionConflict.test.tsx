// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { events } from '@/api/endpoints';
import { clearUserData } from '@/api/hooks';
import { installFakeServer } from '@/testing/fakeServer';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { type PendingConflict, useDefinitionConflict } from './useDefinitionConflict';

const server = installFakeServer();
cleanPageAfterEach();

const LOG = `GET ${events.path}`;
const definition = { name: 'gradual', description: '', editable: true, parameters: [] };
const conflict = { name: 'gradual', base: definition, mine: definition, stored: undefined, contested: [] };
const event = (id: number, type: string, name: string) => ({
  id,
  type,
  createdBy: `user ${id}`,
  createdAt: `2026-01-01T00:00:0${id}.000Z`,
  data: { name },
});

/** Asks, while the log is read. */
async function ask() {
  server().hold(LOG);
  const page = renderHook(() => useDefinitionConflict());
  const resolution: { current: unknown } = { current: 'pending' };
  act(() => {
    void page.result.current.resolveConflict(conflict).then((resolved) => {
      resolution.current = resolved;
    });
  });
  return { page, resolution, log: await server().take(LOG) };
}

type Dialog = ReactElement<{ open: boolean; conflict: PendingConflict; onResolve: (answer: string) => void }>;

test.each(['mine', 'theirs'])('a conflict names the newest change of the definition: %s', async (answer) => {
  const { page, resolution, log } = await ask();
  const all = [
    event(4, 'feature-updated', 'gradual'),
    event(3, 'strategy-updated', 'other'),
    event(2, 'strategy-updated', 'gradual'),
    event(1, 'strategy-created', 'gradual'),
  ];
  log.respond({ body: { version: 1, events: all } });
  await settle();
  const { props } = page.result.current.conflictDialog as Dialog;
  expect([props.open, props.conflict.event?.createdBy]).toEqual([true, 'user 2']);
  act(() => props.onResolve(answer));
  await settle();
  expect(resolution.current).toBe(answer);
});

test('a conflict is asked without an author if the log cannot be read', async () => {
  const { page, log } = await ask();
  log.respond({ status: 500, body: {} });
  await settle();
  expect((page.result.current.conflictDialog as Dialog).props.conflict.event).toBeUndefined();
});

test.each(['unmount', 'another user'])(
  'a conflict is not asked after this, and nothing is stored: %s',
  async (change) => {
    const { page, resolution, log } = await ask();
    if (change === 'unmount') page.unmount();
    else act(() => clearUserData({ rereads: false }));
    log.respond({ body: { version: 1, events: [] } });
    await settle();
    expect(resolution.current).toBeUndefined();
    expect(page.result.current.conflictDialog).toBeFalsy();
  },
);
