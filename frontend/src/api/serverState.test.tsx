// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS } from '@/testing/flagService';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { settings } from './endpoints';
import { useRead } from './useRead';
import './serverState';
import { useSettings } from './settings';
import { useToggleList } from './toggles';

const server = installFakeServer();
cleanPageAfterEach();

test('the settings are read again once if the list shows that the server has environments', async () => {
  const newer = { ...SETTINGS, server: { environment: null, environments: [] } };
  server().on('GET -/settings', { body: SETTINGS });
  server().hold('GET api/admin/features');
  const { result } = renderHook(() => {
    useRead(settings);
    useToggleList();
    return useSettings();
  });
  await settle();
  expect(result.current?.server).toBeNull();
  const list = await server().take('GET api/admin/features');
  server().on('GET -/settings', { body: newer });
  const row = { ...createToggle({ name: 'a' }), strategiesKnown: false };
  list.respond({ body: { version: 1, features: [row] } });
  await settle();
  expect(result.current?.server).toEqual(newer.server);
  expect(server().count('GET -/settings')).toBe(2);
});
