// The flight recorder in the console: pages as of an earlier time, and what changed between two times.

import type { Page } from '@playwright/test';
import { axeViolations, LOOKS } from './support/accessibility';
import { expect, stubTest, test } from './support/fixtures';
import { recorded, type State, withRecorder } from './support/recorder';
import { toggle } from './support/stubUpstream';
import type { Ui } from './support/ui';

const enabled = (name: string, state: State) => state.features?.find((one) => one.name === name)?.enabled;

/** Returns the next full second after a time, when it is over. The clock of the console has seconds. */
async function secondAfter(time: string): Promise<Date> {
  const at = new Date(Math.ceil(Date.parse(time) / 1000) * 1000);
  await expect.poll(() => Date.now()).toBeGreaterThan(at.getTime() + 1);
  return at;
}

/** The value of a field for a date and time in the time zone of the browser. */
function toFieldValue(page: Page, at: Date): Promise<string> {
  return page.evaluate((ms) => {
    const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString();
    return local.slice(0, 19).replace(/:00$/, '');
  }, at.getTime());
}

const banner = (ui: Ui) => ui.main.getByRole('region', { name: 'Earlier time' });
/** Opens the question for an earlier time from the ⋯ menu of the list. */
async function openClock(page: Page, ui: Ui) {
  await ui.main.getByRole('button', { name: 'Actions for the list' }).click();
  await page.getByRole('menuitem', { name: 'As of an earlier time…' }).click();
}

test.describe('the flight recorder', { tag: '@embedded' }, () => {
  test.use({ settings: withRecorder(), durable: true });

  /** The time at which shop.basket was on for a quarter of the users. Then it was switched off, and shop.new was created. */
  let at: Date;

  test.beforeEach(async ({ page, flags }) => {
    const parameters = { rollout: '25', stickiness: 'userId', groupId: 'shop.basket' };
    await flags.create({ name: 'shop.basket', strategies: [{ name: 'flexibleRollout', parameters }] });
    at = await secondAfter(await recorded(page.request, (state) => enabled('shop.basket', state)));
    await flags.post('admin/features/shop.basket/toggle/off');
    await flags.create({ name: 'shop.new' });
    await recorded(page.request, (state) => enabled('shop.basket', state) === false && enabled('shop.new', state));
  });

  test('shows the list, a toggle and the evaluation at an earlier time, and goes back to now', async ({
    page,
    ui,
    context,
  }) => {
    await page.goto('features?state=off');
    await openClock(page, ui);
    const field = page.getByLabel('Time', { exact: true });
    await field.fill(await toFieldValue(page, new Date(at.getTime() + 3_600_000)));
    await page.getByRole('button', { name: 'Show toggles' }).click();
    await expect(page.getByText('This time is in the future.')).toBeVisible();
    const dayAgo = page.getByRole('button', { name: '1 day ago' });
    await expect(dayAgo).toBeDisabled();
    await expect(dayAgo).toHaveAccessibleDescription(/^The records begin at/);
    await field.fill(await toFieldValue(page, at));
    await page.getByRole('button', { name: 'Show toggles' }).click();
    await expect(field).toBeHidden();
    await expect(ui.main.getByRole('heading', { level: 1 })).toBeFocused();
    const inUrl = encodeURIComponent(at.toISOString().replace('.000Z', 'Z'));
    await expect(page).toHaveURL(`features?at=${inUrl}`);
    await expect(banner(ui)).toContainText('You see the toggles as of');
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await expect(ui.switchOf('shop.basket')).toBeDisabled();
    await expect(ui.row('shop.new')).toHaveCount(0);
    await expect(ui.main.getByText(/^Last change: .*\d\d:\d\d/)).toBeVisible();

    await ui.row('shop.basket').getByRole('link').click();
    await expect(page).toHaveURL(`features/strategies/shop.basket?at=${inUrl}`);
    await expect(ui.main.getByRole('article', { name: 'flexibleRollout' })).toContainText('25 % of users');
    await expect(ui.main.getByRole('button', { name: 'Add strategy' })).toHaveCount(0);
    await expect(banner(ui)).toContainText('You see the toggles as of');
    // 7 is at 2 of 100: the toggle was on, with a strategy that selects this user.
    await ui.main.getByLabel('userId').fill('7');
    await expect(ui.main.getByRole('status', { name: 'Result of the context' })).toContainText('On');

    // The link contains the time and the context.
    await ui.main.getByRole('link', { name: 'All toggles for this context' }).click();
    await expect(page).toHaveURL(`evaluation?at=${inUrl}#userId=7`);
    await expect(ui.row('shop.basket')).toContainText('within the rollout of 25 %');
    await expect(ui.row('shop.new')).toHaveCount(0);
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(other.getByRole('row').filter({ hasText: 'shop.basket' })).toContainText('On');
    await other.close();

    await banner(ui).getByRole('link', { name: 'Back to now' }).click();
    await expect(page).toHaveURL('evaluation#userId=7');
    await expect(ui.row('shop.basket')).toContainText('Off');
    await expect(ui.row('shop.new')).toContainText('On');
    await page.goBack();
    await expect(ui.row('shop.new')).toHaveCount(0);
  });

  test('a phone and the keyboard reach an earlier time and the present', async ({ page, ui }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto('features/history/shop.basket');
    await ui.main.getByRole('button', { name: 'Actions for shop.basket' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    // The entry is found by its first letters.
    await page.keyboard.type('as');
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Time', { exact: true });
    await expect(field).toBeFocused();
    await field.fill(await toFieldValue(page, at));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/features\/history\/shop\.basket\?at=/);
    // The log until then contains the creation, but not that the toggle was switched off.
    await expect(ui.main.locator('[data-row]')).toHaveCount(1);
    await ui.main.getByRole('link', { name: 'Activation' }).click();
    await expect(page).toHaveURL(/features\/strategies\/shop\.basket\?at=/);
    await expect(ui.main.getByRole('article', { name: 'flexibleRollout' })).toBeVisible();
    await expect(banner(ui)).toBeInViewport();
    await page.keyboard.press('End');
    await expect(banner(ui), 'the mark stays visible').toBeInViewport();
    await banner(ui).getByRole('link', { name: 'Back to now' }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('features/strategies/shop.basket');
    await expect(banner(ui)).toHaveCount(0);
  });

  test('shows what changed, who changed it, and the toggle before and after', async ({ page, ui }) => {
    await page.goto('history');
    await ui.main.getByRole('link', { name: 'What changed' }).click();
    await expect(page).toHaveTitle('What changed - Event history - Flagdeck');
    const change = (name: string) =>
      ui.main.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
    await expect(change('shop.new')).toContainText('added, on by operator');
    const from = encodeURIComponent(at.toISOString());
    await page.goto(`changes?from=${from}`);
    await expect(change('shop.basket')).toContainText('operator switched the toggle off');
    await expect(change('shop.basket').getByRole('time')).toBeVisible();
    await expect(change('shop.basket')).toContainText('On: 25 % of users');
    await expect(change('shop.basket')).toContainText('Off: 25 % of users');
    await expect(change('shop.basket')).toContainText(
      /Yes per minute, 5 minutes before → after0 → (0|not complete yet)/,
    );
    await change('shop.basket').getByRole('link', { name: 'Toggle before' }).click();
    await expect(ui.main.getByRole('heading', { name: 'shop.basket' }).locator('..')).toContainText('On');
    await page.goBack();
    await change('shop.basket').getByRole('link', { name: 'Toggle after' }).click();
    await expect(ui.main.getByRole('heading', { name: 'shop.basket' }).locator('..')).toContainText('Off');

    // Before the first record, and a time without changes.
    await page.goto(`changes?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`);
    await expect(ui.main.getByRole('heading', { name: 'The records begin later' })).toBeVisible();
    const [start, end] = [at.toISOString(), new Date(at.getTime() + 1).toISOString()].map(encodeURIComponent);
    await page.goto(`changes?from=${start}&to=${end}`);
    await expect(ui.main.getByRole('heading', { name: 'No changes' })).toBeVisible();
  });

  test('an event links to the toggle after it', async ({ page, ui }) => {
    await page.goto('features/history/shop.basket');
    await ui.main.locator('[data-row]').first().click();
    // It appears when SDKs have got the change.
    const link = ui.main.getByRole('link', { name: 'Toggle as of then' });
    await link.click();
    await expect(ui.main.getByRole('heading', { name: 'shop.basket' }).locator('..')).toContainText('Off');
  });

  for (const { colorScheme, width, tag } of LOOKS) {
    test(`is accessible, ${colorScheme} at ${width} px`, { tag }, async ({ page, ui }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const query = `at=${encodeURIComponent(at.toISOString())}`;
      await page.goto(`features?${query}`);
      await expect(ui.row('shop.basket')).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
      await banner(ui).getByRole('button', { name: 'Change time' }).click();
      const field = page.getByLabel('Time', { exact: true });
      await expect(field).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
      await page.goto(`features/strategies/shop.basket?${query}#userId=7`);
      await expect(ui.main.getByRole('status', { name: 'Result of the context' })).toContainText('On');
      expect(await axeViolations(page)).toEqual([]);
      await page.goto(`features/history/shop.basket?${query}`);
      await ui.main.locator('[data-row]').first().click();
      expect(await axeViolations(page)).toEqual([]);
      await page.goto(`features/view/shop.basket?${query}`);
      await expect(ui.main.getByText('No reports in the hour before this time.')).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
      await page.goto('changes');
      await expect(ui.main.getByText('shop.new').first()).toBeVisible();
      await expect(ui.main.getByText('not complete yet').first()).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
    });
  }
});

test.describe('the flight recorder in front of a real server', { tag: '@upstream' }, () => {
  test.use({ settings: withRecorder('--replica', '--replica-refresh', '100ms') });

  test('shows the toggles of SDKs before and after a change', async ({ page, ui, flags, request, realServer }) => {
    const authorization = realServer?.clientToken ?? '';
    const headers = { 'unleash-instanceid': 'shop-1', ...(authorization && { authorization }) };
    const poll = () => request.get('api/client/features', { headers });
    await flags.create({ name: 'shop.basket', variants: [{ name: 'red', weight: 1000, weightType: 'variable' }] });
    await poll();
    const at = await secondAfter(await recorded(page.request, (state) => enabled('shop.basket', state)));
    await flags.post('admin/features/shop.basket/toggle/off');
    const after = await recorded(page.request, (state) => enabled('shop.basket', state) === false);
    await page.goto(`features?at=${encodeURIComponent(at.toISOString())}`);
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await ui.row('shop.basket').getByRole('link').click();
    await ui.main.getByRole('link', { name: 'Variants' }).click();
    await expect(ui.main.getByRole('rowheader', { name: 'red' })).toBeVisible();
    await expect(ui.main.getByRole('button', { name: 'Edit red' })).toBeDisabled();
    await page.goto(`changes?from=${encodeURIComponent(at.toISOString())}&to=${encodeURIComponent(after)}`);
    await expect(ui.main.getByRole('list', { name: 'Changes' })).toContainText('switched the toggle off');
  });
});

test.describe('without a flight recorder', { tag: '@embedded' }, () => {
  test('no page offers an earlier time', async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket' });
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    await ui.main.getByRole('button', { name: 'Actions for the list' }).click();
    await expect(page.getByRole('menuitem', { name: 'Copy as JSON' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: /^As of/ })).toHaveCount(0);
    await page.goto('features?at=2026-01-05T08:00:00Z');
    await expect(ui.main.getByRole('heading', { name: 'Earlier states are not recorded' })).toBeVisible();
    await page.goto('changes');
    await expect(ui.main.getByRole('heading', { name: 'Earlier states are not recorded' })).toBeVisible();
  });
});

stubTest.describe('while the flag service is out of reach', { tag: '@stub' }, () => {
  stubTest.use({ settings: withRecorder('--replica') });

  stubTest('the records are readable', async ({ page, ui, stub, request }) => {
    const strategies = [{ name: 'default', parameters: {} }];
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    stub.respond('GET /api/client/features', {
      body: { version: 1, features: [{ name: 'shop.basket', enabled: true, strategies }] },
    });
    await request.get('api/client/features', { headers: { 'unleash-instanceid': '1' } });
    const at = await secondAfter(await recorded(page.request, (state) => enabled('shop.basket', state)));
    await page.goto('features');
    await expect(ui.row('shop.basket')).toBeVisible();
    await stub.stop();
    await page.goto(`features?at=${encodeURIComponent(at.toISOString())}`);
    await expect(ui.outage).toBeVisible();
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await expect(ui.switchOf('shop.basket')).toHaveAccessibleDescription(/^You see the toggles as of /);
  });
});
