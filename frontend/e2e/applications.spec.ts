// The list of applications and the instructions for connecting an SDK.

import { mkdir } from 'node:fs/promises';
import { reportApplication } from './support/applications';
import { expect, test } from './support/fixtures';
import { runNodeExample } from './support/sdk';
import { STORED } from './support/slowdown';

test.describe.configure({ timeout: 90_000 });

test('lists applications, reached from the menu, and keeps the filter in the URL [S2-015] [S1-002] [S7-029]', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await reportApplication(flags, 'shop-web', { strategies: ['default', 'byRegion'] });
  await reportApplication(flags, 'night jobs/1');
  await flags.post('admin/metrics/applications/shop-web', { description: 'The shop as browsers see it' });
  await page.goto('features');
  await ui.menu.getByRole('link', { name: 'Applications' }).click();
  await expect(page).toHaveURL(/\/applications$/);
  await expect(page).toHaveTitle('Applications - Flagdeck');
  await ui.expectNames('night jobs/1', 'shop-web');
  await expect(ui.row('shop-web')).toContainText('The shop as browsers see it');
  await expect(ui.row('shop-web')).toContainText('0 toggles · 1 instance · node 3.18.1');

  // By description and by strategy: immediately on Enter, otherwise after the debounce.
  await ui.search.fill('BROWSERS|none');
  await ui.search.press('Enter');
  await expect(page).toHaveURL(/\/applications\?filter=BROWSERS%7Cnone$/);
  await ui.expectNames('shop-web');
  await page.reload();
  await ui.expectNames('shop-web');
  await ui.search.fill('byregion');
  await expect(page).toHaveURL(/filter=byregion$/);
  await ui.expectNames('shop-web');
  await ui.search.fill('(');
  await ui.search.press('Enter');
  await ui.expectNames('night jobs/1', 'shop-web');
  await ui.search.fill('nobody');
  await ui.search.press('Enter');
  await expect(ui.main).toContainText('No application matches');
  await ui.main.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/applications$/);

  await ui.main.getByRole('link', { name: 'night jobs/1' }).click();
  await expect(page).toHaveURL(/\/applications\/night%20jobs%2F1$/);
  await expect(page.getByRole('heading', { level: 1, name: 'night jobs/1' })).toBeVisible();
});

test('truncates long names and descriptions, and shows them in full on focus [S2-087] [S9-020] [S9-019]', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  const name = 'n'.repeat(50);
  const description = 'd'.repeat(60);
  await reportApplication(flags, `${name}+`);
  await reportApplication(flags, name);
  await flags.post(`admin/metrics/applications/${name}%2B`, { description: `${description}+` });
  await flags.post(`admin/metrics/applications/${name}`, { description });
  await page.goto('applications');
  await ui.expectNames(name, `${name}…`);
  await expect(ui.main.getByText(description, { exact: true })).toBeVisible();
  await expect(ui.main.getByText(`${description}…`, { exact: true })).toBeVisible();
  await ui.main.getByRole('link', { name: `${name}+` }).focus();
  await expect(page.getByText(`${name}+ — ${description}+`)).toBeVisible();
  await ui.main.getByRole('link', { name, exact: true }).focus();
  await expect(page.getByText(`${name}+ — ${description}+`)).toBeHidden();
});

test(
  'an empty list explains how to connect an SDK, with code that works [S2-088]',
  { tag: '@embedded' },
  async ({ page, ui, flagdeck, context, flags }, testInfo) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('applications');
    await expect(ui.main).toContainText('Connect a client SDK');
    const code = ui.main.getByRole('region', { name: /^Evaluate a toggle/ });
    for (const [library, sign] of [
      ['Java', 'UnleashConfig.builder()'],
      ['Go', 'unleash.Initialize('],
      ['Python', 'UnleashClient('],
      ['.NET', 'new DefaultUnleash('],
      ['Ruby', 'Unleash::Client.new('],
      ['Node.js, streaming', "type: 'streaming'"],
      ['Node.js', 'initialize({'],
    ] as const) {
      await ui.main.getByLabel('Client SDK').selectOption(library);
      await expect(code).toContainText(sign);
      await expect(code).toContainText(`${flagdeck.url}api`);
      await expect(code).toContainText('TOKEN');
    }
    await ui.main.getByRole('button', { name: 'Copy: Evaluate a toggle (Node.js)' }).click();
    await expect(ui.snackbar).toContainText('Copied.');
    const copied = await page.evaluate(() => navigator.clipboard.readText());

    await mkdir(testInfo.outputDir, { recursive: true });
    const unleash = runNodeExample(copied, testInfo.outputDir, () => undefined);
    try {
      await expect
        .poll(
          async () => (await flags.get<{ applications: object[] }>('admin/metrics/applications')).applications,
          STORED,
        )
        .toMatchObject([{ appName: 'my-app' }]);
    } finally {
      unleash.destroy();
    }
    await page.reload();
    await ui.expectNames('my-app');
  },
);

test('copying works without the clipboard API', { tag: '@embedded' }, async ({ page, ui }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.goto('applications');
  const copy = ui.main.getByRole('button', { name: 'Copy: Install the SDK' });
  await copy.click();
  await expect(ui.snackbar).toContainText('Copied.');
  await expect(copy).toBeFocused();
  await ui.main.getByLabel('Client SDK').focus();
  await page.evaluate(() => Object.defineProperty(document, 'execCommand', { value: () => false }));
  await ui.main.getByRole('button', { name: /^Copy: Evaluate/ }).click();
  await expect(ui.snackbar).toContainText('Could not copy');
});
