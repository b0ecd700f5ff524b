// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { useToggleResults } from './useEvaluatedToggles';

const server = installFakeServer();
cleanPageAfterEach();

test('evaluates again if a toggle changes, but not if only its last-seen time does', async () => {
  serveConsole(server());
  server().on('POST -/evaluate', { body: { toggles: [] } });
  const options = { context: {}, segments: [] };
  const toggle = createToggle({ name: 'a' });
  const { rerender } = renderHook((toggles) => useToggleResults(toggles, options), { initialProps: [toggle] });
  await settle();
  const first = server().count('POST -/evaluate');
  rerender([{ ...toggle, lastSeenAt: '2026-01-02T00:00:00.000Z' }]);
  await settle();
  expect(server().count('POST -/evaluate')).toBe(first);
  rerender([{ ...toggle, enabled: false }]);
  await settle();
  expect(server().count('POST -/evaluate')).toBe(first + 1);
});
