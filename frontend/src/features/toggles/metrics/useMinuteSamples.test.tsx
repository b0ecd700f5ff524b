// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { read } from '@/api/client';
import { featureMetrics } from '@/api/endpoints';
import { clearUserData } from '@/api/useRead';
import { installFakeServer } from '@/testing/fakeServer';
import { cleanPageAfterEach } from '@/testing/page';
import { useMinuteSamples } from './useCallHistory';

const server = installFakeServer();
cleanPageAfterEach();

test('a change of the user removes the samples, and a late poll of the user before adds none', async () => {
  const line = `GET ${featureMetrics.path}`;
  const body = { lastHour: {}, lastMinute: { secret: { yes: 1, no: 0 } } };
  vi.setSystemTime(new Date('2026-11-22T14:00:55Z'));
  server().on(line, { body });
  const { result } = renderHook(() => useMinuteSamples());
  await act(() => read(featureMetrics));
  expect(result.current?.samples).toHaveLength(1);
  server().hold(line);
  const late = read(featureMetrics);
  act(() => clearUserData({ rereads: false }));
  expect(result.current).toBeUndefined();
  (await server().take(line)).respond({ body });
  await act(() => late);
  expect(result.current).toBeUndefined();
});
