// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { advance, cleanPageAfterEach, setHidden, settle } from '@/testing/page';
import { get } from './client';
import { useRead } from './useRead';

const server = installFakeServer();
cleanPageAfterEach();

const LINE = 'GET api/polled';
const polled = get<object>('api/polled', { pollMs: 5000, mayBeAbsent: true });
const poll = () => renderHook(() => useRead(polled, { polls: true }));

test('two components poll an endpoint once per interval', async () => {
  server().on(LINE, { body: { count: 1 } });
  poll();
  await advance(2500);
  poll();
  await settle();
  const before = server().count(LINE);
  await advance(20_000);
  expect(server().count(LINE) - before).toBe(4);
});

test('polling stops when the last component unmounts', async () => {
  server().on(LINE, { body: { count: 1 } });
  const [first, second] = [poll(), poll()];
  await settle();
  first.unmount();
  await advance(5000);
  expect(server().count(LINE)).toBe(2);
  second.unmount();
  await advance(60_000);
  expect(server().count(LINE)).toBe(2);
});

test('a hidden tab polls nothing, and reads at once when it is shown after the interval', async () => {
  server().on(LINE, { body: { count: 1 } });
  poll();
  await settle();
  setHidden(true);
  await advance(60_000);
  expect(server().count(LINE)).toBe(1);
  setHidden(false);
  await settle();
  expect(server().count(LINE)).toBe(2);
  await advance(5000);
  expect(server().count(LINE)).toBe(3);
});

test('polling continues after a failure whose retry is due in a hidden tab', async () => {
  server().on(LINE, { status: 500, body: {} });
  poll();
  await settle();
  setHidden(true);
  await advance(30_000);
  server().on(LINE, { body: { count: 1 } });
  setHidden(false);
  await settle();
  const before = server().count(LINE);
  await advance(15_000);
  expect(server().count(LINE) - before).toBe(3);
});

test('failures lengthen the interval up to a minute and never end the polling', async () => {
  server().on(LINE, { status: 500, body: {} });
  poll();
  await settle();
  await advance(5000 + 10_000 + 20_000 + 40_000);
  expect(server().count(LINE)).toBe(5);
  await advance(180_000);
  expect(server().count(LINE)).toBe(8);
  server().on(LINE, { body: {} });
  await advance(60_000);
  await advance(5000);
  expect(server().count(LINE)).toBe(10);
});

test('an endpoint that the server lacks is not polled', async () => {
  server().on(LINE, { status: 404, body: {} });
  poll();
  await advance(60_000);
  expect(server().count(LINE)).toBe(1);
});
