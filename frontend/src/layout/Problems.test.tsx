// @vitest-environment happy-dom
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { clearUserData } from '@/api/useRead';
import { offerUndo, pushError, pushInfo, undoNotice, useNewestNotice } from '@/api/notices';
import { installFakeServer } from '@/testing/fakeServer';
import { advance, cleanPageAfterEach } from '@/testing/page';
import { IconDefaults } from '@/ui/icons';
import { Problems } from './Problems';

installFakeServer();
cleanPageAfterEach();
beforeEach(() => vi.setSystemTime('2026-01-01T12:00:00Z'));

function openProblems() {
  const { container } = render(
    <IconDefaults>
      <Problems />
    </IconDefaults>,
  );
  const panel = container.querySelector('[popover]');
  if (!panel) throw new Error('no popover');
  fireEvent(panel, Object.assign(new Event('beforetoggle'), { newState: 'open' }));
}

const button = () => screen.queryByRole('button', { name: /^(Problems|Messages)/u });

test('counts errors only, and appears with the first entry', () => {
  const { rerender } = render(<Problems />);
  expect(button()).toBeNull();
  act(() => pushInfo('Saved.'));
  rerender(<Problems />);
  expect(button()?.textContent).toBe('Messages');
  act(() => pushError('save failed'));
  expect(button()?.textContent).toBe('Problems (1)');
});

const texts = () => screen.queryAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent);

test('[S8-010] lists failed calls once each, also those that are shown in place, newest first', async () => {
  pushError('poll failed', { shownInPlace: true });
  pushError('save failed');
  await advance(60_000);
  pushError('poll failed', { shownInPlace: true });
  openProblems();
  expect(texts()).toHaveLength(2);
  expect(texts()[0]).toContain('2 times');
  expect(texts()[0]).toContain('poll failed');
  expect(texts()[1]).toContain('save failed');
  const time = screen.getAllByRole('listitem', { hidden: true })[0]?.querySelector('time');
  expect(time?.dateTime).toBe('2026-01-01T12:01:00.000Z');
});

test('[S8-011] lists messages too', () => {
  pushInfo('Saved.');
  openProblems();
  expect(texts()[0]).toContain('Message');
  expect(texts()[0]).toContain('Saved.');
});

test('keeps the newest 50 entries', () => {
  for (let number = 1; number <= 60; number += 1) pushError(`error ${number}.`);
  openProblems();
  expect(texts()).toHaveLength(50);
  expect(texts()[0]).toContain('error 60.');
  expect(texts()[49]).toContain('error 11.');
});

test('dismisses one entry or all, and keeps the focus in the panel', () => {
  for (const text of ['one', 'two', 'three']) pushError(text);
  openProblems();
  fireEvent.click(screen.getByLabelText('Dismiss: two'));
  expect(texts()).toHaveLength(2);
  expect(document.activeElement?.textContent).toBe('Problems and messages');
  fireEvent.click(screen.getByText('Dismiss all'));
  expect(texts()).toEqual([]);
  expect(screen.getByText('No errors or messages since you opened the console.')).toBeDefined();
});

test('a change of the user clears the list', () => {
  pushError('of the first user');
  openProblems();
  act(() => clearUserData({ rereads: false }));
  expect(texts()).toEqual([]);
});

test('an undo that ends after a change of the user reports nothing', async () => {
  let end: (failure: Error) => void = () => undefined;
  offerUndo('a saved.', () => new Promise((_, reject) => (end = reject)));
  const newest = renderHook(() => useNewestNotice());
  const offer = newest.result.current;
  if (!offer) throw new Error('no offer');
  const undoing = undoNotice(offer);
  act(() => clearUserData({ rereads: false }));
  end(new Error('failed'));
  await undoing;
  expect(newest.result.current).toBeUndefined();
});
