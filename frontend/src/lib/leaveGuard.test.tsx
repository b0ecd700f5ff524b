// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { cleanPageAfterEach } from '@/testing/page';
import { confirmLeave, confirmUnload, hasConfirmedUnload, leavePrompt } from './leaveGuard';
import { resetUserStores } from './store';
import { useLeaveGuard } from './useLeaveGuard';

cleanPageAfterEach();

test('a page without unsaved work is left without a question', async () => {
  expect(await confirmLeave()).toBe(true);
});

test.each([
  ['discarded', true],
  ['notSaved', false],
  [undefined, false],
] as const)('unsaved work asks: %s', async (answer, isLeft) => {
  renderHook(() => useLeaveGuard(true));
  const left = confirmLeave();
  if (answer) leavePrompt.answer(answer);
  else leavePrompt.close();
  expect(await left).toBe(isLeft);
});

test.each(['stays', 'is removed', 'becomes another link'])(
  'a link is followed to where it led when it was clicked, if it %s meanwhile',
  async (change) => {
    renderHook(() => useLeaveGuard(true));
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
    const link = document.createElement('a');
    link.href = '/archive';
    document.body.append(link);
    const followed: string[] = [];
    link.addEventListener('click', (event) => {
      event.preventDefault();
      followed.push(link.pathname);
    });
    link.click();
    expect(leavePrompt.store.get()?.open).toBe(true);
    if (change === 'is removed') link.remove();
    if (change === 'becomes another link') link.href = '/addons';
    leavePrompt.answer('discarded');
    await vi.waitFor(() => expect(followed.length + assign.mock.calls.length).toBe(1));
    expect(followed).toEqual(change === 'stays' ? ['/archive'] : []);
    expect(assign.mock.calls.map(([url]) => new URL(url).pathname)).toEqual(change === 'stays' ? [] : ['/archive']);
    link.remove();
  },
);

test('a change of the user closes the question, and the page stays', async () => {
  renderHook(() => useLeaveGuard(true));
  const left = confirmLeave();
  expect(leavePrompt.store.get()?.open).toBe(true);
  resetUserStores();
  expect(leavePrompt.store.get()?.open).toBe(false);
  expect(await left).toBe(false);
});

test('a confirmed unload lasts until the page is hidden', async () => {
  expect(await confirmUnload()).toBe(true);
  expect(hasConfirmedUnload()).toBe(true);
  window.dispatchEvent(new Event('pagehide'));
  expect(hasConfirmedUnload()).toBe(false);
  renderHook(() => useLeaveGuard(true));
  const refused = confirmUnload();
  leavePrompt.close();
  expect(await refused).toBe(false);
});
