// @vitest-environment happy-dom
// Pages that show the past: states of the read, and that nothing can be changed.
import { act, fireEvent, renderHook, screen, within } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { evaluate, switchFeature } from '@/api/endpoints';
import { useWrite } from '@/api/useWrite';
import { PastViewContext } from '@/api/pastView';
import { formatExact } from '@/lib/format';
import { browserLocale } from '@/lib/locale';
import { accessibleDescription, click, isDisabled, main } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS, serveConsole, serveOutage } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import type { ResponseData } from '@/testing/responses';
// Pages that load on demand load these on demand, later than the tests wait.
import './PastToggleList';
import './PastTogglePage';

const server = installFakeServer();
cleanPageAfterEach();

const AT = '2026-01-05T08:00:10Z';
const QUERY = `at=${encodeURIComponent(AT)}`;
const STATE = `GET -/state?${QUERY}`;
const SCOPE = { id: 'all', name: 'all', environment: null, query: '', listsSegments: true };
const RECORDING = {
  at: AT,
  scope: SCOPE,
  otherScopes: [],
  since: { after: '2026-01-05T07:59:00Z', by: '2026-01-05T08:00:00Z' },
  gap: null,
};
const REASON = `You see the toggles as of ${formatExact(Date.parse(AT), browserLocale)}.`;

/** Toggles as SDKs get them. */
function pastState(recording: object = {}) {
  const strategies = [{ name: 'default', parameters: {}, segments: [7] }];
  const variants = [{ name: 'red', weight: 1000, weightType: 'variable', stickiness: 'default' }];
  return {
    version: 1,
    features: [{ name: 'shop.pay', type: 'release', enabled: true, strategies, variants }],
    segments: [{ id: 7, name: 'former-beta', constraints: [] }],
    recording: { ...RECORDING, ...recording },
  };
}

function serveRecorder(state: ResponseData, scopes: object[] = [SCOPE]) {
  serveConsole(server(), [createToggle({ name: 'shop.pay', enabled: false })]);
  server().on('GET -/settings', { body: { ...SETTINGS, recorder: true } });
  const status = { firstRecord: '2026-01-05T07:00:00Z', lastRecord: AT, failingSince: null, cause: null };
  server().on('GET -/recorder', { body: { ...status, bytes: 1, missed: 0, scopes } });
  server().on(STATE, state);
}

const reads = () => server().requests.filter(({ line }) => /^GET -\/(recorder|state|changes)/.test(line));
/** Opens a page like a link. */
async function navigate(path: string) {
  history.pushState(null, '', path);
  await act(async () => void dispatchEvent(new PopStateEvent('popstate')));
  await settlePage();
}
/** Returns whether the ⋯ menu of the page offers an earlier time. */
async function offersClock() {
  const menu = main()
    .queryAllByRole('button', { name: /^Actions for (?:the list|shop\.pay)/u })
    .at(0);
  if (menu) await click(menu);
  const isOffered = screen.queryByRole('menuitem', { name: /^As of/u }) !== null;
  if (menu) await click(menu);
  return isOffered;
}

test.each([
  ['ADMIN', true, true],
  ['UPDATE_FEATURE', true, false],
  ['UPDATE_FEATURE', false, true],
])(
  'with %s, and records for administrators only (%s), earlier states are offered: %s',
  async (permission, recorderNeedsAdmin, isOffered) => {
    serveRecorder({ body: pastState() });
    server().on('GET -/settings', { body: { ...SETTINGS, recorder: true, recorderNeedsAdmin } });
    server().on('GET api/admin/user', { body: { username: 'grace', permissions: [permission] } });
    const created = event(1, AT);
    server().on('GET api/admin/events', { body: { version: 1, events: [created] } });
    await renderConsole('/features');
    expect(await offersClock()).toBe(isOffered);
    await navigate('/features/strategies/shop.pay');
    expect(await offersClock()).toBe(isOffered);
    await navigate('/history');
    expect(main().queryByRole('link', { name: 'What changed' }) !== null).toBe(isOffered);
    if (!isOffered) expect(reads()).toEqual([]);
    await navigate('/changes');
    const refusal = main().queryByRole('heading', { name: 'Only administrators can see earlier states' });
    expect(refusal === null).toBe(isOffered);
    if (!isOffered) expect(reads()).toEqual([]);
  },
);

const writes = () => server().requests.filter(({ line }) => !line.startsWith('GET'));

test('the list shows the recorded toggles and cannot be changed', async () => {
  serveRecorder({ body: pastState() });
  await renderConsole(`/features?${QUERY}`);
  const control = screen.getByRole<HTMLInputElement>('switch', { name: 'shop.pay' });
  expect(control.checked, 'now it is off').toBe(true);
  expect(isDisabled(control)).toBe(true);
  expect(accessibleDescription(control)).toBe(REASON);
  expect(main().queryByRole('link', { name: /New/ })).toBeNull();
  expect(main().getByRole('link', { name: 'shop.pay' }).getAttribute('href')).toBe(
    `/features/strategies/shop.pay?${QUERY}`,
  );
  expect(main().getByRole('link', { name: 'Back to now' }).getAttribute('href')).toBe('/features');
  control.click();
  expect(writes()).toEqual([]);
});

test.each([
  ['strategies', []],
  ['variants', ['Add variant', 'Edit red', 'Remove red']],
])('the tab %s shows the recorded toggle and cannot be changed', async (tab, buttons) => {
  serveRecorder({ body: pastState() });
  await renderConsole(`/features/${tab}/shop.pay?${QUERY}`);
  expect(main().getByRole('region', { name: 'Earlier time' }).textContent).toContain('You see the toggles as of');
  expect(main().queryByText('Disabled')).toBeNull();
  if (tab === 'strategies') expect(main().getByText('former-beta', { exact: false })).toBeTruthy();
  for (const name of buttons) expect(isDisabled(main().getByRole('button', { name }))).toBe(true);
});

/** An event of the toggle, with an author named after its id. */
const event = (id: number, createdAt: string) => ({
  id,
  type: 'feature-updated',
  createdBy: `user-${id}`,
  createdAt,
  data: createToggle({ name: 'shop.pay', description: `Description ${id}` }),
  diffs: null,
});

const LOG = 'GET api/admin/events/shop.pay';

test('the log has the events until the time, and cannot undo them', async () => {
  serveRecorder({ body: pastState() });
  const events = [event(3, '2026-01-05T08:00:11Z'), event(2, AT), event(1, '2026-01-05T07:00:00Z')];
  server().on(LOG, { body: { toggleName: 'shop.pay', events } });
  await renderConsole(`/features/history/shop.pay?${QUERY}`);
  expect(main().getByRole('region', { name: 'Earlier time' }).textContent).toContain('You see the toggles as of');
  expect(main().queryByText('user-3')).toBeNull();
  for (const id of [1, 2]) expect(main().getByText(`user-${id}`)).toBeTruthy();
  expect(main().queryByRole('button', { name: /Undo|Actions/ })).toBeNull();
  const links = main()
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));
  expect(links).toContain(`/features/history/shop.pay?event=2&${QUERY}`);
});

test('the log reads older events until it reaches the time', async () => {
  serveRecorder({ body: pastState() });
  const pages = [
    ['', event(9, '2026-01-05T10:00:00Z'), 9],
    ['?before=9', event(8, '2026-01-05T09:00:00Z'), 8],
    ['?before=8', event(7, '2026-01-05T08:00:00Z'), 7],
    ['?before=7', event(6, '2026-01-05T07:00:00Z'), undefined],
  ] as const;
  for (const [query, one, nextBefore] of pages)
    server().on(`${LOG}${query}`, { body: { toggleName: 'shop.pay', events: [one], nextBefore } });
  await renderConsole(`/features/history/shop.pay?${QUERY}`);
  expect(main().getByRole('heading', { name: 'No changes until this time' })).toBeTruthy();
  await click(main().getByRole('button', { name: 'Show older events' }));
  expect(main().getByText('user-7')).toBeTruthy();
  expect(main().getByText('Newest 1 events')).toBeTruthy();
  expect(main().queryByText(/user-[896]/)).toBeNull();
});

const NOTE_OF_MINUTES = 'Counts per minute are stored for one hour';
const NOTE_OF_HOURS = 'Counts per hour are stored for 7 days';

// The time of the page is 08:00:10. Only minutes and hours that were over then count.
test.each([
  ['2026-01-05T08:00:20Z', '', /^Calls per minute: 3 yes, 0 no/, undefined],
  ['2026-01-05T08:30:00Z', '', /^Calls per minute: 3 yes, 0 no/, `${NOTE_OF_MINUTES}: those before`],
  ['2026-01-05T08:30:00Z', '&application=other', 'No reports in the hour before this time.', NOTE_OF_MINUTES],
  ['2026-01-05T10:00:00Z', '&range=hour', undefined, `${NOTE_OF_MINUTES}: none of this time are stored any more.`],
  ['2026-01-05T10:00:00Z', '', /^Calls per hour: 20 yes, 0 no/, `${NOTE_OF_HOURS}: those before`],
  ['2026-01-15T10:00:00Z', '', undefined, `${NOTE_OF_HOURS}: none of this time are stored any more.`],
])('the calls until the time, seen at %s%s', async (now, query, shown, note) => {
  vi.setSystemTime(Date.parse(now));
  serveRecorder({ body: pastState() });
  const count = (timestamp: string, yes: number) => ({ timestamp, yes, no: 0, appName: 'shop', environment: '' });
  const serveCounts = (periods: string, data: object[]) =>
    server().on(`GET api/admin/client-metrics/features/shop.pay/${periods}`, {
      body: { version: 1, maturity: 'stable', data },
    });
  serveCounts('minutes', [count('2026-01-05T07:59:00Z', 3), count('2026-01-05T08:00:00Z', 5)]);
  serveCounts('raw?hoursBack=168', [count('2026-01-05T07:00:00Z', 20), count('2026-01-05T08:00:00Z', 50)]);
  await renderConsole(`/features/view/shop.pay?${QUERY}${query}`);
  expect(main().getByRole('region', { name: 'Earlier time' }).textContent).toContain('You see the toggles as of');
  const charts = main()
    .queryAllByRole('figure')
    .map((chart) => chart.getAttribute('aria-label'));
  expect(charts).toEqual(shown instanceof RegExp ? [expect.stringMatching(shown)] : []);
  const texts = main()
    .queryAllByText(/^No reports|are stored for/)
    .map(({ textContent }) => textContent);
  const expected = [note, typeof shown === 'string' ? shown : undefined].filter((text) => text !== undefined);
  expect(texts).toEqual(expected.map((text) => expect.stringMatching(`^${text}`)));
  expect(main().getByText(/^Impact metrics, .* are only shown at the present\.$/)).toBeTruthy();
});

test.each([
  [404, 'before_first_record', 'The records begin later', true],
  [404, 'records_removed', 'The records of this time were removed', false],
  [404, 'nothing_recorded', 'Nothing is recorded yet', false],
  [404, 'no_recorder', 'Earlier states are not recorded', false],
  [400, 'time_in_future', 'This time is in the future', false],
  [403, 'forbidden', 'You cannot read the records', false],
])('a read that fails with %i %s says why', async (status, code, title, isEarly) => {
  const at = isEarly ? '2026-01-05T06:00:00Z' : AT;
  serveRecorder({ body: pastState() });
  const failure = { status, body: { code, message: 'The reason' }, headers: { 'x-flagdeck-error': code } };
  server().on(`GET -/state?at=${encodeURIComponent(at)}`, failure);
  await renderConsole(`/features?at=${encodeURIComponent(at)}`);
  expect(main().getByRole('heading', { name: title })).toBeTruthy();
  if (status !== 403) expect(main().getByText('The reason.')).toBeTruthy();
  expect(main().getAllByRole('link', { name: 'Back to now' })).toHaveLength(2);
  expect(main().queryAllByRole('link', { name: 'Show the first record' })).toHaveLength(isEarly ? 1 : 0);
});

test('a temporary failure can be retried', async () => {
  const code = 'recorder_busy';
  serveRecorder({ status: 503, body: { code, message: 'Busy' }, headers: { 'x-flagdeck-error': code } });
  await renderConsole(`/features?${QUERY}`);
  expect(within(main().getByRole('alert')).getByText('Busy')).toBeTruthy();
  expect(main().getByRole('button', { name: 'Retry' })).toBeTruthy();
});

test('a gap and a missing toggle are stated', async () => {
  const gap = { from: '2026-01-05T08:00:00Z', to: null, reason: 'notConfirmed' };
  serveRecorder({ body: pastState({ gap }) });
  await renderConsole(`/features/strategies/shop.gone?${QUERY}`);
  expect(main().getByText(/there is no later record/)).toBeTruthy();
  expect(main().getByRole('heading', { name: 'SDKs did not get this toggle then' })).toBeTruthy();
});

test('a token can be selected if there are several', async () => {
  const other = { ...SCOPE, id: 'b', name: '*:test' };
  const code = 'scope_needed';
  serveRecorder({ status: 400, body: { code, message: 'Which' }, headers: { 'x-flagdeck-error': code } }, [
    SCOPE,
    other,
  ]);
  await renderConsole(`/features?${QUERY}`);
  const select = main().getByRole<HTMLSelectElement>('combobox', { name: 'Token' });
  expect([...select.options].map(({ text }) => text)).toEqual(['Select a token', 'all', '*:test']);
  server().on(`${STATE}&scope=b`, { body: pastState({ scope: other }) });
  fireEvent.change(select, { target: { value: 'b' } });
  await settlePage();
  expect(main().getByRole('link', { name: 'shop.pay' }).getAttribute('href'), 'links keep the token').toBe(
    `/features/strategies/shop.pay?${QUERY}&scope=b`,
  );
});

test('the environment of the page selects its records', async () => {
  serveRecorder({ status: 400, body: { code: 'scope_needed', message: 'Which' } });
  const environment = { name: 'production', type: 'production' };
  const newer = { version: '8.2.0', environments: [environment], environment: 'production', project: null };
  const body = { ...SETTINGS, recorder: true, server: { ...newer, projects: ['default'] } };
  server().on('GET -/settings', { body });
  server().on(`${STATE}&environment=production`, { body: pastState() });
  await renderConsole(`/features?${QUERY}`);
  expect(main().getByRole('switch', { name: 'shop.pay' })).toBeTruthy();
});

test('the records are shown while the flag service is out of reach', async () => {
  serveRecorder({ body: pastState() });
  serveOutage(server());
  await renderConsole(`/features?${QUERY}`);
  expect(main().getByRole('link', { name: 'shop.pay' })).toBeTruthy();
});

test('the evaluation sends the time instead of toggles', async () => {
  serveRecorder({ body: pastState() });
  server().on('POST -/evaluate', {
    body: { toggles: [{ name: 'shop.pay', saved: { contexts: [{ result: 'on' }] } }] },
  });
  await renderConsole(`/evaluation?${QUERY}#userId=7`);
  expect(writes().map(({ body }) => body)).toEqual([
    { at: AT, names: ['shop.pay'], contexts: [{ userId: '7' }], detail: 'reasons' },
  ]);
  expect(main().getByRole('link', { name: 'shop.pay' }).getAttribute('href')).toBe(
    `/features/strategies/shop.pay?${QUERY}#userId=7`,
  );
});

test('requests that change something are refused, whatever control sends them', async () => {
  serveConsole(server());
  server().on('POST -/evaluate', { body: { toggles: [] } });
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(PastViewContext, { value: { at: AT } }, children);
  const { result } = renderHook(useWrite, { wrapper });
  await expect(result.current.send(switchFeature('shop.pay', false))).rejects.toThrow(REASON);
  expect(writes()).toEqual([]);
  await result.current.send(evaluate, { body: { contexts: [{}] } });
  expect(writes()).toHaveLength(1);
});
