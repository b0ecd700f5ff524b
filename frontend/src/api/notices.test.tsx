// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { cleanPageAfterEach } from '@/testing/page';
import { ApiError } from './error';
import { type Notice, notifyChunkError, offerUndo, pushError, pushInfo, undoNotice, useNewestNotice } from './notices';

installFakeServer();
cleanPageAfterEach();

const renderNewest = () => renderHook(() => useNewestNotice()).result;

function renderOffer(undo: NonNullable<Notice['undo']>) {
  offerUndo('a saved.', undo);
  const newest = renderNewest();
  const offer = newest.current;
  if (!offer) throw new Error('no offer');
  return { newest, offer };
}

test('a text is shown once, and an error that was shown in place is shown when it is announced', () => {
  const newest = renderNewest();
  act(() => pushError('failed', { shownInPlace: true }));
  expect(newest.current).toBeUndefined();
  act(() => pushError('failed'));
  const shown = newest.current;
  expect(shown?.text).toBe('failed');
  act(() => pushError('failed'));
  expect(newest.current).toBe(shown);
});

test('only the newest action can be undone', async () => {
  offerUndo('first.', async () => undefined);
  const { newest, offer } = renderOffer(async () => undefined);
  await act(() => undoNotice(offer));
  expect(newest.current?.text).toBe('Undone.');
});

test('an undo that was declined keeps its offer', async () => {
  const { newest, offer } = renderOffer(async () => false);
  await act(() => undoNotice(offer));
  expect(newest.current).toBe(offer);
});

test.each([
  [new Error('changed since'), 'changed since'],
  ['refused', 'refused'],
  [new ApiError({ status: 500, hop: 'server', body: '' }, 'Flagdeck'), 'a saved.'],
])('an undo that fails with %s shows "%s"', async (thrown, text) => {
  const { newest, offer } = renderOffer(() => Promise.reject(thrown));
  await act(() => undoNotice(offer));
  expect(newest.current?.text).toBe(text);
});

test('a confirmation has its own duration, or fades out', () => {
  const newest = renderNewest();
  act(() => pushInfo('Saved.', 1000));
  expect(newest.current).toMatchObject({ kind: 'info', durationMs: 1000 });
  act(() => pushInfo('Copied.'));
  expect(newest.current?.fadeMs).toBeGreaterThan(0);
  act(() => notifyChunkError());
  expect(newest.current?.text).toContain('could not be loaded');
});
