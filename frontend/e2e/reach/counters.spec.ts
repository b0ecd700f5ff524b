// Usage per minute from the counters of the server (`--upstream-counters`).

import { environmentOf, expect, requireServer, test } from './api';

const REPORTED = { yes: 3, no: 1 };
const COUNTS = '/api/admin/metrics/feature-toggles';
const APPLICATIONS = '/api/admin/metrics/seen-apps';

test.use({ settings: ['--upstream-counters'] });

test('counts of the last minute and applications come from the counters', async ({ server, console, realServer }) => {
  await server.createToggle('shop.basket', { name: 'default', parameters: {} });
  await server.call('POST', `${environmentOf('shop.basket')}/on`);
  await expect.poll(async () => (await console.send('GET', APPLICATIONS)).status).toBe(200);
  const stop = new Date();
  const bucket = { start: new Date(stop.getTime() - 10_000), stop, toggles: { 'shop.basket': REPORTED } };
  const authorization = requireServer(realServer).clientToken ?? '';
  const report = { appName: 'basket-app', instanceId: 'i-1', bucket };
  const { status } = await server.send('POST', '/api/client/metrics', report, { authorization, cookie: '' });
  expect(status).toBe(202);
  const read = async () => (await console.call('GET', COUNTS)).lastMinute['shop.basket'];
  await expect.poll(read, { timeout: 15_000 }).toEqual(REPORTED);
  expect((await console.call('GET', COUNTS)).lastHour).toMatchObject({ 'shop.basket': REPORTED });
  expect(await console.call('GET', APPLICATIONS)).toMatchObject({ 'shop.basket': [{ appName: 'basket-app' }] });
});
