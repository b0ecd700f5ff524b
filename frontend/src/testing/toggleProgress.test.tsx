// @vitest-environment happy-dom
// Progress of each request about toggles.
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { click, main, row } from './consolePage';
import { installFakeServer } from './fakeServer';
import { serveUpstream } from './flagService';
import { cleanPageAfterEach, settlePage } from './page';
import { renderConsole } from './renderConsole';
import { ONE_TOGGLE } from './responses';
import { prepareAction, TOGGLE_ACTIONS } from './toggleActions';

const server = installFakeServer();
cleanPageAfterEach();

const UNEXPECTED = 'Unexpected exception when talking to the Flagdeck API (status 500)';

beforeEach(() => serveUpstream(server(), ONE_TOGGLE));

test('[S4-022] [S4-023] reading shows progress, failure and success', async () => {
  server().hold('GET api/admin/features');
  await renderConsole('/features');
  expect(screen.getByRole('status', { name: 'Loading toggles' })).toBeDefined();
  const held = await server().take('GET api/admin/features');
  held.respond({ status: 418, body: { message: 'Not today' } });
  await settlePage();
  expect(screen.queryByRole('status', { name: 'Loading toggles' })).toBeNull();
  expect(main().getByRole('alert').textContent).toContain('Not today');
  server().release('GET api/admin/features');
  await click(main().getByRole('button', { name: 'Retry' }));
  expect(row('shop.basket')).toBeDefined();
});

test.each(TOGGLE_ACTIONS)('[S4-022] [S4-023] $name shows progress, failure and success', async (action) => {
  const { call, response, control, errorText, expectSuccess } = action;
  await prepareAction(action);
  server().hold(call);
  for (const outcome of [{ status: 500 }, response]) {
    expect(control().ariaBusy).not.toBe('true');
    await click(control());
    expect(control().getAttribute('aria-busy')).toBe('true');
    // A second click while the request runs sends nothing.
    fireEvent.click(control());
    await settlePage();
    (await server().take(call)).respond(outcome);
    await settlePage();
    if (outcome !== response) expect(errorText()).toContain(UNEXPECTED);
  }
  expect(server().count(call)).toBe(2);
  expectSuccess();
});
