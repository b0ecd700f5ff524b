// @vitest-environment happy-dom
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { clearUserData } from '@/api/useRead';
import { confirmLeave, leavePrompt } from '@/lib/leaveGuard';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { cleanPageAfterEach } from '@/testing/page';
import { LeaveConfirmation } from './LeaveDialog';

// The first import of the dialog's code is slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });
cleanPageAfterEach();

/** Unsaved work that is saved when `end` is called, unless `edit` was called meanwhile. */
function useWork(name: string, saves: string[], onSave: (end: (isSaved: boolean) => void) => void) {
  const [version, setVersion] = useState(1);
  const [savedVersion, setSavedVersion] = useState(0);
  const save = async () => {
    saves.push(name);
    const isSaved = await new Promise<boolean>(onSave);
    if (isSaved) setSavedVersion(version);
    return isSaved;
  };
  useLeaveGuard(version > savedVersion, { save });
  return { edit: () => setVersion(version + 1) };
}

/** Asks to leave two pieces of unsaved work, the first of which is being saved. */
async function startSaving() {
  let end: (isSaved: boolean) => void = () => undefined;
  const saves: string[] = [];
  const onSave = (next: typeof end) => {
    end = next;
  };
  const { result } = renderHook(() => [useWork('first', saves, onSave), useWork('second', saves, onSave)]);
  render(<LeaveConfirmation />);
  let left: Promise<boolean> = Promise.resolve(false);
  act(() => {
    left = confirmLeave();
  });
  const button = await screen.findByRole('button', { name: 'Save all' }, { timeout: 15_000 });
  await act(async () => fireEvent.click(button));
  return {
    saves,
    left,
    edit: (index: number) => act(() => result.current[index]?.edit()),
    end: (isSaved: boolean) => act(async () => end(isSaved)),
  };
}

test('the page is left after all work was saved', async () => {
  const { saves, left, end } = await startSaving();
  expect(screen.queryByRole('dialog')).toBeNull();
  await end(true);
  await end(true);
  expect(saves).toEqual(['first', 'second']);
  expect(await left).toBe(true);
});

test('what is edited while the work is saved is asked about before the page is left', async () => {
  const { saves, left, edit, end } = await startSaving();
  edit(0);
  await end(true);
  await end(true);
  expect(screen.getByRole('dialog', { name: 'Unsaved changes' })).toBeDefined();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save all' })));
  await end(true);
  expect(saves).toEqual(['first', 'second', 'first']);
  expect(await left).toBe(true);
});

test('a failed save stays on the page and saves nothing else', async () => {
  const { saves, left, end } = await startSaving();
  await end(false);
  expect(await left).toBe(false);
  expect(saves).toEqual(['first']);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a second navigation while the work is saved is refused', async () => {
  const { left, end } = await startSaving();
  let second: Promise<boolean> = Promise.resolve(true);
  act(() => {
    second = confirmLeave();
  });
  expect(await second).toBe(false);
  await end(true);
  await end(true);
  expect(await left).toBe(true);
});

test('a change of the user while the work is saved saves nothing else, and answers no later question', async () => {
  const { saves, left, end } = await startSaving();
  act(() => clearUserData({ rereads: false }));
  expect(await left).toBe(false);
  let later: boolean | undefined;
  act(() => {
    void confirmLeave().then((isLeft) => {
      later = isLeft;
    });
  });
  await end(true);
  expect(saves).toEqual(['first']);
  expect(later).toBeUndefined();
  act(leavePrompt.close);
});
