// @vitest-environment happy-dom
// The times that the page about changes for SDKs requests.
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { chooseLocale } from '@/lib/locale';
import { click, main } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { SETTINGS, serveConsole } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const RESPONSE = {
  body: { changes: [], holds: [], gaps: [], missed: 0, isTruncated: false, scope: { id: 'all', name: 'all' } },
};
const toggle = { name: 'shop.pay', type: 'release', enabled: true, stale: false, strategies: [], variants: [] };
const interval = { after: '2026-01-05T09:29:58Z', by: '2026-01-05T09:30:00Z' };
const requested = () =>
  server().requests.flatMap(({ line }) => (line.startsWith('GET -/changes') ? [line.slice(14)] : []));

/** Declares the responses of a service whose recorder has records. */
function serveRecorder() {
  serveConsole(server());
  server().on('GET -/settings', { body: { ...SETTINGS, recorder: true } });
  const status = {
    firstRecord: '2026-01-05T07:00:00Z',
    lastRecord: '2026-01-05T09:00:00Z',
    failingSince: null,
    cause: null,
  };
  server().on('GET -/recorder', { body: { ...status, bytes: 1, missed: 0, scopes: [] } });
}

/** Opens a range, as the fields of the page do. */
async function openRange(query: string) {
  history.replaceState(null, '', `/changes?${query}`);
  await act(async () => void dispatchEvent(new PopStateEvent('popstate')));
  await settlePage();
}

test('a range whose end was in the future when the page was opened gets its end', async () => {
  vi.setSystemTime('2026-01-05T10:00:00Z');
  serveRecorder();
  server().onAny('-/changes', RESPONSE);
  await renderConsole('/changes?from=2026-01-05T09:00:00.000Z');
  expect(requested()).toEqual(['from=2026-01-05T09%3A00%3A00.000Z']);
  await advance(10 * 60_000);
  await openRange('from=2026-01-05T09:00:00.000Z&to=2026-01-05T10:05:00.000Z');
  expect(requested().at(-1)).toBe('from=2026-01-05T09%3A00%3A00.000Z&to=2026-01-05T10%3A05%3A59.999Z');
  // Another start: a range that was read before is read again only with the next frame.
  await openRange('from=2026-01-05T08:00:00.000Z&to=2026-01-05T10:12:00.000Z');
  expect(requested().at(-1)).toBe('from=2026-01-05T08%3A00%3A00.000Z');
  await advance(4 * 60_000);
  expect(requested().at(-1)).toBe('from=2026-01-05T08%3A00%3A00.000Z&to=2026-01-05T10%3A12%3A59.999Z');
});

test('a change of the start and one of the end are both in the URL, also before the page is rendered again', async () => {
  vi.setSystemTime('2026-01-05T10:00:00Z');
  serveConsole(server());
  server().on('GET -/settings', { body: { ...SETTINGS, recorder: true } });
  const status = { firstRecord: '2026-01-01T07:00:00Z', lastRecord: null, failingSince: null, cause: null };
  server().on('GET -/recorder', { body: { ...status, bytes: 1, missed: 0, scopes: [] } });
  server().onAny('-/changes', RESPONSE);
  await renderConsole('/changes?from=2026-01-05T08:00:00.000Z');
  await click(main().getByRole('button', { name: /^Since / }));
  act(() => {
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-04T09:00' } });
    fireEvent.change(screen.getByLabelText('Until'), { target: { value: '2026-01-05T09:30' } });
  });
  await settlePage();
  const params = new URLSearchParams(location.search);
  const inUrl = (local: string) => new Date(local).toISOString();
  expect([params.get('from'), params.get('to')]).toEqual([inUrl('2026-01-04T09:00'), inUrl('2026-01-05T09:30')]);
});

test('evaluations per minute have the number format of the user', async () => {
  vi.setSystemTime('2026-01-05T10:00:00Z');
  chooseLocale('de-DE');
  serveRecorder();
  const change = { kind: 'toggle', name: 'shop.pay', summary: 'created', before: null, after: toggle, count: 1 };
  server().onAny('-/changes', {
    body: { ...RESPONSE.body, changes: [{ ...change, first: interval, last: interval }] },
  });
  const period = { featureName: 'shop.pay', appName: 'shop', environment: 'default', no: 0 };
  const data = [
    { ...period, timestamp: '2026-01-05T09:26:00Z', yes: 12_500 },
    { ...period, timestamp: '2026-01-05T09:33:00Z', yes: 25_000 },
  ];
  server().on('GET api/admin/client-metrics/features/shop.pay/minutes', { body: { version: 1, data } });
  await renderConsole('/changes');
  await settlePage();
  expect(screen.getByRole('list', { name: 'Changes' }).textContent).toMatch(/\d\.\d{3} → \d\.\d{3}/u);
  chooseLocale('en-GB');
});

test('holds are listed with the change of their toggle, or without one', async () => {
  vi.setSystemTime('2026-01-05T10:00:00Z');
  serveRecorder();
  const change = {
    kind: 'toggle',
    name: 'shop.pay',
    summary: 'switched off',
    before: toggle,
    after: { ...toggle, enabled: false },
    count: 1,
    first: interval,
    last: interval,
  };
  const hold = {
    toggle: 'shop.pay',
    environment: null,
    person: 'anna',
    reason: 'INC-42',
    start: '2026-01-05T09:30:00Z',
    end: '2026-01-05T11:30:00Z',
  };
  server().onAny('-/changes', {
    body: { ...RESPONSE.body, changes: [change], holds: [hold, { ...hold, toggle: 'till' }] },
  });
  await renderConsole('/changes');
  const row = screen.getByRole('list', { name: 'Changes' }).textContent;
  expect(row).toContain('shop.pay switched off');
  expect(row).toMatch(/Held for SDKs from .* until .* by anna: INC-42/);
  expect(row).not.toMatch(/someone/i);
  expect(row).toMatch(/Enabledbefore: on → after: off/);
  const others = screen.getByRole('list', { name: 'Holds' }).textContent;
  expect(others).toMatch(/^till Held for SDKs from .* until .* by anna: INC-42$/);
});

test('the details of a change show the names of segments, and the id of a deleted one', async () => {
  vi.setSystemTime('2026-01-05T10:00:00Z');
  serveRecorder();
  server().on('GET api/admin/segments', { body: { segments: [{ id: 1, name: 'nordic-teams', constraints: [] }] } });
  const inSegments = (...segments: number[]) => ({
    ...toggle,
    strategies: [{ name: 'default', parameters: {}, constraints: [], segments }],
  });
  const [before, after] = [inSegments(9), inSegments(9, 1)];
  const change = { kind: 'toggle', name: 'shop.pay', summary: 'changed', before, after, count: 1 };
  server().onAny('-/changes', {
    body: { ...RESPONSE.body, changes: [{ ...change, first: interval, last: interval }] },
  });
  await renderConsole('/changes');
  await settlePage();
  const row = screen.getByRole('list', { name: 'Changes' }).textContent;
  expect(row).toMatch(/segmentsbefore: 9 → after: 9, nordic-teams/i);
});
