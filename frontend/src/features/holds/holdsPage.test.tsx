// @vitest-environment happy-dom
// The messages about holds, the switches of held toggles, and the release of holds.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ListedHold } from '@/api/generated/types';
import { holdPrompt } from '@/domain/holds/holds';
import { leaveGuards } from '@/lib/leaveGuard';
import { accessibleDescription, click, dialog, fill, isDisabled, snackbarText } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage, withRealTimers } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { findHeldToggles } from './findHeldToggles';
import './HoldBanners';
import './HoldDialog';

const server = installFakeServer();
cleanPageAfterEach();

const hold = (environment: string | null, reason: string): ListedHold => ({
  toggle: 'shop.basket',
  environment,
  reason,
  person: 'ada',
  start: `2026-01-05T08:00:0${reason.length % 10}Z`,
  expires: '2026-01-05T10:00:00Z',
  secondsLeft: 600,
  isStored: false,
});

async function openHolds(...holds: ListedHold[]) {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  server().on('GET -/settings', { body: { ...SETTINGS, holds: true } });
  await openHoldsOf(...holds);
}

async function openHoldsOf(...holds: ListedHold[]) {
  server().on('GET -/holds', { body: { holds, ended: [], storageFault: null } });
  await renderConsole('/features');
  await withRealTimers(() => waitFor(() => screen.getAllByRole('region', { name: 'Hold of shop.basket' })));
  await settlePage();
}

const release = (number: number) => {
  const banner = screen.getAllByRole('region', { name: 'Hold of shop.basket' })[number];
  return click(within(banner ?? document.body).getByRole('button', { name: 'Release…' }));
};
const dialogText = () => screen.getByRole('dialog').textContent.replaceAll(/\s+/gu, ' ');

test.each([
  ['development', ['production'], []],
  ['development', ['production', null], ['shop.basket']],
  ['production', ['production'], ['shop.basket']],
  [undefined, ['production'], ['shop.basket']],
])('in the environment %s, holds in %j hold %j', (environment, held, expected) => {
  const holds = held.map((name) => hold(name, 'incident'));
  expect(findHeldToggles({ holds, ended: [], storageFault: null }, environment)).toEqual(expected);
});

test('the release of the hold of all environments names all holds that it ends', async () => {
  await openHolds(hold('production', 'payments fail'), hold(null, 'incident 7'));
  await release(1);
  expect(dialogText()).toContain('This ends 2 holds:');
  expect(dialogText()).toContain('shop.basket is held off for SDKs in production: payments fail (ada)');
  expect(dialogText()).toContain('shop.basket is held off for SDKs: incident 7 (ada)');
  server().on('DELETE -/holds/shop.basket', { body: { released: 2 } });
  await click(dialog().getByRole('button', { name: 'Release 2 holds' }));
  await settlePage();
  expect(snackbarText()).toContain('shop.basket was released');
});

test('the release of the hold of one environment says that another hold stays', async () => {
  await openHolds(hold('production', 'payments fail'), hold(null, 'incident 7'));
  await release(0);
  expect(dialogText()).not.toContain('This ends');
  expect(dialogText()).toContain('SDKs still get shop.basket as it is held in all environments.');
  expect(isDisabled(dialog().getByRole('button', { name: 'Release' }))).toBe(false);
});

test.each([
  [['development', 'production'], true],
  [['production'], false],
])('a hold in a service with the environments %j says that it applies to all of them: %s', async (names, isSaid) => {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  const newer = { environments: names.map((name) => ({ name, type: name })), environment: 'production' };
  server().on('GET -/settings', { body: { ...SETTINGS, holds: true, server: newer } });
  await openHoldsOf(hold('production', 'payments fail'));
  server().on('GET -/holds/shop.pay', { status: 404, body: {} });
  act(() => void holdPrompt.ask('shop.pay'));
  await withRealTimers(() => waitFor(() => screen.getByLabelText('Reason')));
  expect(dialogText().includes('get shop.pay as off in all environments, not only in the one that this page')).toBe(
    isSaid,
  );
});

test('the reason of a hold is unsaved work while its dialog is open', async () => {
  await openHolds(hold('production', 'payments fail'));
  server().on('GET -/holds/shop.pay', { status: 404, body: {} });
  act(() => void holdPrompt.ask('shop.pay'));
  await withRealTimers(() => waitFor(() => screen.getByLabelText('Reason')));
  expect(leaveGuards.get()).toHaveLength(0);
  fill(screen.getByLabelText('Reason'), 'incident 8');
  await settlePage();
  expect(leaveGuards.get()).toHaveLength(1);
  await click(dialog().getByRole('button', { name: 'Cancel' }));
  expect(leaveGuards.get()).toHaveLength(0);
});

test('the reason of a hold cannot be edited while it is sent, and can be after a failure', async () => {
  await openHolds(hold('production', 'payments fail'));
  server().on('GET -/holds/shop.pay', { status: 404, body: {} });
  act(() => void holdPrompt.ask('shop.pay'));
  await withRealTimers(() => waitFor(() => screen.getByLabelText('Reason')));
  const reason = screen.getByLabelText('Reason');
  fill(reason, 'incident 8');
  await settlePage();
  server().hold('POST -/holds');
  await click(dialog().getByRole('button', { name: 'Hold off' }));
  const request = await server().take('POST -/holds');
  expect(isDisabled(reason)).toBe(true);
  request.respond({ status: 500, body: {} });
  await settlePage();
  expect(isDisabled(reason)).toBe(false);
  expect(screen.getByLabelText('Reason')).toHaveProperty('value', 'incident 8');
});

test.each([true, false])('a toggle whose state for SDKs is off (%s) cannot be held', async (isOff) => {
  await openHolds(hold('production', 'payments fail'));
  const effect = { copies: 2, instances: 3, hasMoreInstances: false, children: [], withoutEffect: [] };
  server().on('GET -/holds/shop.pay', { body: { ...effect, isOff, forwardsBrowsers: false } });
  act(() => void holdPrompt.ask('shop.pay'));
  await withRealTimers(() => waitFor(() => screen.getByLabelText('Reason')));
  await settlePage();
  fill(screen.getByLabelText('Reason'), 'incident 8');
  const submit = dialog().getByRole('button', { name: 'Hold off' });
  expect(isDisabled(submit)).toBe(isOff);
  expect(accessibleDescription(submit)).toBe(isOff ? 'SDKs already get it as off.' : '');
  const form = screen.getByLabelText('Reason').closest('form');
  server().on('POST -/holds', { status: 409, body: {} });
  fireEvent.submit(form ?? document.body);
  await settlePage();
  expect(server().requests.filter(({ line }) => line === 'POST -/holds')).toHaveLength(isOff ? 0 : 1);
});
