// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { SETTINGS } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settle } from '@/testing/page';
import {
  type Capabilities,
  currentCapabilities,
  toCapabilities,
  useCapabilities,
  useServerVersion,
} from './capabilities';
import { settings, uiConfig } from './endpoints';
import './serverState';
import type { NewerServer, Settings } from './generated/types';
import { refreshReads, useRead } from './hooks';
import { useAreCapabilitiesLoading } from './reads';
import { storeSettings } from './settings';
import { cacheUiConfig } from './uiConfigCache';

const server = installFakeServer();
cleanPageAfterEach();
// Settings and the version belong to the server, and stay when another user signs in.
beforeEach(() => {
  cacheUiConfig({});
  storeSettings(SETTINGS);
});

const UPSTREAM: Settings = { ...SETTINGS, mode: 'upstream', upstream: 'flags:4242' };

function createServer(version: string | null, changes: Partial<NewerServer> = {}): NewerServer {
  return {
    version,
    environments: [{ name: 'production', type: 'production' }],
    environment: null,
    project: null,
    projects: ['default'],
    strategyTitles: true,
    reviveStaysOff: true,
    minuteCounts: [],
    ...changes,
  };
}

/** Capabilities of Unleash 3.17 behind this program. */
const UNLEASH_3: Capabilities = {
  hasEnvironments: false,
  managesToggles: true,
  listsVariants: true,
  listsOrderedStrategies: true,
  archivesStrategies: true,
  filtersByTag: true,
  numbersStrategies: false,
  needsStrategy: true,
  editsStrategyTitles: false,
  importsStrategyProperties: true,
  namesSegments: false,
  operators: 'basic',
  acceptsDeprecated: true,
  switchAddsStrategies: false,
  copiesEnvironments: false,
  reviveStaysOff: false,
  movesToggles: true,
  storesVariantsInStrategies: false,
  storesVariantStickiness: true,
  storesFieldDetails: true,
  sortOrderInEdit: 'ignored',
  counts: 'minutes',
  seenApps: 'all',
  mixesEventDiffs: false,
};

/** Capabilities of 5.12 with environments. */
const WITH_ENVIRONMENTS: Capabilities = {
  ...UNLEASH_3,
  hasEnvironments: true,
  listsVariants: false,
  listsOrderedStrategies: false,
  archivesStrategies: false,
  needsStrategy: false,
  editsStrategyTitles: true,
  importsStrategyProperties: false,
  namesSegments: true,
  operators: 'extended',
  switchAddsStrategies: true,
  copiesEnvironments: true,
  reviveStaysOff: true,
  movesToggles: false,
  counts: 'hours',
  seenApps: 'single',
};

const BEFORE_3_12: Partial<Capabilities> = { storesVariantStickiness: false, storesFieldDetails: false };
const BEFORE_3_11: Partial<Capabilities> = {
  ...BEFORE_3_12,
  filtersByTag: false,
  acceptsDeprecated: false,
  seenApps: 'none',
};
const UNLEASH_4: Partial<Capabilities> = {
  listsOrderedStrategies: false,
  numbersStrategies: true,
  mixesEventDiffs: true,
};

test.each<[string | undefined, Partial<Capabilities>]>([
  ['3.4.1', BEFORE_3_11],
  ['3.10.1', BEFORE_3_11],
  ['3.11.0', BEFORE_3_12],
  ['3.12.0', {}],
  ['3.17.6', {}],
  ['4.0.4', UNLEASH_4],
  ['4.2.2', UNLEASH_4],
  ['4.19.5', { ...UNLEASH_4, mixesEventDiffs: false }],
  ['5.6.1', { managesToggles: false }],
  ['10.1', { managesToggles: false }],
  ['0.1.0', {}],
  ['main', {}],
  [undefined, {}],
])('version %s without environments differs from 3.17 in %j', (version, differences) => {
  expect(toCapabilities(UPSTREAM, version)).toEqual({ ...UNLEASH_3, ...differences });
});

test.each<[string | null, Partial<NewerServer>, Partial<Capabilities>]>([
  [
    '4.19.5',
    { strategyTitles: false, reviveStaysOff: false },
    { numbersStrategies: true, editsStrategyTitles: false, reviveStaysOff: false },
  ],
  ['5.12.8', {}, {}],
  ['6.10.1', {}, { storesVariantsInStrategies: true, sortOrderInEdit: 'reset' }],
  ['7.6.5', {}, { storesVariantsInStrategies: true, sortOrderInEdit: 'reset' }],
  ['8.2.0', {}, { storesVariantsInStrategies: true, sortOrderInEdit: 'reset', operators: 'all' }],
  ['5.12.8', { minuteCounts: ['production'] }, { counts: 'hoursAndForwardedMinute' }],
  ['5.12.8', { minuteCounts: ['development'] }, {}],
  [null, {}, {}],
])('version %s with environments (%j) differs from 5.12 in %j', (version, facts, differences) => {
  const capabilities = toCapabilities(
    { ...UPSTREAM, server: createServer(version, facts) },
    version ?? undefined,
    'production',
  );
  expect(capabilities).toEqual({ ...WITH_ENVIRONMENTS, ...differences });
});

test('the embedded service is like 3.17, and stores the sort order in an edit', () => {
  expect(toCapabilities(SETTINGS, '0.1.0')).toEqual({ ...UNLEASH_3, sortOrderInEdit: 'stored' });
  expect(toCapabilities(undefined, undefined)).toEqual({ ...UNLEASH_3, sortOrderInEdit: 'stored' });
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

test('capabilities are loading until the version is known, and never wrong afterwards', async () => {
  server().on('GET -/settings', { body: UPSTREAM });
  server().hold('GET api/admin/ui-config');
  const seen: string[] = [];
  renderHook(() => {
    const isLoading = useAreCapabilitiesLoading();
    seen.push(`${isLoading ? 'loading' : 'loaded'} ${useCapabilities().numbersStrategies}`);
  });
  (await server().take('GET api/admin/ui-config')).respond({ body: { version: '4.2.2' } });
  await settle();
  expect(seen.at(0)).toBe('loading false');
  expect(seen.at(-1)).toBe('loaded true');
  expect(seen).not.toContain('loaded false');
});

test('capabilities follow an upgrade of the upstream while the page is open', async () => {
  server().on('GET -/settings', { body: UPSTREAM });
  server().on('GET api/admin/ui-config', { body: { version: '3.10.1' } });
  const { result } = renderPage();
  await settle();
  expect(result.current).toMatchObject({ isLoading: false, seenApps: 'none', hasEnvironments: false });
  server().on('GET -/settings', { body: { ...UPSTREAM, server: createServer('8.2.0') } });
  server().on('GET api/admin/ui-config', { body: { version: '8.2.0' } });
  refreshReads([settings, uiConfig]);
  await settle();
  expect(result.current).toMatchObject({ seenApps: 'single', hasEnvironments: true, operators: 'all' });
});

test('an outage at the start leaves the defaults, and the retry makes the capabilities known', async () => {
  server().on('GET -/settings', { body: UPSTREAM });
  server().on('GET api/admin/ui-config', { status: 503, body: { message: 'busy' } });
  const { result } = renderPage();
  await settle();
  expect(result.current).toMatchObject({ isLoading: false, seenApps: 'all' });
  server().on('GET api/admin/ui-config', { body: { version: '3.10.1' } });
  await advance(1000);
  expect(result.current).toMatchObject({ isLoading: false, seenApps: 'none' });
});

test('an outage keeps the known capabilities', async () => {
  server().on('GET -/settings', { body: UPSTREAM });
  server().on('GET api/admin/ui-config', { body: { version: '4.2.2' } });
  const { result } = renderPage();
  await settle();
  server().on('GET api/admin/ui-config', { status: 503, body: { message: 'busy' } });
  refreshReads([uiConfig]);
  await settle();
  expect(result.current).toMatchObject({ isLoading: false, numbersStrategies: true });
  expect(currentCapabilities().numbersStrategies).toBe(true);
});
