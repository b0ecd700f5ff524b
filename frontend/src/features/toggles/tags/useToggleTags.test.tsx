// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Tag } from '@/api/generated/types';
import { undoNotice, useNewestNotice } from '@/api/notices';
import { installFakeServer } from '@/testing/fakeServer';
import { cleanPageAfterEach } from '@/testing/page';
import { useTagWrites } from './useToggleTags';

const server = installFakeServer();
cleanPageAfterEach();

const TAGS = 'api/admin/features/a/tags';
const ADD = `POST ${TAGS}`;
const REMOVE = `DELETE ${TAGS}/team/shop`;
const tag: Tag = { type: 'team', value: 'shop' };
const newest = () => renderHook(() => useNewestNotice()).result.current;

/** Adds or removes the tag, and undoes it when the toggle has these tags. Returns the requests that the undo wrote. */
async function undoWith(kind: 'add' | 'remove', stored: readonly Tag[]): Promise<string[]> {
  for (const line of [ADD, REMOVE]) server().on(line, {});
  server().on(`GET ${TAGS}`, { body: { version: 1, tags: stored } });
  const { result } = renderHook(() => useTagWrites());
  await act(() => result.current[kind]('a', tag));
  const before = server().requests.length;
  const offer = newest();
  await act(async () => offer && undoNotice(offer));
  const lines = server().requests.slice(before);
  return lines.map(({ line }) => line).filter((line) => !line.startsWith('GET'));
}

test('adding and removing a tag can be undone', async () => {
  expect(await undoWith('add', [tag])).toEqual([REMOVE]);
  expect(await undoWith('remove', [])).toEqual([ADD]);
});

test.each([
  ['add', [], 'a no longer has the tag team: shop.'],
  ['remove', [tag], 'a has the tag team: shop again.'],
] as const)(
  'an undo changes nothing if another user has undone the change meanwhile: %s',
  async (kind, stored, text) => {
    expect(await undoWith(kind, stored)).toEqual([]);
    expect(newest()).toMatchObject({ kind: 'error', text: `Nothing to undo: ${text}` });
  },
);
