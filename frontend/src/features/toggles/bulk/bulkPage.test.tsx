// @vitest-environment happy-dom
// Selected toggles in the complete console: what a bulk action shows, and which toggles it changes. The selection by keys
// and the layout of the bar: e2e/toggle-bulk.spec.ts. Interruptions: startBulkAction.test.tsx.
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Settings } from '@/api/generated/types';
import {
  accessibleDescription,
  click,
  dialog,
  isDisabled,
  main,
  row,
  rowNames,
  signInByEmail,
  snackbarText,
  switchOf,
} from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { SETTINGS, serveOutage, serveUpstream, UPSTREAM_HOST } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { toggle } from '@/testing/responses';

const server = installFakeServer();
cleanPageAfterEach();

const LIST = 'GET api/admin/features';
const METRICS = 'GET api/admin/metrics/feature-toggles';
const numbered = Array.from({ length: 20 }, (_, index) => `flag.${String(index).padStart(2, '0')}`);
const off = (name: string) => `POST api/admin/features/${name}/toggle/off`;
const on = (name: string) => `POST api/admin/features/${name}/toggle/on`;
const remove = (name: string) => `DELETE api/admin/features/${name}`;

const bar = () => within(screen.getByRole('region', { name: 'Selected toggles' }));
const barText = () => screen.queryByRole('region', { name: 'Selected toggles', hidden: true })?.textContent ?? '';
const dialogText = () => screen.getByRole('dialog').textContent;
const checkbox = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const inDialog = (name: string) => dialog().getByRole('button', { name });
const undo = () => click(within(screen.getByTestId('snackbar')).getByRole('button', { name: 'Undo' }));

/** Opens the list with these toggles, and selects all of them. */
async function selectAll(
  names: readonly string[],
  settings: Partial<Settings> = {},
  permissions = ['ADMIN'],
  responses: Parameters<typeof serveUpstream>[1] = {},
) {
  serveUpstream(server(), responses);
  const enabled = new Map(names.map((name) => [name, true]));
  const list = () => [...enabled].map(([name, isOn]) => toggle(name, { enabled: isOn }));
  server().on(LIST, () => ({ body: { version: 1, features: list() } }));
  server().on('GET -/settings', { body: { ...SETTINGS, mode: 'upstream', upstream: UPSTREAM_HOST, ...settings } });
  server().on('GET api/admin/user', { body: { email: 'a@example.com', permissions } });
  const switched = (name: string, isOn: boolean) => () => {
    enabled.set(name, isOn);
    return { body: toggle(name, { enabled: isOn }) };
  };
  for (const name of names) {
    server().on(off(name), switched(name, false));
    server().on(on(name), switched(name, true));
    server().on(remove(name), { status: 200 });
  }
  await renderConsole('/features?sort=name');
  await click(checkbox(`Select all ${names.length}`));
}

async function chooseStatus(item: string) {
  await click(bar().getByRole('button', { name: 'Status' }));
  await click(bar().getByRole('menuitem', { name: item }));
}

describe('a bulk action', () => {
  beforeEach(() => selectAll(numbered));

  test('lists failures with their reasons, retries them, and can be undone completely', async () => {
    server().on(off('flag.03'), { status: 403, body: { message: 'Not this one' } });
    server().on(off('flag.07'), { status: 500 });
    await chooseStatus('Disable');
    expect(dialogText()).toContain('2 toggles could not be switched off');
    expect(
      dialog()
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([expect.stringMatching(/^flag\.03.*Not this one/u), expect.stringMatching(/^flag\.07.*status 500/u)]);
    for (const name of ['flag.03', 'flag.07']) server().on(off(name), { body: toggle(name, { enabled: false }) });
    await click(inDialog('Retry'));
    expect(barText()).toBe('');
    expect(switchOf('flag.02').checked).toBe(false);
    expect(switchOf('flag.03').checked).toBe(false);
    expect(snackbarText()).toContain('20 toggles switched off.');
    expect(server().count(off('flag.02'))).toBe(1);
    expect(server().count(off('flag.03'))).toBe(2);

    server().on(on('flag.05'), { status: 403, body: { message: 'No way back' } });
    await undo();
    expect(snackbarText()).toContain('1 toggle could not be changed back: flag.05');
    expect(switchOf('flag.05').checked).toBe(false);
    expect(switchOf('flag.06').checked).toBe(true);
  });

  test('runs six requests at a time, shows its progress, and can be stopped and continued', async () => {
    for (const name of numbered.slice(6)) server().hold(off(name));
    const requested = () => numbered.filter((name) => server().count(off(name)) > 0).length;
    await chooseStatus('Disable');
    await advance(1_000);
    expect(barText()).toContain('Switching off 20 toggles');
    expect(barText()).toContain('6 of 20');
    expect(requested()).toBe(12);
    await click(bar().getByRole('button', { name: 'Stop' }));
    for (const name of numbered) server().respondToAll(off(name));
    await settlePage();
    expect(barText()).toContain('12 toggles switched off');
    expect(barText()).toContain('8 not tried');
    expect(requested()).toBe(12);
    await click(bar().getByRole('button', { name: 'Continue' }));
    expect(snackbarText()).toContain('20 toggles switched off.');
    expect(requested()).toBe(20);
  });

  test('names the host of an unreachable server', async () => {
    serveOutage(server());
    await chooseStatus('Disable');
    expect(dialogText()).toContain('20 toggles could not be switched off');
    expect(dialogText()).toContain(UPSTREAM_HOST);
  });

  test('waits for the user to sign in after the session has ended', async () => {
    const challenge = { type: 'unsecure', path: '/api/admin/login', message: 'Who is there?' };
    for (const name of numbered) server().on(off(name), { status: 401, body: challenge });
    server().on('POST api/admin/login', () => {
      for (const name of numbered) server().on(off(name), { body: toggle(name, { enabled: false }) });
      return { body: {} };
    });
    await chooseStatus('Disable');
    await signInByEmail('a@example.com');
    expect(snackbarText()).toContain('20 toggles switched off.');
  });
});

test('the bar offers no second action while one waits, and the toggles are no longer selected', async () => {
  const tags = { version: 1, tags: [{ type: 'managed-by', value: 'infra' }] };
  const managed = 'GET api/admin/features?tag=managed-by%3Ainfra';
  const names = ['shop.basket', 'shop.pay'];
  await selectAll(names, {}, ['ADMIN'], {
    'GET api/admin/tags': { body: tags },
    [managed]: { status: 500, body: {} },
  });
  server().hold(managed);
  await chooseStatus('Disable');
  expect(barText()).toContain('Switching off 2 toggles');
  expect(bar().queryByRole('button', { name: 'Status' })).toBeNull();
  expect(checkbox('Select all 2').checked).toBe(false);
  (await server().take(managed)).respond({ body: { version: 1, features: [toggle('shop.pay')] } });
  await settlePage();
  await click(inDialog('Cancel'));
  expect(barText()).toContain('2 selected');
  expect(names.map((name) => server().count(off(name)))).toEqual([0, 0]);
});

test('a bulk action is disabled with a reason without the permission', async () => {
  await selectAll(['shop.pay'], {}, ['DELETE_FEATURE']);
  for (const name of ['Status', 'Add tag…']) {
    expect(isDisabled(bar().getByRole('button', { name }))).toBe(true);
    expect(accessibleDescription(bar().getByRole('button', { name }))).toContain('UPDATE_FEATURE');
  }
  expect(isDisabled(bar().getByRole('button', { name: 'Archive…' }))).toBe(false);
});

describe('archiving several toggles', () => {
  const names = ['shop.basket', 'shop.gift-cards', 'shop.pay'];

  test('keeps the failed ones in the list, with the reason', async () => {
    await selectAll(names);
    server().on(remove('shop.pay'), { status: 403, body: { message: 'Ask an editor' } });
    await click(bar().getByRole('button', { name: 'Archive…' }));
    await click(inDialog('Archive 3 toggles'));
    expect(screen.getByRole('dialog', { name: '1 toggle could not be archived' })).toBeDefined();
    expect(
      dialog()
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['shop.payAsk an editor']);
    await click(dialog().getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
    expect(rowNames()).toEqual(['shop.pay']);
    expect(barText()).toContain('2 toggles archived, 1 failed');
    server().on(remove('shop.pay'), { status: 200 });
    await click(bar().getByRole('button', { name: 'Retry' }));
    expect(snackbarText()).toContain('3 toggles archived.');
    expect(server().count(remove('shop.basket'))).toBe(1);
  });

  test('names those that are still in use, which are archived only if they are chosen', async () => {
    const metrics = { body: { lastHour: { 'shop.pay': { yes: 14_562, no: 3 } }, lastMinute: {} } };
    serveUpstream(server(), { [LIST]: { body: { version: 1, features: names.map((name) => toggle(name)) } } });
    server().on(METRICS, metrics);
    for (const name of names) server().on(remove(name), { status: 200 });
    await renderConsole('/features?sort=name&interval=hour');
    await click(checkbox('Select all 3'));
    await click(bar().getByRole('button', { name: 'Archive…' }));
    expect(dialogText()).toContain('remove 2 of these 3 toggles?');
    expect(dialogText()).toContain('1 is still in use. Only chosen toggles are archived.');
    expect(dialog().getAllByRole('listitem')[0]?.textContent).toMatch(
      /^shop\.payOn · 14,562 yes per hour · never seen$/u,
    );
    const all = checkbox('Choose all');
    await click(all);
    expect(isDisabled(inDialog('Archive 3 toggles'))).toBe(false);
    await click(all);
    expect(dialogText()).toContain('Choose the toggles to archive.');
    expect(isDisabled(inDialog('Archive'))).toBe(true);
    await click(dialog().getByRole('checkbox', { name: /^shop\.pay/ }));
    await click(inDialog('Archive 1 toggle'));
    expect(snackbarText()).toContain('1 toggle archived.');
    expect(rowNames()).toEqual(['shop.basket', 'shop.gift-cards']);
    expect(names.map((name) => server().count(remove(name)))).toEqual([0, 0, 1]);
  });

  test('closes its dialog while it is read which files manage the toggles, so that no choice changes', async () => {
    const managed = 'GET api/admin/features?tag=managed-by%3Ainfra';
    const tags = { body: { version: 1, tags: [{ type: 'managed-by', value: 'infra' }] } };
    await selectAll(names, {}, ['ADMIN'], { 'GET api/admin/tags': tags, [managed]: { status: 500, body: {} } });
    server().on(managed, { body: { version: 1, features: [] } });
    server().hold(managed);
    await click(bar().getByRole('button', { name: 'Archive…' }));
    await click(inDialog('Archive 3 toggles'));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(barText()).toContain('Archiving 3 toggles');
    server().respondToAll(managed);
    await settlePage();
    expect(snackbarText()).toContain('3 toggles archived.');
  });

  test('closes its dialog at once and continues while another page is open', async () => {
    await selectAll(names);
    server().hold(remove('shop.pay'));
    await click(bar().getByRole('button', { name: 'Archive…' }));
    await click(inDialog('Archive 3 toggles'));
    expect(screen.queryByRole('dialog')).toBeNull();
    await advance(1_000);
    expect(barText()).toContain('2 of 3');
    expect(rowNames()).toEqual(['shop.pay']);
    const menu = within(screen.getByRole('navigation', { name: 'Main' }));
    await click(menu.getByRole('link', { name: /^Strategies/ }));
    expect(main().getByRole('heading', { name: 'Strategies' })).toBeDefined();
    server().respondToAll(remove('shop.pay'));
    await settlePage();
    expect(snackbarText()).toContain('3 toggles archived.');
    await click(menu.getByRole('link', { name: /^Feature toggles/ }));
    expect(barText()).toBe('');
  });
});

describe('with the confirmation of writes', () => {
  const settings = { confirmWrites: true, environment: 'production' };
  const names = ['shop.basket', 'shop.pay'];

  beforeEach(() => selectAll(names, settings));

  test('a bulk action asks once, and cancelling keeps the selection', async () => {
    await chooseStatus('Disable');
    expect(screen.getByRole('dialog', { name: 'Disable 2 toggles in production' })).toBeDefined();
    await click(inDialog('Cancel'));
    expect(barText()).toContain('2 selected');
    expect(server().count(off('shop.pay'))).toBe(0);
    await chooseStatus('Disable');
    await click(inDialog('Disable'));
    for (const name of names) expect(switchOf(name).checked).toBe(false);
  });

  test('retrying the failed part of a bulk action asks again', async () => {
    server().on(off('shop.pay'), { status: 403 });
    await chooseStatus('Disable');
    await click(inDialog('Disable'));
    expect(dialogText()).toContain('could not be');
    server().on(off('shop.pay'), { body: toggle('shop.pay', { enabled: false }) });
    await click(inDialog('Retry'));
    const question = screen.getByRole('dialog', { name: 'Disable 1 toggle in production' });
    await click(within(question).getByRole('button', { name: 'Cancel' }));
    // Both dialogs close.
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server().count(off('shop.pay'))).toBe(1);
    await click(bar().getByRole('button', { name: 'Retry' }));
    await click(inDialog('Disable'));
    expect(switchOf('shop.pay').checked).toBe(false);
    expect(row('shop.pay')).toBeDefined();
  });
});
