// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS } from '@/testing/flagService';
import { cleanPageAfterEach, settle } from '@/testing/page';
import './serverState';
import { read } from './client';
import { settings } from './endpoints';
import type { Capabilities } from './generated/types';
import { useIsUnsupportedServer, useUnsupportedServer } from './unsupportedServer';

const server = installFakeServer();
cleanPageAfterEach();

const MISSING = { status: 404, body: {} };
const basket = createToggle({ name: 'a' });

/** Reads the settings with these capabilities, then detects whether the server is supported. */
async function detect(capabilities: Partial<Capabilities> = {}) {
  server().on('GET -/settings', {
    body: { ...SETTINGS, capabilities: { ...SETTINGS.capabilities, ...capabilities } },
  });
  await read(settings);
  const detected = renderHook(() => useUnsupportedServer());
  await settle();
  await settle();
  const isUnsupported = renderHook(() => useIsUnsupportedServer()).result.current;
  expect(isUnsupported).toBe(detected.result.current !== undefined);
  return isUnsupported;
}

test.each([
  ['unsupported', 'without a list of toggles', { list: MISSING }, {}],
  ['supported', 'whose list fails for another reason', { list: { status: 403, body: {} } }, {}],
  ['supported', 'with metrics', { own: MISSING }, {}],
  ['unsupported', 'without metrics and single toggles', { metrics: MISSING, own: MISSING }, {}],
  ['supported', 'without metrics, with single toggles', { metrics: MISSING }, {}],
  ['supported', 'whose metrics fail for another reason', { metrics: { status: 403, body: {} }, own: MISSING }, {}],
  ['supported', 'without toggles and metrics', { list: { body: { features: [] } }, metrics: MISSING }, {}],
  [
    'unsupported',
    'without toggles and metrics, whose version rules single toggles out',
    { list: { body: { features: [] } }, metrics: MISSING },
    { managesToggles: false },
  ],
  ['supported', 'with environments', { metrics: MISSING, own: MISSING }, { hasEnvironments: true }],
] as const)('%s is a server %s', async (expected, _, responses, capabilities) => {
  const { list, metrics, own }: { list?: object; metrics?: object; own?: object } = responses;
  server().on('GET api/admin/features', list ?? { body: { features: [basket] } });
  server().on('GET api/admin/metrics/feature-toggles', metrics ?? { body: { lastHour: {}, lastMinute: {} } });
  server().on('GET api/admin/features/a', own ?? { body: basket });
  expect(await detect(capabilities)).toBe(expected === 'unsupported');
});
