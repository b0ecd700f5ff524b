// @vitest-environment happy-dom
// Failures of each action on a toggle: the error is shown in place, the input is kept, and a retry succeeds. Journeys in
// the browser: e2e/toggle-failures.spec.ts.
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { click, signInByEmail } from './consolePage';
import { installFakeServer } from './fakeServer';
import { serveOutage, serveUpstream, UPSTREAM_HOST } from './flagService';
import { cleanPageAfterEach } from './page';
import { ONE_TOGGLE } from './responses';
import { prepareAction, TOGGLE_ACTIONS } from './toggleActions';

const server = installFakeServer();
cleanPageAfterEach();

const CHALLENGE = { type: 'unsecure', path: '/api/admin/login', message: 'Who is there?' };
const UNEXPECTED = 'Unexpected exception when talking to the Flagdeck API (status 500)';

beforeEach(() => serveUpstream(server(), ONE_TOGGLE));

describe.each(TOGGLE_ACTIONS)('$name', (action) => {
  const { call, response, control, errorText, expectInputKept, expectSuccess } = action;

  test('shows a server error, keeps the input, and succeeds when it is repeated', async () => {
    server().on(call, { status: 500 });
    await prepareAction(action);
    await click(control());
    expect(server().count(call)).toBe(1);
    expect(errorText()).toContain(UNEXPECTED);
    expectInputKept();
    server().on(call, response);
    await click(control());
    expect(server().count(call)).toBe(2);
    expectSuccess();
  });

  test('names an unreachable server, and keeps the input', async () => {
    await prepareAction(action);
    serveOutage(server());
    await click(control());
    const banner = screen.getAllByRole('alert', { hidden: true }).map(({ textContent }) => textContent);
    expect(banner.find((text) => text.includes('Changes are disabled'))).toContain(UPSTREAM_HOST);
    expectInputKept();
  });

  test('is repeated after the sign-in when the session has ended', async () => {
    await prepareAction(action);
    server().on(call, { status: 401, body: CHALLENGE });
    server().on('POST api/admin/login', { body: {} });
    await click(control());
    expect(screen.getByRole('dialog', { name: 'Action Required' })).toBeDefined();
    server().on(call, response);
    await signInByEmail('operator@example.com');
    expect(server().count(call)).toBe(2);
    expectSuccess();
  });
});
