// @vitest-environment happy-dom
// Error messages for each kind of failed request. A journey in the browser: e2e/errors.spec.ts.
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { chooseForToggle, click, dialog, fill, main, row, snackbarText, switchOf } from './consolePage';
import { installFakeServer } from './fakeServer';
import { serveUpstream } from './flagService';
import { advance, cleanPageAfterEach, settlePage } from './page';
import { renderConsole } from './renderConsole';
import { toggle } from './responses';

const server = installFakeServer();
cleanPageAfterEach();

const SWITCH_OFF = 'POST api/admin/features/shop.basket/toggle/off';
const UNEXPECTED = 'Unexpected exception when talking to the Flagdeck API';
const REFUSED = { status: 403, body: { permission: 'DELETE_FEATURE', message: 'Ask an editor' } };

const listOf = (...names: string[]) => ({ body: { version: 1, features: names.map((name) => toggle(name)) } });
const nameField = () => main().getByLabelText<HTMLInputElement>('Name');
const create = () => click(main().getByRole('button', { name: 'Create' }));

/** Number of notices with this text. */
const shown = (text: string) => screen.queryAllByText(text, { exact: false }).length;

beforeEach(() => serveUpstream(server(), { 'GET api/admin/features': listOf('shop.basket') }));

describe('a failed request', () => {
  test.each([
    ['[S8-005]', { status: 403, body: { permission: 'UPDATE_FEATURE', message: 'Ask an editor' } }, 'Ask an editor'],
    ['[S8-003] [S8-005]', { status: 403 }, '403 Forbidden'],
    ['[S8-006]', { status: 404 }, 'The requested resource could not be found but may be available in the future'],
    ['[S8-007]', { status: 400, body: { isJoi: true, details: [{ message: '"name" is odd' }] } }, '"name" is odd'],
    ['[S8-007]', { status: 409, body: [{ msg: 'Somebody was faster' }] }, 'Somebody was faster'],
    ['[S8-007]', { status: 499, body: { errors: [{ message: 'You hung up' }, { message: 'Later' }] } }, 'You hung up'],
    ['[S8-009]', { status: 500 }, UNEXPECTED],
    ['[S8-008]', { status: 503, body: { message: 'secret detail' } }, '503'],
  ])('%s with %j shows %j, and the switch keeps its position', async (_, response, text) => {
    server().on(SWITCH_OFF, response);
    await renderConsole('/features');
    await click(switchOf('shop.basket'));
    expect(server().count(SWITCH_OFF)).toBe(1);
    expect(snackbarText()).toContain(text);
    expect(snackbarText()).not.toContain('secret detail');
    expect(switchOf('shop.basket').checked).toBe(true);
  });

  test('[S6-016] [S6-017] [S6-018] shows the message of the server with 401 and with 403', async () => {
    server().on(SWITCH_OFF, { status: 403, body: { message: 'Ask an editor' } });
    await renderConsole('/features');
    await click(switchOf('shop.basket'));
    expect(snackbarText()).toContain('Ask an editor');
    expect(screen.queryByRole('dialog')).toBeNull();
    server().on(SWITCH_OFF, {
      status: 401,
      body: { type: 'unsecure', path: '/api/admin/login', message: 'Tell the tower who you are' },
    });
    await click(switchOf('shop.basket'));
    expect(dialog().getByText(/Tell the tower who you are/)).toBeDefined();
    expect(snackbarText()).not.toContain('Tell the tower who you are');
  });

  test('[S8-008] [S8-009] [S8-014] for the list shows a panel with a retry button', async () => {
    server().on('GET api/admin/ui-config', { body: { name: 'Toggle tower', version: '3.17.6' } });
    server().on('GET api/admin/features', { status: 500 });
    // The name of the product is known before the list fails.
    server().hold('GET api/admin/features');
    await renderConsole('/features');
    (await server().take('GET api/admin/features')).respond();
    await settlePage();
    expect(main().getByRole('alert').textContent).toContain(
      'Unexpected exception when talking to the Toggle tower API',
    );
    expect(screen.queryByText('Empty list of feature toggles')).toBeNull();
    server().release('GET api/admin/features');
    server().on('GET api/admin/features', listOf('shop.basket'));
    await click(main().getByRole('button', { name: 'Retry' }));
    expect(row('shop.basket')).toBeDefined();
    expect(main().queryByRole('alert')).toBeNull();
  });

  test('[S6-017] [S8-004] of a form is shown in the form, gets the focus, and keeps the input', async () => {
    server().on('POST api/admin/features/validate', { status: 200 });
    server().on('POST api/admin/features', { status: 403 });
    await renderConsole('/features/create');
    fill(nameField(), 'shop.new');
    await create();
    expect(server().count('POST api/admin/features')).toBe(1);
    expect(main().getByRole('alert').textContent).toBe('You cannot perform this action');
    expect(document.activeElement).toBe(main().getByRole('alert'));
    expect(nameField().value).toBe('shop.new');
    expect(snackbarText()).toBe('');
  });

  test('[S8-014] of a confirmation dialog is shown in the dialog, which stays open', async () => {
    server().on('DELETE api/admin/features/shop.basket', { status: 500 });
    await renderConsole('/features');
    await chooseForToggle('shop.basket', 'Archive');
    await click(dialog().getByRole('button', { name: 'Archive' }));
    expect(dialog().getByRole('alert').textContent).toContain(UNEXPECTED);
    await click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(row('shop.basket')).toBeDefined();
  });

  describe('with 403 shows the message of the server below the heading', () => {
    const TEXT = 'You cannot perform this actionAsk an editor';

    test('[S8-004] [S8-005] in a dialog', async () => {
      server().on('DELETE api/admin/features/shop.basket', REFUSED);
      await renderConsole('/features');
      await chooseForToggle('shop.basket', 'Archive');
      await click(dialog().getByRole('button', { name: 'Archive' }));
      expect(dialog().getByRole('alert').textContent).toBe(TEXT);
    });

    test('[S8-004] [S8-005] in a form', async () => {
      server().on('POST api/admin/features/validate', { status: 200 });
      server().on('POST api/admin/features', REFUSED);
      await renderConsole('/features/create');
      fill(nameField(), 'shop.new');
      await create();
      expect(main().getByRole('alert').textContent).toBe(TEXT);
    });

    test('[S8-004] [S8-005] in a list', async () => {
      server().on('GET api/admin/tag-types', REFUSED);
      await renderConsole('/tag-types');
      expect(main().getByRole('alert').textContent).toContain(TEXT);
    });
  });

  test.each([
    ['with a message', { message: 'Ask an editor' }, 'You cannot perform this action: Ask an editor'],
    ['without', undefined, 'You cannot perform this action'],
  ])('[S8-004] [S8-005] with 403 of the name check, %s, is shown under the name', async (_, body, text) => {
    server().on('POST api/admin/features/validate', { status: 403, body });
    await renderConsole('/features/create');
    fill(nameField(), 'shop.new');
    nameField().blur();
    await settlePage();
    expect(nameField().getAttribute('aria-invalid')).toBe('true');
    expect(main().getByRole('alert').textContent).toBe(text);
    expect(snackbarText()).toBe('');
  });

  test('[S8-010] [S8-012] [S8-013] [S2-115] [S2-116] [S9-024] [S1-005] is shown once, can be dismissed, and disappears after ten seconds', async () => {
    server().on(SWITCH_OFF, { status: 500 });
    await renderConsole('/features');
    expect(screen.getAllByRole('banner').length).toBeGreaterThan(0);
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeDefined();
    expect(screen.getByRole('contentinfo')).toBeDefined();
    await click(switchOf('shop.basket'));
    await click(switchOf('shop.basket'));
    expect(server().count(SWITCH_OFF)).toBe(2);
    expect(shown(UNEXPECTED)).toBe(1);
    await click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(shown(UNEXPECTED)).toBe(0);

    switchOf('shop.basket').click();
    await advance(9_900);
    expect(snackbarText()).toContain(UNEXPECTED);
    await advance(200);
    expect(shown(UNEXPECTED)).toBe(0);
  });

  test('[S2-115] [S8-010] [S8-012] of another kind is shown first, and the older one again after it is dismissed', async () => {
    server().on('GET api/admin/features', listOf('shop.basket', 'shop.pay'));
    server().on(SWITCH_OFF, { status: 409, body: { message: 'The first failure' } });
    server().on('POST api/admin/features/shop.pay/toggle/off', {
      status: 409,
      body: { message: 'The second failure' },
    });
    await renderConsole('/features');
    await click(switchOf('shop.basket'));
    expect(snackbarText()).toContain('The first failure');
    await click(switchOf('shop.pay'));
    expect(snackbarText()).toContain('The second failure');
    expect(shown('The first failure')).toBe(0);
    await click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(snackbarText()).toContain('The first failure');
  });

  test('of the metrics poll shows one message, is retried with growing delays, and opens no sign-in dialog', async () => {
    const METRICS = 'GET api/admin/metrics/feature-toggles';
    server().on(METRICS, { status: 401, body: { type: 'unsecure', message: 'Who?' } });
    await renderConsole('/features');
    expect(snackbarText()).toContain('Authentication required');
    for (const polls of [2, 3, 4]) {
      // The next poll comes no earlier than after the usual five seconds.
      await advance(4_000);
      for (let second = 0; second < 60 && server().count(METRICS) < polls; second += 1) await advance(1_000);
      expect(server().count(METRICS)).toBe(polls);
      expect(shown('Authentication required')).toBe(1);
    }
    await click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(shown('Authentication required')).toBe(0);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

test('a response that is not an object is an error', async () => {
  server().on('GET api/admin/features', { body: null });
  await renderConsole('/features');
  expect(main().getByRole('alert').textContent).toContain(UNEXPECTED);
});
