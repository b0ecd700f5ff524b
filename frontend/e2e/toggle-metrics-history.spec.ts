// The calls of a toggle over time, on its metrics tab.

import type { Locator, Page } from '@playwright/test';
import { axeViolations, tabTo } from './support/accessibility';
import { reportApplication } from './support/applications';
import { expect, stubTest, test } from './support/fixtures';
import { type StubUpstream, toggle } from './support/stubUpstream';

const MINUTES = 'GET /api/admin/client-metrics/features/shop.basket/minutes';
const HOURS = 'GET /api/admin/client-metrics/features/shop.basket/raw';

function chart(page: Page): Locator {
  return page.getByRole('figure', { name: /^Calls per/ });
}

function rowsOf(page: Page, table: 'Counts per minute' | 'Counts per hour' | 'Calls by application'): Locator {
  return page.getByRole('table', { name: table }).getByRole('row');
}

function entry(appName: string, timestamp: string, yes: number, no: number): object {
  return { featureName: 'shop.basket', appName, environment: 'default', timestamp, yes, no };
}

/** Stubs a server with the toggle `shop.basket` and these counts, and opens the metrics tab at 14:30 in Oslo. */
async function openMetrics(page: Page, stub: StubUpstream, data: object[]): Promise<void> {
  stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  for (const call of [MINUTES, HOURS]) stub.respond(call, { body: { version: 1, maturity: 'stable', data } });
  await page.clock.install({ time: '2026-03-01T13:30:05Z' });
  await page.goto('features/view/shop.basket');
}

const COUNTS = [
  entry('shop', '2026-03-01T13:00:00.000Z', 300, 100),
  entry('web', '2026-03-01T13:00:00.000Z', 1000, 0),
  entry('shop', '2026-03-01T13:10:00.000Z', 0, 0),
  entry('', '2026-03-01T13:30:00.000Z', 0, 30),
];

test('the embedded service stores the calls of each minute and hour by application [S2-056] [S2-057]', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/view/shop.basket');
  await expect(ui.section('Calls')).toContainText('No reports in the last hour');
  await reportApplication(flags, 'web', { toggles: ['shop.basket'] });
  await flags.report({ 'shop.basket': { yes: 3, no: 1 } });
  await page.reload();
  await expect(chart(page)).toHaveAccessibleName('Calls per minute: 4 yes, 1 no');
  await expect(rowsOf(page, 'Calls by application')).toHaveText([/^Application/, 'shop3175 %', 'web10100 %']);
  await page.getByRole('combobox', { name: 'Application' }).selectOption('shop');
  await expect(chart(page)).toHaveAccessibleName('Calls per minute: 3 yes, 1 no');
  await page.getByRole('button', { name: 'Show table' }).click();
  await expect(rowsOf(page, 'Counts per minute')).toHaveText([/^Minute/, /^\d\d:\d\d3175\s%$/]);
  await page.getByRole('radio', { name: 'Last 7 days' }).click();
  await expect(page).toHaveURL(/range=week/);
  await expect(chart(page)).toHaveAccessibleName('Calls per hour: 3 yes, 1 no');
  await expect(rowsOf(page, 'Counts per hour')).toHaveText([/^Hour/, /3175\s%$/]);
  await page.reload();
  await expect(chart(page)).toHaveAccessibleName('Calls per hour: 3 yes, 1 no');
  await rowsOf(page, 'Calls by application').getByRole('link', { name: 'shop' }).click();
  await expect(page).toHaveURL(/\/applications\/shop$/);
});

test('the chart marks the changes of the toggle, with links to the log', { tag: '@embedded' }, async ({
  page,
  flags,
}) => {
  await flags.create({ name: 'shop.basket' });
  await flags.report({ 'shop.basket': { yes: 3, no: 1 } });
  await flags.update('shop.basket', { enabled: false });
  await flags.update('shop.basket', { description: 'Changes no result' });
  await page.goto('features/view/shop.basket');
  const mark = chart(page).getByRole('navigation', { name: 'Changes' }).getByRole('link');
  await expect(mark).toHaveAccessibleName(
    /^2 changes; [\d:]+( [AP]M)?: operator created the toggle; [\d:]+( [AP]M)?: operator switched the toggle off$/,
  );
  await tabTo(mark);
  expect(await axeViolations(page)).toEqual([]);
  await expect(chart(page).getByText('operator switched the toggle off')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(chart(page).getByText('operator switched the toggle off')).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/features\/history\/shop\.basket\?event=\d+$/);
  await expect(page.locator('[aria-current=true]').getByText('switched')).toBeVisible();
});

test('the counts of an archived toggle are shown', { tag: '@embedded' }, async ({ page, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await flags.report({ 'shop.basket': { yes: 3, no: 1 } });
  await flags.archive('shop.basket');
  await page.goto('archive/view/shop.basket');
  await expect(chart(page)).toHaveAccessibleName('Calls per minute: 3 yes, 1 no');
});

test('with a server that stores no counts per minute, the page collects them [S4-018]', {
  tag: ['@upstream', '@minute-counts'],
}, async ({ page, ui, flags }) => {
  // The server keeps counts by name for a long time, so no other test may use this name.
  const name = `collected.${Date.now()}`;
  await flags.create({ name });
  await page.clock.install();
  await page.goto(`features/view/${name}`);
  await expect(ui.section('Calls')).toContainText(/No data yet.*Collected since \d\d:\d\d, while this page is open/);
  await ui.tab('Log').click();
  await flags.report({ [name]: { yes: 2, no: 1 } });
  // At most a minute of polls, until the end of the current minute.
  for (let poll = 0; poll < 13; poll += 1) {
    const response = page.waitForResponse('**/api/admin/metrics/feature-toggles');
    await page.clock.fastForward(5_000);
    await response;
  }
  await ui.tab('Metrics').click();
  await expect(chart(page)).toHaveAccessibleName(/^Calls per minute: [24] yes, [12] no$/);
  await expect(ui.section('Calls')).toContainText('Shaded: no data');
  await ui.menu.getByRole('link', { name: 'Feature toggles' }).click();
  await ui.row(name).getByRole('link', { name }).first().click();
  await ui.tab('Metrics').click();
  await expect(chart(page)).toHaveAccessibleName(/^Calls per minute: [24] yes, [12] no$/);
  await page.getByRole('radio', { name: 'Last 7 days' }).click();
  await expect(ui.section('Calls')).toContainText('This server does not store counts per hour.');
});

stubTest.describe('with given counts', { tag: '@stub' }, () => {
  stubTest('pointer and arrow keys show the counts of a minute', async ({ page, stub }) => {
    await openMetrics(page, stub, COUNTS);
    await expect(chart(page)).toHaveAccessibleName('Calls per minute: 1,300 yes, 130 no');
    const minute = page.getByRole('slider', { name: 'Minute' });
    await minute.focus();
    await expect(minute).toHaveAttribute('aria-valuetext', '14:30: 0 yes, 30 no (0\u00a0% yes)');
    await page.keyboard.press('ArrowLeft');
    await expect(minute).toHaveAttribute('aria-valuetext', '14:29: no reports');
    await expect(chart(page)).toContainText('14:29: no reports');
    await page.keyboard.press('Home');
    await expect(minute).toHaveAttribute('aria-valuetext', '13:31: no reports');
    await minute.blur();
    const box = await chart(page).locator('svg').boundingBox();
    if (!box) throw new Error('the chart is not visible');
    const point = (period: number) => page.mouse.move(box.x + (box.width * (period + 0.5)) / 60, box.y + 10);
    await point(29);
    await expect(chart(page)).toContainText('14:00: 1,300 yes, 100 no (93 % yes)');
    await point(39);
    await expect(chart(page)).toContainText(/14:10: 0 yes, 0 no(?! \()/);
    await page.mouse.move(box.x, box.y + box.height + 200);
    await expect(chart(page)).not.toContainText('14:10:');
  });

  stubTest('times and numbers follow the chosen locale', async ({ page, ui, stub }) => {
    await openMetrics(page, stub, COUNTS);
    await ui.chooseLocale(/English \(United States\)/);
    await page.getByRole('button', { name: 'Show table' }).click();
    await expect(rowsOf(page, 'Counts per minute').last()).toContainText('2:00 PM');
    await ui.chooseLocale(/Deutsch/);
    await expect(chart(page)).toHaveAccessibleName('Calls per minute: 1.300 yes, 130 no');
    await page.getByRole('radio', { name: 'Last 7 days' }).click();
    await expect(rowsOf(page, 'Counts per hour').last()).toContainText(/1\.3\..*14:00/);
  });
});
