// The toggle list with stubbed data and controlled time.

import { afterRead } from './support/afterRead';
import { expect, stubTest as test } from './support/fixtures';
import { gate } from './support/gate';
import { toggle } from './support/stubUpstream';

const NO_DATA = { lastHour: {}, lastMinute: {} };

test.describe('the list', { tag: '@stub' }, () => {
  test('shows the last minute by default, and switches between minute and hour [S2-034] [S9-005]', async ({
    page,
    ui,
    stub,
  }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    const counts = {
      lastMinute: { 'shop.basket': { yes: 2, no: 1 } },
      lastHour: { 'shop.basket': { yes: 1, no: 3 } },
    };
    stub.respond('GET /api/admin/metrics/feature-toggles', { body: counts });
    await page.goto('features');
    await expect(page.getByRole('radio', { name: 'Last minute' })).toBeChecked();
    await expect(ui.ringOf('shop.basket')).toHaveAccessibleName(/67\s?%/);
    await ui.chooseInterval('Last hour');
    await expect(ui.ringOf('shop.basket')).toHaveAccessibleName(/25\s?%/);
    await ui.chooseInterval('Last minute');
    await expect(ui.ringOf('shop.basket')).toHaveAccessibleName(/67\s?%/);
  });

  test('shows the rounded yes-rate, and distinguishes 0 % from no data [S2-040] [S9-026]', async ({
    page,
    ui,
    stub,
  }) => {
    const names = ['third', 'quiet', 'silent'];
    stub.respond('GET /api/admin/features', { body: { version: 1, features: names.map((name) => toggle(name)) } });
    const lastMinute = { third: { yes: 2, no: 1 }, quiet: { yes: 0, no: 0 } };
    stub.respond('GET /api/admin/metrics/feature-toggles', { body: { lastHour: {}, lastMinute } });
    await page.goto('features');
    await expect(ui.ringOf('third')).toHaveAccessibleName(/67\s?%/);
    await expect(ui.ringOf('quiet')).toHaveAccessibleName(/\b0\s?%/);
    await expect(ui.ringOf('silent')).toHaveAccessibleName(/no data/i);
    await ui.chooseInterval('Last hour');
    await expect(ui.ringOf('third')).toHaveAccessibleName(/no data/i);
  });

  test('searches 500 ms after the last key, and stores the search 150 ms later [S2-033] [S9-002] [S9-003] [S5-009]', async ({
    page,
    ui,
    stub,
  }) => {
    const features = ['shop.basket', 'login.passkeys'].map((name) => toggle(name));
    stub.respond('GET /api/admin/features', { body: { version: 1, features } });
    await page.clock.install({ time: '2026-03-01T12:00:00Z' });
    await page.goto('features');
    await ui.expectNames('login.passkeys', 'shop.basket');
    await page.clock.pauseAt('2026-03-01T12:01:00Z');
    const isStored = () => page.evaluate(() => Object.values(localStorage).join().includes('shop'));
    await ui.search.pressSequentially('sho');
    await page.clock.runFor(499);
    await ui.search.pressSequentially('p');
    await page.clock.runFor(499);
    await ui.expectNames('login.passkeys', 'shop.basket');
    await page.clock.runFor(1);
    await ui.expectNames('shop.basket');
    await page.clock.runFor(149);
    expect(await isStored()).toBe(false);
    await page.clock.runFor(1);
    expect(await isStored()).toBe(true);
    await ui.search.fill('login');
    await ui.search.press('Enter');
    await ui.expectNames('login.passkeys');
  });

  test('reads metrics once it has toggles, then every five seconds [S4-018] [S9-001]', async ({ page, ui, stub }) => {
    const METRICS = 'GET /api/admin/metrics/feature-toggles';
    const requests = () => stub.called(METRICS).length;
    const loaded = gate();
    stub.respond('GET /api/admin/features', async () => {
      await loaded.opened;
      return { body: { version: 1, features: [toggle('shop.basket')] } };
    });
    stub.respond(METRICS, { body: NO_DATA });
    await page.clock.install({ time: '2026-03-01T12:00:00Z' });
    await page.goto('features');
    await expect.poll(() => stub.called('GET /api/admin/features').length).toBe(1);
    await page.clock.pauseAt('2026-03-01T12:01:00Z');
    expect(requests()).toBe(0);
    loaded.open();
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect.poll(requests).toBe(1);
    await page.clock.runFor(4_900);
    expect(requests()).toBe(1);
    stub.respond(METRICS, { body: { lastHour: {}, lastMinute: { 'shop.basket': { yes: 1, no: 3 } } } });
    await page.clock.runFor(200);
    await expect(ui.ringOf('shop.basket')).toHaveAccessibleName(/25\s?%/);
    await page.clock.runFor(5_000);
    await expect.poll(requests).toBe(3);
  });

  test('keeps a switch unchanged if the server refuses, and shows the reason [S4-002] [S8-005] [S8-014]', async ({
    page,
    ui,
    stub,
  }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    const message = 'You need the role of an editor';
    stub.respond('POST /api/admin/features/shop.basket/toggle/off', {
      status: 403,
      body: { permission: 'UPDATE_FEATURE', message },
    });
    await page.goto('features');
    await ui.switchOf('shop.basket').click();
    await expect(ui.snackbar).toContainText(message);
    await expect(ui.switchOf('shop.basket')).toBeChecked();
    await expect(ui.switchOf('shop.basket')).toBeEnabled();
  });

  test('renders only the visible rows of 10,000 and finds any of them', async ({ page, ui, stub }) => {
    const features = Array.from({ length: 10_000 }, (_, index) => toggle(`flag.${String(index).padStart(5, '0')}`));
    stub.respond('GET /api/admin/features', { body: { version: 1, features } });
    await page.goto('features');
    await expect(ui.row('flag.00000')).toBeVisible();
    expect(await page.locator('*').count()).toBeLessThan(1_500);
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '10001');
    await expect(ui.row('flag.00000')).toHaveAttribute('aria-rowindex', '2');
    await page.keyboard.press('End');
    await expect(ui.row('flag.09999')).toBeVisible();
    await expect(ui.row('flag.09999')).toHaveAttribute('aria-rowindex', '10001');
    expect(await page.locator('*').count()).toBeLessThan(1_500);
    await ui.search.fill('g.0512[34]');
    await ui.search.press('Enter');
    await ui.expectNames('flag.05123', 'flag.05124');
  });

  test('fetches at most 165 kB before its first row; the rest waits until the browser is idle', async ({
    page,
    ui,
    stub,
  }) => {
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0;
    });
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    await page.goto('features');
    await ui.expectNames('shop.basket');
    const files = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name, initiatorType }) => /\.(js|css)$/.test(name) || initiatorType === 'navigation')
        .map(({ name, encodedBodySize }) => ({ name, encodedBodySize })),
    );
    const bytes = files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    expect(bytes, JSON.stringify(files, null, 2)).toBeLessThanOrEqual(165_000);
    // A total of a few kilobytes would mean that the browser hides the sizes.
    expect(bytes).toBeGreaterThan(50_000);
  });

  test('is not blocked by a pathological pattern', async ({ page, ui, stub }) => {
    const features = Array.from({ length: 50 }, (_, index) => toggle(`${'a'.repeat(40)}.${index}!`));
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [...features, toggle('aaa')] } });
    await page.goto('features');
    await expect(ui.names().first()).toBeVisible();
    await ui.search.fill('^(a+)+$');
    await ui.search.press('Enter');
    await ui.expectNames('aaa');
  });

  test('has a project filter only if there are several projects [S2-036] [S2-037]', async ({ page, ui, stub }) => {
    const features = [toggle('shop.basket', { project: 'shop' }), toggle('login.passkeys')];
    stub.respond('GET /api/admin/features', { body: { version: 1, features } });
    const one = { id: 'default', name: 'Default', description: '' };
    stub.respond('GET /api/admin/projects', { body: { version: 1, projects: [one] } });
    await afterRead(page, 'api/admin/projects', () => page.goto('features'));
    await expect(ui.row('shop.basket')).toBeVisible();
    await expect(page.getByLabel('Project')).toHaveCount(0);

    const two = { id: 'shop', name: 'Web shop', description: '' };
    stub.respond('GET /api/admin/projects', { body: { version: 1, projects: [one, two] } });
    await page.reload();
    const project = page.getByLabel('Project');
    await expect(project.getByRole('option')).toHaveText(['All projects', 'Default', 'Web shop']);
    await expect(project.getByRole('option', { selected: true })).toHaveText('All projects');
    await project.selectOption('Web shop');
    await ui.expectNames('shop.basket');
  });
});
