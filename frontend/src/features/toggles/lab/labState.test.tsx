// @vitest-environment happy-dom
// The panel keeps its state for one user only.
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import { clearUserData } from '@/api/useRead';
import { leaveGuards } from '@/lib/leaveGuard';
import { click, fill } from '@/testing/consolePage';
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

test.each([false, true])('contexts are kept unless another user has signed in meanwhile: %s', async (isOther) => {
  serveConsole(server());
  server().on('POST -/evaluate', { body: { toggles: [] } });
  const toggle = createToggle({ name: 'shop.basket' });
  render(
    <MemoryRouter>
      <PopulationSection versions={{ saved: toggle, edited: toggle }} onRemove={() => undefined} />
    </MemoryRouter>,
  );
  await click(screen.getByRole('button', { name: 'Add population' }));
  await withRealTimers(() => waitFor(() => screen.getByLabelText('Contexts')));
  fill(screen.getByLabelText('Contexts'), 'ada\neve');
  await settlePage();
  expect(leaveGuards.get()).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Evaluate' }));
  if (isOther) act(() => clearUserData({ rereads: false }));
  await settlePage();
  expect(lastPopulation.get()?.contexts.length).toBe(isOther ? undefined : 2);
});
