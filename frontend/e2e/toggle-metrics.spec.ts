// The metrics tab of a toggle.

import { expect, stubTest, test } from './support/fixtures';
import { afterPolls } from './support/polls';
import { toggle } from './support/stubUpstream';

test('a toggle that nobody asks for says so [S2-058] [S2-059] [S2-060] [S2-061] [S2-062]', async ({
  page,
  ui,
  flags,
}) => {
  // The server counts by name and forgets slowly: a name that no other test reports.
  const name = `unasked.${Date.now()}`;
  await flags.create({
    name,
    strategies: [{ name: 'default' }, { name: 'default' }, { name: 'userWithId', parameters: { userIds: 'ada' } }],
  });
  await page.goto(`features/strategies/${name}`);
  await ui.tab('Metrics').click();
  await expect(page).toHaveURL(new RegExp(`/features/view/${name}$`, 'u'));
  await expect(ui.part('Calls')).toContainText('No metrics available');
  await expect(ui.part('Applications')).toContainText('Not used in an app in the last hour.');
  await expect(ui.part('Times').locator('time')).toHaveAttribute('title', /\d\d:\d\d:\d\d/);
  await expect(ui.part('Times')).toContainText('Never reported');
  await expect(ui.part('Strategies').getByRole('listitem')).toHaveText([/^default/, /^default/, /^userWithId.*1 user/]);
  await ui.part('Strategies').getByRole('link', { name: 'userWithId' }).click();
  await expect(page).toHaveURL(/\/strategies\/view\/userWithId$/);
});

test('what applications report is counted [S2-056] [S2-057] [S2-059] [S7-027] [S7-028] [S1-003]', async ({
  page,
  ui,
  flags,
}) => {
  // The server counts by name and forgets slowly: a name that no other test reports.
  const name = `metrics.${Date.now()}`;
  await flags.create({ name });
  await page.clock.install();
  await page.goto(`features/view/${name}`);
  await expect(ui.part('Calls')).toContainText('No metrics available');
  await flags.report({ [name]: { yes: 2, no: 1 } });
  const counted = /Last minute.*2 yes · 1 no.*Last hour.*2 yes · 1 no/;
  await afterPolls(page, () => expect(ui.part('Calls')).toContainText(counted, { timeout: 500 }));
  // When it was last seen goes with its counts, without reading the page again.
  await afterPolls(page, () => expect(ui.part('Times')).not.toContainText('Never reported', { timeout: 500 }));
  // Services write reports a moment after they took them.
  await expect(async () => {
    await page.reload();
    await expect(ui.part('Applications').getByRole('listitem')).toHaveText(['shop'], { timeout: 2000 });
  }).toPass();
});

stubTest(
  'strategies and applications are links, on the metrics tab and beside the strategies [S2-031]',
  { tag: '@stub' },
  async ({ page, ui, stub }) => {
    const application = { appName: 'shop web/2', createdAt: '2026-01-05T10:00:00.000Z', strategies: [] };
    stub.answer('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    stub.answer('GET /api/admin/metrics/seen-apps', { body: { 'shop.basket': [application] } });
    const address = '/applications/shop%20web%2F2';
    await page.goto('features/view/shop.basket');
    await expect(ui.part('Applications').getByRole('link')).toHaveAttribute('href', address);
    await expect(ui.part('Strategies').getByRole('link')).toHaveAttribute('href', '/strategies/view/default');
    await ui.tab('Activation').click();
    const usage = ui.main.getByRole('complementary', { name: 'Usage' });
    await expect(usage.getByRole('link', { name: 'shop web/2' })).toHaveAttribute('href', address);
  },
);

stubTest(
  'an hour with calls and a minute without are told apart [S2-056] [S2-061]',
  { tag: '@stub' },
  async ({ page, ui, stub }) => {
    stub.answer('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    const lastHour = { 'shop.basket': { yes: 12_345, no: 0 } };
    stub.answer('GET /api/admin/metrics/feature-toggles', { body: { lastHour, lastMinute: {} } });
    await page.goto('features/view/shop.basket');
    await expect(ui.part('Calls')).toContainText(/Last minute\s*No metrics available/);
    await expect(ui.part('Calls')).toContainText(/Last hour\s*12,345 yes · 0 no/);
  },
);

test('a toggle that is not there can be created under that name [S2-066] [S2-067] [S8-032] [S8-034]', async ({
  page,
  ui,
}) => {
  // While it is not known yet.
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/admin/features', async (route) => {
    await asked;
    await route.fallback();
  });
  await page.goto('features/view/50%25%20off%2Fnow');
  await expect(page.getByRole('progressbar', { name: 'Loading the toggle' })).toBeVisible();
  answer();
  await expect(ui.main).toContainText('Could not find the toggle');
  await ui.main.getByRole('link', { name: /Create/ }).click();
  await expect(page).toHaveURL(/\/features\/create/);
  // No space can stand in a name.
  await expect(ui.nameField).toHaveValue('50%off/now');
});
