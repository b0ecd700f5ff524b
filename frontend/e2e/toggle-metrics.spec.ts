// The metrics tab of a toggle.

import { expect, stubTest, test } from './support/fixtures';
import { afterPolls } from './support/polls';
import { ONE_TRY, SLOWDOWN } from './support/slowdown';
import { toggle } from './support/stubUpstream';

test('a toggle without metrics shows that it has none [S2-058] [S2-059] [S2-060] [S2-061] [S2-062]', async ({
  page,
  ui,
  flags,
  version,
}) => {
  // The server keeps counts by name for a long time, so no other test may use this name.
  const name = `unused.${Date.now()}`;
  await flags.create({
    name,
    strategies: [{ name: 'default' }, { name: 'default' }, { name: 'userWithId', parameters: { userIds: 'ada' } }],
  });
  await page.goto(`features/strategies/${name}`);
  await ui.tab('Metrics').click();
  await expect(page).toHaveURL(new RegExp(`/features/view/${name}$`, 'u'));
  await expect(ui.section('Calls')).toContainText('No metrics available');
  await expect(ui.section('Applications')).toContainText(
    version === '3.10.1'
      ? 'This server does not report applications.'
      : /Not used in an app in the last (hour|24 hours in development)\./,
  );
  await expect(ui.section('Times').locator('time')).toHaveAttribute('data-tip', /\d\d:\d\d:\d\d/);
  await expect(ui.section('Times')).toContainText('Never reported');
  await expect(ui.section('Strategies').getByRole('listitem')).toHaveText([
    /^default/,
    /^default/,
    /^userWithId.*1 user/,
  ]);
  await ui.section('Strategies').getByRole('link', { name: 'userWithId' }).click();
  await expect(page).toHaveURL(/\/strategies\/view\/userWithId$/);
});

test('reported metrics are shown [S2-056] [S2-057] [S2-059] [S7-027] [S7-028] [S1-003]', {
  tag: ['@minute-counts', '@toggle-applications'],
}, async ({ page, ui, flags }) => {
  // The server keeps counts by name for a long time, so no other test may use this name.
  const name = `metrics.${Date.now()}`;
  await flags.create({ name });
  await page.clock.install();
  await page.goto(`features/view/${name}`);
  await expect(ui.section('Calls')).toContainText('No metrics available');
  await flags.report({ [name]: { yes: 2, no: 1 } });
  const counted = /Last minute.*2 yes · 1 no.*Last hour.*2 yes · 1 no/;
  await afterPolls(page, () => expect(ui.section('Calls')).toContainText(counted, ONE_TRY));
  // The time of the last report changes with the counts, without reading the toggle again.
  await afterPolls(page, () => expect(ui.section('Times')).not.toContainText('Never reported', ONE_TRY));
  // Services store reports with a delay.
  await expect(async () => {
    await page.reload();
    await expect(ui.section('Applications').getByRole('listitem')).toHaveText(['shop'], { timeout: 2_000 * SLOWDOWN });
  }).toPass();
});

test('counts that are still loading are not reported as missing', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  const name = 'quiet.toggle';
  await flags.create({ name });
  let respond = () => {};
  const released = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await page.route('**/api/admin/metrics/feature-toggles', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`features/view/${name}`);
  await expect(ui.section('Times')).toContainText('Never reported');
  await expect(ui.section('Calls')).not.toContainText('No metrics available');
  respond();
  await expect(ui.section('Calls')).toContainText('No metrics available');
});

stubTest(
  'strategies and applications are links, on the metrics tab and beside the strategies [S2-031]',
  { tag: '@stub' },
  async ({ page, ui, stub }) => {
    const application = { appName: 'shop web/2', createdAt: '2026-01-05T10:00:00.000Z', strategies: [] };
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    stub.respond('GET /api/admin/metrics/seen-apps', { body: { 'shop.basket': [application] } });
    const address = '/applications/shop%20web%2F2';
    await page.goto('features/view/shop.basket');
    await expect(ui.section('Applications').getByRole('link')).toHaveAttribute('href', address);
    await expect(ui.section('Strategies').getByRole('link')).toHaveAttribute('href', '/strategies/view/default');
    await ui.tab('Activation').click();
    const usage = ui.main.getByRole('complementary', { name: 'Usage' });
    await expect(usage.getByRole('link', { name: 'shop web/2' })).toHaveAttribute('href', address);
  },
);

stubTest(
  'calls in the last hour and none in the last minute are shown separately [S2-056] [S2-061]',
  { tag: '@stub' },
  async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    const lastHour = { 'shop.basket': { yes: 12_345, no: 0 } };
    stub.respond('GET /api/admin/metrics/feature-toggles', { body: { lastHour, lastMinute: {} } });
    await page.goto('features/view/shop.basket');
    await expect(ui.section('Calls')).toContainText(/Last minute\s*No metrics available/);
    await expect(ui.section('Calls')).toContainText(/Last hour\s*12,345 yes · 0 no/);
  },
);

test('a missing toggle can be created under its name [S2-066] [S2-067] [S8-032] [S8-034]', async ({ page, ui }) => {
  // The response is delayed, to check the loading state.
  let respond = (): void => undefined;
  const delayed = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await page.route('**/api/admin/features', async (route) => {
    await delayed;
    await route.fallback();
  });
  await page.goto('features/view/50%25%20off%2Fnow');
  await expect(page.getByRole('progressbar', { name: 'Loading the toggle' })).toBeVisible();
  await expect(ui.main.getByRole('heading', { name: '50% off/now' })).toBeVisible();
  respond();
  await expect(ui.main).toContainText('Could not find the toggle');
  await ui.main.getByRole('link', { name: /Create/ }).click();
  await expect(page).toHaveURL(/\/features\/create/);
  // A name cannot contain spaces.
  await expect(ui.nameField).toHaveValue('50%off/now');
});
