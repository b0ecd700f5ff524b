// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settle } from '@/testing/page';
import { NEWER_CAPABILITIES } from '@/testing/responses';
import { currentCapabilities, rememberCapabilities, useCapabilities, useServerVersion } from './capabilities';
import { features, settings, uiConfig } from './endpoints';
import './serverState';
import { read } from './client';
import { EMBEDDED_CAPABILITIES } from './generated/capabilities';
import type { Capabilities, NewerServer, Settings } from './generated/types';
import { clearUserData, refreshAllData, refreshReads, useRead } from './useRead';
import { useAreCapabilitiesLoading } from './reads';
import { storeSettings } from './settings';
import { cacheUiConfig } from './uiConfigCache';

const server = installFakeServer();
cleanPageAfterEach();

const UPSTREAM: Settings = { ...SETTINGS, mode: 'upstream', upstream: 'flags:4242' };
/** Settings while the server does not respond, and before signing in. */
const UNKNOWN: Settings = { ...UPSTREAM, capabilities: null };
const UNLEASH_3_10 = withCapabilities({ seenApps: 'none', filtersByTag: false });
const UNLEASH_4_2 = withCapabilities({ numbersStrategies: true, listsOrderedStrategies: false });
const SERVER: NewerServer = {
  version: '8.2.0',
  environments: [{ name: 'production', type: 'production' }],
  environment: null,
  project: null,
  projects: ['default'],
};
const UNLEASH_8_2: Settings = { ...UPSTREAM, capabilities: NEWER_CAPABILITIES, server: SERVER };

// Settings and the version belong to the server, and stay when another user signs in.
beforeEach(() => {
  cacheUiConfig({});
  storeSettings(UNKNOWN);
  rememberCapabilities(EMBEDDED_CAPABILITIES);
});

function withCapabilities(changes: Partial<Capabilities>): Settings {
  return { ...UPSTREAM, capabilities: { ...EMBEDDED_CAPABILITIES, ...changes } };
}

test.each([
  [SETTINGS, 'minutes'],
  [UNLEASH_8_2, 'hours'],
  // The user must sign in: the capabilities are those from before.
  [{ ...UNLEASH_8_2, server: null }, 'hours'],
])('capabilities are those of the settings, with counts per hour for servers with environments', (given, counts) => {
  storeSettings(given);
  const expected = { ...given.capabilities, counts };
  expect(renderHook(useCapabilities).result.current).toEqual(expected);
  expect(currentCapabilities()).toEqual(expected);
});

test('unknown capabilities are the last ones in this browser', () => {
  rememberCapabilities(NEWER_CAPABILITIES);
  const expected = { ...NEWER_CAPABILITIES, counts: 'hours' };
  expect(renderHook(useCapabilities).result.current).toEqual(expected);
  expect(currentCapabilities()).toEqual(expected);
});

test.each([
  [{ version: '3.10.1' }, '3.10.1'],
  [{ version: '1', versionInfo: { current: { oss: '4.2.2', enterprise: '' }, latest: {} } }, '4.2.2'],
  [{ versionInfo: { current: { oss: '4.2.2', enterprise: '4.3.0' }, latest: {} } }, '4.3.0'],
  [{}, undefined],
])('reads the version of the running edition from %j', (config, version) => {
  cacheUiConfig(config);
  expect(renderHook(useServerVersion).result.current).toBe(version);
});

/** The capabilities of a page, which reads the settings and the UI config at its start. */
function renderPage() {
  return renderHook(() => {
    useRead(settings);
    const isLoading = useAreCapabilitiesLoading();
    return { ...useCapabilities(), isLoading };
  });
}

const SETTINGS_LINE = 'GET -/settings';
const UI_CONFIG_LINE = 'GET api/admin/ui-config';
const UI_CONFIG = { body: { version: '3.17.6' } };
const BUSY = { status: 503, body: { message: 'busy' } };
const SIGN_IN = { status: 401, body: { type: 'unsecure', path: '/api/admin/login', message: 'Who are you?' } };

test('capabilities are loading until the settings contain them, and never wrong afterwards', async () => {
  server().hold(SETTINGS_LINE);
  server().on(UI_CONFIG_LINE, UI_CONFIG);
  const seen: string[] = [];
  renderHook(() => {
    const isLoading = useAreCapabilitiesLoading();
    seen.push(`${isLoading ? 'loading' : 'loaded'} ${useCapabilities().numbersStrategies}`);
  });
  (await server().take(SETTINGS_LINE)).respond({ body: UNLEASH_4_2 });
  await settle();
  expect(seen.at(0)).toBe('loading false');
  expect(seen.at(-1)).toBe('loaded true');
  expect(seen).not.toContain('loaded false');
});

test('settings that did not wait for a slow server are read again once after its first response', async () => {
  server().on(SETTINGS_LINE, { body: UNKNOWN });
  server().hold(UI_CONFIG_LINE);
  const { result } = renderPage();
  await settle();
  expect(result.current).toMatchObject({ isLoading: true, seenApps: 'all' });
  server().on(SETTINGS_LINE, { body: UNLEASH_3_10 });
  (await server().take(UI_CONFIG_LINE)).respond(UI_CONFIG);
  await settle();
  expect(result.current).toMatchObject({ isLoading: false, seenApps: 'none' });
  expect(server().count(SETTINGS_LINE)).toBe(2);
});

test('settings that stay without capabilities are read again once for each response', async () => {
  server().on(SETTINGS_LINE, { body: UNKNOWN });
  server().on(UI_CONFIG_LINE, UI_CONFIG);
  const { result } = renderPage();
  await settle();
  await advance(60_000);
  expect(server().count(SETTINGS_LINE)).toBe(2);
  expect(result.current).toMatchObject({ isLoading: false, seenApps: 'all' });
});

test('capabilities follow an upgrade of the upstream while the page is open', async () => {
  server().on(SETTINGS_LINE, { body: UNLEASH_3_10 });
  server().on(UI_CONFIG_LINE, UI_CONFIG);
  const { result } = renderPage();
  await settle();
  expect(result.current).toMatchObject({ isLoading: false, seenApps: 'none', hasEnvironments: false });
  // The binary has detected the new server for the list.
  server().on(SETTINGS_LINE, { body: UNLEASH_8_2 });
  const row = { ...createToggle({ name: 'a' }), strategiesKnown: false };
  server().on('GET api/admin/features', { body: { version: 1, features: [row] } });
  await act(() => read(features));
  await settle();
  expect(result.current).toMatchObject({ seenApps: 'single', hasEnvironments: true, operators: 'all' });
});

test('an outage at the start leaves the defaults, and the retry makes the capabilities known', async () => {
  server().on(SETTINGS_LINE, { body: UNKNOWN });
  server().on(UI_CONFIG_LINE, BUSY);
  const { result } = renderPage();
  await settle();
  expect(result.current).toMatchObject({ isLoading: false, seenApps: 'all' });
  server().on(SETTINGS_LINE, { body: UNLEASH_3_10 });
  server().on(UI_CONFIG_LINE, UI_CONFIG);
  await advance(1000);
  expect(result.current).toMatchObject({ isLoading: false, seenApps: 'none' });
});

test('an outage keeps the known capabilities', async () => {
  server().on(SETTINGS_LINE, { body: UNLEASH_4_2 });
  server().on(UI_CONFIG_LINE, UI_CONFIG);
  const { result } = renderPage();
  await settle();
  server().on(SETTINGS_LINE, { body: UNKNOWN });
  server().on(UI_CONFIG_LINE, BUSY);
  refreshReads([settings, uiConfig]);
  await settle();
  expect(result.current).toMatchObject({ isLoading: false, numbersStrategies: true });
  expect(currentCapabilities().numbersStrategies).toBe(true);
});

test.each<[string, () => unknown]>([
  ['the same user', refreshAllData],
  ['another user', () => clearUserData({ rereads: true })],
])('capabilities become known when %s signs in', async (_, signIn) => {
  server().on(SETTINGS_LINE, { body: UNKNOWN });
  server().on(UI_CONFIG_LINE, SIGN_IN);
  const { result } = renderPage();
  await settle();
  expect(result.current).toMatchObject({ isLoading: true, seenApps: 'all' });
  server().on(SETTINGS_LINE, { body: UNLEASH_3_10 });
  server().on(UI_CONFIG_LINE, UI_CONFIG);
  await act(async () => void signIn());
  await settle();
  expect(result.current).toMatchObject({ isLoading: false, seenApps: 'none' });
});

test('settings from before the sign-in do not replace newer ones', async () => {
  server().hold(SETTINGS_LINE);
  server().on(UI_CONFIG_LINE, UI_CONFIG);
  const { result } = renderPage();
  const before = await server().take(SETTINGS_LINE);
  act(() => void refreshAllData());
  (await server().take(SETTINGS_LINE)).respond({ body: UNLEASH_8_2 });
  await settle();
  before.respond({ body: withCapabilities({}) });
  await settle();
  expect(result.current).toMatchObject({ isLoading: false, hasEnvironments: true });
  expect(currentCapabilities().hasEnvironments).toBe(true);
});

test('settings of another user are not applied', async () => {
  server().hold(SETTINGS_LINE);
  server().on(UI_CONFIG_LINE, UI_CONFIG);
  const { result } = renderPage();
  const before = await server().take(SETTINGS_LINE);
  act(() => clearUserData({ rereads: true }));
  before.respond({ body: UNLEASH_8_2 });
  await settle();
  expect(result.current).toMatchObject({ isLoading: true, hasEnvironments: false });
  (await server().take(SETTINGS_LINE)).respond({ body: UNLEASH_3_10 });
  await settle();
  expect(result.current).toMatchObject({ isLoading: false, seenApps: 'none', hasEnvironments: false });
});
