// API tokens: the list, and creating one and copying its secret. Permissions, failures and removal: src/testing/entityPages.test.tsx.

import type { Page } from '@playwright/test';
import type { ApiToken } from '../src/api/generated/types';
import { axeViolations, unreachableElements } from './support/accessibility';
import { reportApplication } from './support/applications';
import { expect, test } from './support/fixtures';
import type { Flags } from './support/flags';
import type { Ui } from './support/ui';

const WEB = {
  name: 'shop-web',
  kind: 'frontend',
  origins: ['https://shop.example'],
  projects: ['default'],
  tags: ['simple:shop'],
};

async function tokensOf(flags: Flags): Promise<ApiToken[]> {
  return (await flags.get<{ tokens: ApiToken[] }>('admin/api-tokens')).tokens;
}

const secretField = (page: Page) => page.getByLabel('Token', { exact: true });
const createButton = (page: Page) => page.getByRole('button', { name: 'Create' });

/** Chooses an option of the radio group. */
const chooseKind = (ui: Ui, kind: string) => ui.main.getByRole('radio', { name: kind }).check();

test.describe('API tokens', { tag: '@embedded' }, () => {
  test('are listed on a page of the menu', async ({ page, ui, flags }) => {
    await reportApplication(flags, 'shop', {});
    await flags.post('admin/api-tokens', WEB);
    await page.goto('applications');
    await ui.menu.getByRole('link', { name: 'API tokens' }).click();
    await expect(page).toHaveURL(/\/tokens$/);
    await expect(page).toHaveTitle('API tokens - Flagdeck');
    await expect(ui.menu.getByRole('link', { name: 'API tokens' })).toHaveAttribute('aria-current', 'page');
    const row = ui.row('shop-web');
    for (const text of ['Frontend', 'Origins: https://shop.example', 'Projects: default', 'Tags: simple:shop']) {
      await expect(row).toContainText(text);
    }
    await expect(row).toContainText('by operator');
    await expect(row).toContainText('never');
  });

  test('show their secret once, and only in the page that created them', async ({
    page,
    ui,
    context,
    flagdeck,
    flags,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('tokens');
    await expect(ui.main).toContainText('No API tokens');
    await ui.main.getByRole('link', { name: 'New API token' }).click();
    await expect(page).toHaveTitle('Create - API tokens - Flagdeck');
    await expect(ui.main).toContainText('This is the first client token');
    await createButton(page).click();
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription(/^Enter a name\./);
    await page.getByLabel('Name').fill(' shop ');
    await createButton(page).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('shop');
    await expect(ui.main.getByRole('status')).toContainText('cannot be shown again');
    await expect(secretField(page)).toBeFocused();
    await expect(secretField(page)).not.toBeEditable();
    const secret = await secretField(page).inputValue();
    await ui.main.getByRole('button', { name: 'Copy token' }).click();
    await expect(ui.snackbar).toContainText('Copied.');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await ui.main.getByRole('link', { name: 'Done' }).click();
    await expect(ui.row('shop')).toContainText('Client');
    expect(await page.content()).not.toContain(secret);

    const definitions = (headers: Record<string, string>) =>
      context.request.get(`${flagdeck.url}api/client/features`, { headers });
    await expect.poll(async () => (await definitions({})).status()).toBe(401);
    expect((await definitions({ authorization: secret })).status()).toBe(200);
    await page.goto('history');
    await expect(ui.main).toContainText('created the API token');
    expect(await page.content()).not.toContain(secret);
    await ui.main.getByRole('link', { name: 'shop', exact: true }).click();
    await expect(ui.row('shop')).not.toContainText('never');
    expect(await tokensOf(flags)).toMatchObject([{ name: 'shop', kind: 'client', projects: [], tags: [] }]);
  });

  test('of browsers are limited to origins, projects and tags', async ({ page, ui, flags }) => {
    await flags.post('admin/tags', { type: 'simple', value: 'shop' });
    await page.goto('tokens/create');
    await page.getByLabel('Name').fill('shop-web');
    await chooseKind(ui, 'Frontend');
    await expect(ui.main).not.toContainText('This is the first client token');
    const origins = page.getByLabel('Origins');
    await origins.fill('https://shop.example/path,');
    await createButton(page).click();
    await expect(origins).toHaveAccessibleDescription(/https:\/\/shop\.example\/path is not an origin/);
    await expect(origins).toBeFocused();
    await page.getByRole('button', { name: 'Remove https://shop.example/path' }).click();
    await origins.fill('https://Shop.example');
    await page.getByLabel('Projects').click();
    await page.getByRole('option', { name: 'default' }).click();
    await page.getByLabel('Tags').click();
    await page.getByRole('option', { name: 'simple:shop' }).click();
    await createButton(page).click();
    await expect(secretField(page)).toBeVisible();
    expect(await tokensOf(flags)).toMatchObject([WEB]);
  });

  test('can be read on a phone, and without violations in both themes', { tag: '@ci' }, async ({ page, ui, flags }) => {
    await flags.post('admin/api-tokens', { ...WEB, name: `shop-${'with-a-very-long-name-'.repeat(4)}`, tags: [] });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto('tokens');
      await expect(ui.main).toContainText('Last used never');
      expect(await unreachableElements(page)).toEqual([]);
      expect(await axeViolations(page), `list, ${colorScheme}`).toEqual([]);
      await page.goto('tokens/create');
      await page.getByLabel('Name').fill(colorScheme);
      await chooseKind(ui, 'Frontend');
      expect(await unreachableElements(page)).toEqual([]);
      expect(await axeViolations(page), `form, ${colorScheme}`).toEqual([]);
      await createButton(page).click();
      await expect(secretField(page)).toBeVisible();
      expect(await unreachableElements(page)).toEqual([]);
      expect(await axeViolations(page), `secret, ${colorScheme}`).toEqual([]);
    }
  });
});
