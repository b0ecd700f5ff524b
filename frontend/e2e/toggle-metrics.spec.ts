// The metrics tab of a toggle.

import { expect, test } from './support/fixtures';
import { afterPolls } from './support/polls';
import { ONE_TRY, SLOWDOWN } from './support/slowdown';

test('a toggle without metrics shows that it has none [S2-058] [S2-059] [S2-060] [S2-061] [S2-062]', {
  tag: '@reach',
}, async ({ page, ui, flags, version }) => {
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

test('a missing toggle can be created under its name [S2-066] [S2-067] [S8-032] [S8-034]', { tag: '@reach' }, async ({
  page,
  ui,
}) => {
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
