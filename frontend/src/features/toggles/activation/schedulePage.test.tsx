// @vitest-environment happy-dom
// The schedule of a rule: its entry in the menu of constraints, its dialog and its words.
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { EMBEDDED_CAPABILITIES } from '@/api/generated/capabilities';
import type { Capabilities, Constraint, Strategy } from '@/api/generated/types';
import { accessibleDescription, click, dialog, fill, isDisabled, strategyCard, textOf } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createDefinition, createToggle, SETTINGS, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const PATH = 'api/admin/features/shop.basket';
const utc = (local: string) => new Date(local).toISOString();
const inRegion: Constraint = { contextName: 'region', operator: 'IN', values: ['NO'] };
const until = (local: string): Constraint => ({
  contextName: 'currentTime',
  operator: 'DATE_BEFORE',
  values: [],
  value: utc(local),
});

function serveRule(...constraints: Constraint[]) {
  vi.setSystemTime(new Date('2026-11-30T12:00'));
  const strategies = [{ name: 'default', parameters: {}, constraints }];
  serveConsole(server(), [createToggle({ name: 'shop.basket', strategies })]);
  server().on('GET api/admin/strategies', { body: { version: 1, strategies: [createDefinition('default')] } });
  server().on('GET api/admin/context', { body: [{ name: 'region', description: '', sortOrder: 1 }] });
  server().on(`PUT ${PATH}`, ({ body }) => {
    server().on(`GET ${PATH}`, { body });
    return { status: 200 };
  });
}

async function openRule() {
  await renderConsole('/features/strategies/shop.basket');
  await click(strategyCard('default').getByRole('button', { name: 'Edit default' }));
}

const openMenu = () => click(strategyCard('default').getByRole('button', { name: 'Add constraint' }));
const item = () => screen.getByRole('gridcell', { name: 'From / until…' });
const sentence = () => textOf(screen.getByRole('group', { name: 'default' }));
const saved = () =>
  (server().bodies(`PUT ${PATH}`).at(-1) as { strategies: Strategy[] } | undefined)?.strategies[0]?.constraints;

async function set(times: { From?: string; Until?: string }) {
  for (const [label, time] of Object.entries(times)) fill(dialog().getByLabelText(label), time);
  await click(dialog().getByRole('button', { name: 'Set' }));
  await settlePage();
}

test('is written in UTC, and read in the time of the browser', async () => {
  serveRule(inRegion);
  await openRule();
  await openMenu();
  await click(item());
  expect(screen.getByRole('dialog').textContent).toContain(Intl.DateTimeFormat().resolvedOptions().timeZone);
  await set({});
  expect(dialog().getByRole('alert').textContent).toBe('Enter a date and a time.');
  await set({ From: '2026-12-24T00:00', Until: '2026-12-01T09:00' });
  expect(dialog().getByRole('alert').textContent).toContain('Enter an end after the start.');
  expect(accessibleDescription(dialog().getByLabelText('Until'))).toContain(
    `${utc('2026-12-01T09:00').slice(0, 16).replace('T', ' ')} UTC`,
  );
  await set({ From: '2026-12-01T09:00', Until: '2026-12-24T00:00' });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sentence()).toContain('Everyone where region is NO, from Dec 1, 9:00 AM until Dec 24');
  await click(strategyCard('default').getByRole('button', { name: 'Save default' }));
  const from = { ...until('2026-12-01T09:00'), operator: 'DATE_AFTER' };
  expect(saved()).toEqual([inRegion, from, until('2026-12-24T00:00')]);
});

test('is changed and removed by its words, also after it has ended', async () => {
  serveRule(until('2026-11-24T00:00'), inRegion);
  await openRule();
  const word = strategyCard('default').getByRole('button', { name: 'until Nov 24 (ended)' });
  word.focus();
  fireEvent.keyDown(word, { key: 'Enter' });
  await settlePage();
  expect(dialog().getByLabelText<HTMLInputElement>('Until').value).toBe('2026-11-24T00:00');
  await set({ Until: '2027-01-05T08:30' });
  await click(strategyCard('default').getByRole('button', { name: 'until Jan 5, 2027, 8:30 AM' }));
  await click(dialog().getByRole('button', { name: 'Remove from / until' }));
  expect(sentence()).toContain('Everyone where region is NO');
  expect(sentence()).not.toContain('until');
  await click(strategyCard('default').getByRole('button', { name: 'Save default' }));
  expect(saved()).toEqual([inRegion]);
});

test('names the applications whose client library does not know times', async () => {
  serveRule();
  const apps = ['shop', 'web'].map((appName) => ({ appName, createdAt: '2026-01-01T00:00:00Z' }));
  server().on('GET api/admin/metrics/seen-apps', { body: { 'shop.basket': apps } });
  for (const [name, sdkVersion] of [
    ['shop', 'unleash-client-node:3.11.0'],
    ['web', 'unleash-client-node:6.0.0'],
  ] as const) {
    const instances = [
      { instanceId: '1', sdkVersion, clientIp: '::1', lastSeen: '2026-01-01T00:00:00Z', createdAt: '' },
    ];
    server().on(`GET api/admin/metrics/applications/${name}`, { body: { appName: name, instances } });
  }
  await openRule();
  await openMenu();
  await click(item());
  await settlePage();
  const { textContent } = screen.getByRole('dialog');
  expect(textContent).toContain('shop (unleash-client-node:3.11.0): this client library is too old for schedules.');
  expect(textContent).not.toContain('web');
});

test('is disabled with the reason for servers that compare no times', async () => {
  const capabilities: Capabilities = { ...EMBEDDED_CAPABILITIES, operators: 'basic' };
  serveRule();
  server().on('GET -/settings', { body: { ...SETTINGS, capabilities } });
  await openRule();
  await openMenu();
  expect(isDisabled(item())).toBe(true);
  expect(accessibleDescription(item())).toBe(
    'This server compares no times. The embedded service and Unleash 5 to 8.2 do.',
  );
});
