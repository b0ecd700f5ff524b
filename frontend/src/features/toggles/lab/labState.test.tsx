// @vitest-environment happy-dom
// The panel keeps its state for one user only.
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test, vi } from 'vitest';
import { clearUserData } from '@/api/useRead';
import { leaveGuards } from '@/lib/leaveGuard';
import { click, fill, isDisabled } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage, withRealTimers } from '@/testing/page';
import { assumesOn, labOpened, lastPopulation } from './labState';
import { PopulationSection } from './PopulationSection';

const server = installFakeServer();
cleanPageAfterEach();

test.each([assumesOn, labOpened])('a choice of one user does not stay for the next', (choice) => {
  choice.set(true);
  act(() => clearUserData({ rereads: false }));
  expect(choice.get()).toBe(false);
});

async function openDialog() {
  serveConsole(server());
  server().on('POST -/evaluate', { body: { toggles: [] } });
  const toggle = createToggle({ name: 'shop.basket' });
  render(
    <MemoryRouter>
      <PopulationSection versions={{ saved: toggle, edited: toggle }} onRemove={() => undefined} />
    </MemoryRouter>,
  );
  await click(screen.getByRole('button', { name: 'Add users' }));
  await withRealTimers(() => waitFor(() => screen.getByLabelText('Contexts')));
}

/** Chooses a file whose text can be read later. */
async function chooseFile() {
  const file = new File([''], 'users.txt');
  let resolve: (text: string) => void = () => undefined;
  vi.spyOn(file, 'text').mockReturnValue(
    new Promise((end) => {
      resolve = end;
    }),
  );
  fireEvent.change(screen.getByLabelText('Or choose a file'), { target: { files: [file] } });
  await settlePage();
  return async (text: string) => {
    resolve(text);
    await settlePage();
  };
}

test('the text of a population is unsaved work while its dialog is open', async () => {
  await openDialog();
  expect(leaveGuards.get()).toHaveLength(0);
  fill(screen.getByLabelText('Contexts'), 'ada');
  await settlePage();
  expect(leaveGuards.get()).toHaveLength(1);
  await click(screen.getByRole('button', { name: 'Cancel' }));
  expect(leaveGuards.get()).toHaveLength(0);
  await click(screen.getByRole('button', { name: 'Add users' }));
  expect(screen.getByLabelText('Contexts')).toHaveProperty('value', 'ada');
});

test('a file that is read after its dialog was cancelled is not used', async () => {
  await openDialog();
  const read = await chooseFile();
  await click(screen.getByRole('button', { name: 'Cancel' }));
  await click(screen.getByRole('button', { name: 'Add users' }));
  fill(screen.getByLabelText('Contexts'), 'ada');
  await read('4711');
  expect(lastPopulation.get()).toBeUndefined();
  expect(screen.getByLabelText('Contexts')).toHaveProperty('value', 'ada');
});

test('contexts cannot be edited while a file is read', async () => {
  await openDialog();
  const read = await chooseFile();
  expect(isDisabled(screen.getByLabelText('Contexts'))).toBe(true);
  await read('');
  expect(screen.getByRole('alert').textContent).not.toBe('');
  expect(isDisabled(screen.getByLabelText('Contexts'))).toBe(false);
});

test.each([false, true])('contexts are kept unless another user has signed in meanwhile: %s', async (isOther) => {
  await openDialog();
  fill(screen.getByLabelText('Contexts'), 'ada\neve');
  await settlePage();
  expect(leaveGuards.get()).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Evaluate' }));
  if (isOther) act(() => clearUserData({ rereads: false }));
  await settlePage();
  expect(lastPopulation.get()?.contexts.length).toBe(isOther ? undefined : 2);
});
