// Toggles and strategies that applications request and the server does not have.

import { application, reportApplication } from './support/applications';
import { expect, stubTest, test } from './support/fixtures';
import { retry } from './support/retry';

test.describe.configure({ timeout: 90_000 });

test('lists missing toggles and strategies with their applications and links to create them [S2-089] [S2-090]', {
  tag: '@unknown-toggles',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.old' });
  await flags.archive('shop.old');
  await reportApplication(flags, 'web', {
    strategies: ['default', 'byRegion'],
    toggles: ['shop.basket', 'shop.new', 'shop.basics'],
  });
  await reportApplication(flags, 'app', { toggles: ['shop.new', 'shop.old'] });
  await page.goto('applications');
  const link = ui.main.getByRole('link', { name: 'Missing toggles' });
  await expect(link).toContainText('3');
  await link.click();
  await expect(page).toHaveURL(/\/missing-toggles$/);
  await expect(page).toHaveTitle('Missing toggles - Applications - Flagdeck');
  const toggles = ui.main.getByRole('table', { name: 'Missing toggles' });
  // Sorted by the number of applications.
  await expect(toggles.getByRole('rowheader')).toHaveText(['shop.new', 'shop.basics', 'shop.old']);
  await expect(ui.row('shop.new').getByRole('cell').first()).toHaveText('appweb');
  await expect(ui.row('shop.old').getByRole('link', { name: 'In the archive: shop.old' })).toBeVisible();
  await expect(ui.row('byRegion').getByRole('link', { name: 'Create byRegion' })).toHaveAttribute(
    'href',
    '/strategies/create?name=byRegion',
  );
  await ui.row('shop.basics').getByRole('link', { name: 'web' }).click();
  await expect(page).toHaveURL(/\/applications\/web$/);
  await page.goBack();
  await ui.row('shop.new').getByRole('link', { name: 'Create shop.new' }).click();
  await expect(page).toHaveURL(/\/features\/create\?name=shop\.new$/);
  await expect(ui.nameField).toHaveValue('shop.new');
});

test('reports that nothing is missing, or that there are no applications', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await page.goto('missing-toggles');
  await expect(ui.main).toContainText('No applications');
  await flags.create({ name: 'shop.basket' });
  await reportApplication(flags, 'web', { toggles: ['shop.basket'] });
  await page.reload();
  await expect(ui.main).toContainText('Nothing is missing');
});

stubTest.describe('with many applications', { tag: '@stub' }, () => {
  const NAMES = Array.from({ length: 12 }, (_, index) => `app-${index}`);
  const withMissingToggle = (name: string) =>
    application(name, { seenToggles: [{ name: `wanted-by-${name}`, notFound: true }] });

  stubTest.beforeEach(({ stub }) => {
    const applications = NAMES.map((name) => application(name));
    stub.respond('GET /api/admin/metrics/applications', { body: { applications } });
  });

  stubTest('reads a few applications at a time and shows the progress', async ({ page, ui, stub }) => {
    const waiting: (() => void)[] = [];
    for (const name of NAMES) {
      stub.respond(
        `GET /api/admin/metrics/applications/${name}`,
        () => new Promise((resolve) => waiting.push(() => resolve({ body: withMissingToggle(name) }))),
      );
    }
    await page.goto('missing-toggles');
    await expect.poll(() => waiting.length).toBe(4);
    await expect(ui.main.getByRole('progressbar')).toBeVisible();
    waiting.shift()?.();
    await expect(ui.main).toContainText('Checked 1 of 12 applications');
    // The next request starts, and only one.
    await expect.poll(() => waiting.length).toBe(4);
    for (let finished = 1; finished < NAMES.length; finished += 1) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.shift()?.();
    }
    await expect(ui.main.getByRole('rowheader')).toHaveCount(NAMES.length);
  });

  stubTest('shows the loaded results and names the applications that failed', async ({ page, ui, stub }) => {
    for (const name of NAMES)
      stub.respond(`GET /api/admin/metrics/applications/${name}`, { body: withMissingToggle(name) });
    stub.respond('GET /api/admin/metrics/applications/app-3', { status: 500 });
    stub.respond('GET /api/admin/metrics/applications/app-5', { status: 404 });
    await page.goto('missing-toggles');
    await expect(ui.main.getByRole('alert')).toContainText('one application could not be loaded (app-3)');
    await expect(ui.main.getByRole('rowheader')).toHaveCount(10);
    await retry(ui, stub, 'GET /api/admin/metrics/applications/app-3', { body: withMissingToggle('app-3') });
    await expect(ui.main.getByRole('alert')).toHaveCount(0);
    await expect(ui.main.getByRole('rowheader')).toHaveCount(11);
  });

  stubTest('starts again after sign-in, and shows nothing before', async ({ page, ui, stub }) => {
    for (const name of NAMES)
      stub.respond(`GET /api/admin/metrics/applications/${name}`, { body: withMissingToggle(name) });
    const challenge = { type: 'unsecure', path: '/api/admin/login', message: 'Who is there?' };
    stub.respond('GET /api/admin/metrics/applications/app-3', () =>
      stub.signedIn ? { body: withMissingToggle('app-3') } : { status: 401, body: challenge },
    );
    stub.respond('POST /api/admin/login', () => {
      stub.signedIn = true;
      return { body: {} };
    });
    await page.goto('missing-toggles');
    await expect(ui.signInDialog).toBeVisible();
    await expect(ui.main.getByRole('rowheader')).toHaveCount(0);
    await ui.signInByEmail('a@example.com');
    await expect(ui.main.getByRole('rowheader')).toHaveCount(NAMES.length);
  });
});
