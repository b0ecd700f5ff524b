// @vitest-environment happy-dom
// The impact metrics on the metrics tab of a toggle.
import { expect, test, vi } from 'vitest';
import type { ImpactMetric } from '@/api/generated/types';
import { click, main } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { summarise, toImpactPeriods } from './impactPeriods';

const server = installFakeServer();
cleanPageAfterEach();

const at = (minute: string, value: number, count: number | null = null) => ({
  timestamp: `2026-11-22T13:${minute}:00Z`,
  value,
  count,
});
const minutes = [at('10', 6, 3), at('11', 0, 0), at('12', 2, 1)];
const END = Date.parse('2026-11-22T13:12:30Z');

test.each([
  { type: 'counter', values: [6, 0, 2], summary: 8 },
  { type: 'gauge', values: [6, 0, 2], summary: 2 },
  { type: 'histogram', values: [2, undefined, 2], summary: 2 },
] as const)('minutes of a $type', ({ type, values, summary }) => {
  const periods = toImpactPeriods({ type }, minutes, END);
  expect(periods).toHaveLength(60);
  expect(periods.slice(-3).map(({ value }) => value)).toEqual(values);
  expect(periods[0]?.value).toBeUndefined();
  expect(summarise({ type }, minutes)).toBe(summary);
  expect(summarise({ type: 'histogram' }, [at('11', 0, 0)])).toBeUndefined();
  const earlier = toImpactPeriods({ type }, minutes, END - 120_000);
  expect(earlier.at(-1)?.start, 'the clock of the server is ahead').toBe(Date.parse('2026-11-22T13:12:00Z'));
});

const metric = (changes: Partial<ImpactMetric>): ImpactMetric => ({
  name: 'purchases',
  help: 'Completed purchases',
  type: 'counter',
  appName: 'shop',
  environment: '',
  results: [{ result: 'enabled', minutes }],
  ...changes,
});

const LINE = 'GET -/impact-metrics?toggle=shop.basket&application=shop';

async function openMetrics(response: object, settings: object = {}) {
  vi.setSystemTime(END);
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  server().on('GET -/settings', { body: { ...SETTINGS, ...settings } });
  server().on('GET api/admin/metrics/seen-apps', { body: { 'shop.basket': [{ appName: 'shop' }] } });
  const history = { version: 1, maturity: 'stable', data: [] };
  server().on('GET api/admin/client-metrics/features/shop.basket/minutes', { body: history });
  server().on(LINE, response);
  await renderConsole('/features/view/shop.basket');
}

const section = () => main().queryByRole('region', { name: 'Impact metrics' });
const chartNames = () =>
  main()
    .queryAllByRole('figure')
    .map((figure) => figure.getAttribute('aria-label'));

test('shows each result of the toggle with its own chart', async () => {
  const results = [
    { result: null, minutes: [at('12', 1)] },
    { result: 'disabled', minutes: [at('11', 3)] },
  ];
  const metrics = [
    metric({ results: [...results, { result: 'enabled', minutes }] }),
    metric({ name: 'queue', type: 'gauge', help: '' }),
    metric({ name: 'seconds', type: 'histogram', environment: 'production' }),
  ];
  await openMetrics({ body: { metrics, droppedSamples: 1200 } });
  const text = section()?.textContent ?? '';
  for (const part of [
    'purchases',
    'Completed purchasesCounter·shop',
    'Reported without this toggle1 in the last hour',
    'disabled3 in the last hour',
    'enabled8 in the last hour',
    'enabled2, last value',
    'Histogram, mean·shop·production',
    'enabled2, mean of 4 values',
    '1,200 samples were dropped',
  ]) {
    expect(text).toContain(part);
  }
  expect(chartNames()).toEqual([
    'purchases per minute, reported without this toggle',
    'purchases per minute, disabled',
    'purchases per minute, enabled',
    'queue per minute, enabled',
    'seconds per minute, enabled',
  ]);
});

test('is not shown without metrics, and while they load', async () => {
  server().hold(LINE);
  await openMetrics({});
  expect(section()).toBeNull();
  (await server().take(LINE)).respond({ body: { metrics: [], droppedSamples: 0 } });
  await settlePage();
  expect(section()).toBeNull();
  expect(server().requests.filter(({ line }) => line === LINE)).toHaveLength(1);
});

test('a server without a replica is not asked', async () => {
  await openMetrics({}, { mode: 'upstream', upstream: 'flags.example' });
  expect(main().getByRole('region', { name: 'Calls' })).toBeTruthy();
  expect(section()).toBeNull();
  expect(server().requests.filter(({ line }) => line === LINE)).toHaveLength(0);
});

test('a failure is shown with a button that reads again', async () => {
  await openMetrics({ status: 500, body: { name: 'Error', message: 'No memory' } });
  expect(section()?.textContent).toContain('The impact metrics could not be loaded');
  server().on(LINE, { body: { metrics: [metric({})], droppedSamples: 0 } });
  await click(main().getByRole('button', { name: /retry|try again/i }));
  await settlePage();
  expect(chartNames()).toEqual(['purchases per minute, enabled']);
});
