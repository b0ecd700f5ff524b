// @vitest-environment happy-dom
// Failures and unusual data of addons. A journey in the browser: e2e/addons-failures.spec.ts.
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, click, dialog, fill, find, main, row, snackbarText } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { serveUpstream } from '@/testing/flagService';
import { cleanPageAfterEach } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { pagerAddon as addon, pager as provider } from '@/testing/responses';

const server = installFakeServer();
cleanPageAfterEach();

const PUT = 'PUT api/admin/addons/7';
const key = () => main().getByLabelText<HTMLInputElement>('Key');

beforeEach(() =>
  serveUpstream(server(), {
    'GET api/admin/addons': { body: { providers: [provider], addons: [addon] } },
    'GET api/admin/events': { body: { version: 1, events: [] } },
  }),
);

test('[S9-027] a provider with an unsafe documentation URL links to the general documentation', async () => {
  await renderConsole('/addons');
  const link = main().getByRole('link', { name: /Documentation of Pager/ });
  expect(link.getAttribute('href')).toBe('https://docs.getunleash.io/docs/addons');
  expect(link.getAttribute('rel')).toContain('noopener');
});

test('[S5-034] [S8-027] a failed save shows the message of the server and keeps the input', async () => {
  server().on('POST api/admin/addons', { status: 400, body: { details: [{ message: '"key" is wrong' }] } });
  await renderConsole('/addons/create/pager');
  await click(main().getByRole('checkbox', { name: 'Toggle created' }));
  fill(key(), 'x');
  await click(button('Create'));
  expect(find(document, 'form > [role=alert]').textContent).toBe('"key" is wrong');
  expect(key().value).toBe('x');
  expect(snackbarText()).toBe('');
});

test('an edit keeps fields that the console does not know', async () => {
  server().on(PUT, { status: 200 });
  await renderConsole('/addons/edit/7');
  fill(key(), 'new');
  await click(button('Save'));
  expect(location.pathname).toBe('/addons');
  const { id: _id, ...rest } = addon;
  const sent = server().requests.find(({ line }) => line === PUT);
  expect(sent?.body).toEqual({ ...rest, parameters: { key: 'new', more: 5 } });
});

test('[S8-027] failures of enabling and removing are shown, and the addon does not change', async () => {
  server().on(PUT, { status: 403, body: { permission: 'UPDATE_ADDON', message: 'You need UPDATE_ADDON' } });
  server().on('DELETE api/admin/addons/7', { status: 403, body: '' });
  await renderConsole('/addons');
  await click(button('Disable Pager 7'));
  expect(snackbarText()).toContain('You need UPDATE_ADDON');
  expect(button('Disable Pager 7')).toBeDefined();
  await click(button('Remove Pager 7'));
  await click(dialog().getByRole('button', { name: 'Remove' }));
  expect(dialog().getByRole('alert').textContent).toContain('You cannot perform this action');
});

test('the undo of a switch changes nothing if another user has switched the addon back meanwhile', async () => {
  server().on(PUT, { status: 200 });
  await renderConsole('/addons');
  await click(button('Disable Pager 7'));
  await click(screen.getByRole('button', { name: 'Undo' }));
  expect(server().count(PUT)).toBe(1);
  expect(snackbarText()).toContain('Nothing to undo: Pager 7 was enabled in the meantime.');
});

test('[S8-027] a list that failed to load can be retried', async () => {
  server().on('GET api/admin/addons', { status: 418, body: { message: 'No' } });
  await renderConsole('/addons');
  expect(screen.getByRole('main').textContent).toContain('The addons could not be loaded');
  server().on('GET api/admin/addons', { body: { providers: [], addons: [addon] } });
  await click(button('Retry'));
  expect(row('pager 7')).toBeDefined();
});
