// Scenes for operators: holds, and the sessions of all users.

import { expect, type Page } from '@playwright/test';
import type { HoldList, HoldPreview, SessionsResponse, UserSession } from '../../src/api/generated/types';
import { NOW } from './fixedTime';
import { ONE_POLL, type Scene } from './scene';

const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

const HOLDS: HoldList = {
  holds: [
    {
      toggle: 'account.passkeys',
      environment: null,
      reason: 'INC-42: sign-in fails on older phones',
      person: 'amara.okafor',
      start: at(-30),
      expires: at(90),
      secondsLeft: 5_400,
      isStored: true,
    },
  ],
  ended: [],
  storageFault: null,
};

const EFFECT: HoldPreview = {
  copies: 2,
  isOff: false,
  instances: 240,
  hasMoreInstances: false,
  children: [{ name: 'account.support-tools', turnsOn: false }],
  withoutEffect: [],
  forwardsBrowsers: false,
};

const session = (id: string, name: string, changes: Partial<UserSession>): UserSession => ({
  id,
  name,
  email: `${name}@example.com`,
  username: name,
  issuer: null,
  subject: null,
  method: 'password',
  address: '192.0.2.7',
  client: 'Firefox on Linux',
  createdAt: at(-300),
  lastUsedAt: at(-12),
  expiresAt: at(420),
  isOwn: false,
  ...changes,
});

const SESSIONS: SessionsResponse = {
  sessions: [
    session('1', 'operator', { isOwn: true, email: null, lastUsedAt: at(0) }),
    session('2', 'amara.okafor', { client: 'Safari on macOS', address: '198.51.100.24' }),
    session('3', 'amara.okafor', { client: 'Chrome on Android', lastUsedAt: at(-4_000), createdAt: at(-6_000) }),
    session('4', 'Jonas Berg', {
      email: 'jonas.berg@example.com',
      username: null,
      method: 'provider',
      issuer: 'https://login.example.com/',
      subject: '00u1a2b3',
      address: '2001:db8::8a2e:370:7334',
    }),
  ],
  isComplete: true,
};

async function showHold(page: Page): Promise<void> {
  await page.route('**/-/holds', (route) => route.fulfill({ json: HOLDS }));
  await page.reload();
  await expect(page.getByRole('region', { name: 'Hold of account.passkeys' })).toBeVisible();
}

export const operations: readonly Scene[] = [
  {
    name: 'hold',
    title: 'A toggle that is held off for SDKs',
    path: 'features',
    server: 'replica',
    act: ({ page }) => showHold(page),
  },
  {
    name: 'hold-toggle',
    title: 'Activation of a toggle that is held off for SDKs',
    path: 'features/strategies/account.passkeys',
    server: 'replica',
    act: ({ page }) => showHold(page),
  },
  {
    name: 'hold-outage',
    title: 'Toggle list in an outage: toggles can be held',
    path: 'features',
    server: 'replica',
    act: async ({ page, ui }) => {
      await breakUpstream(page);
      await expect(ui.main.getByRole('switch', { name: 'Hold account.passkeys off for SDKs…' })).toBeEnabled(ONE_POLL);
    },
  },
  {
    name: 'hold-dialog',
    title: 'Dialog that holds a toggle off',
    path: 'features',
    server: 'replica',
    act: async ({ page, ui }) => {
      await page.route('**/-/holds/account.passkeys', (route) => route.fulfill({ json: EFFECT }));
      await breakUpstream(page);
      await ui.main.getByRole('switch', { name: 'Hold account.passkeys off for SDKs…' }).click(ONE_POLL);
      await expect(ui.dialog).toContainText('Reaches 240 SDK instances.');
    },
  },
  {
    name: 'sessions',
    title: 'Sessions of all users',
    path: 'users/sessions',
    act: async ({ page, ui }) => {
      await page.route('**/-/settings', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), sessions: true } });
      });
      await page.route('**/api/admin/sessions', (route) => route.fulfill({ json: SESSIONS }));
      await page.reload();
      await expect(ui.row('Jonas Berg')).toBeVisible();
    },
  },
];

/** Responds like Flagdeck in front of a flag service that does not respond. */
async function breakUpstream(page: Page): Promise<void> {
  const json = { code: 'upstream_unreachable', message: 'The flag service does not respond' };
  const headers = { 'x-flagdeck-error': json.code };
  await page.route('**/api/admin/**', (route) => route.fulfill({ status: 502, headers, json }));
}
