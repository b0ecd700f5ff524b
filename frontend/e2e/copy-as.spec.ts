// Copying to the clipboard, and a plan of a copied file. Each menu: ../src/testing/copyMenus.test.tsx.

import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

test('copies a toggle as JSON, and as a file without a change', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  const description = `Ada's "$HOME" \`id\` \\ %20 !! $(id) ''; #`;
  await flags.create({ name: 'shop.basket', description });
  await ui.activation.open('shop.basket');
  await ui.copyAs('shop.basket', 'JSON');
  await expect.poll(() => clipboard(page)).toContain('"name": "shop.basket"');
  await ui.copyAs('shop.basket', 'YAML');
  await expect.poll(() => clipboard(page)).toContain('version: 1\ntoggles:\n  shop.basket:\n');
  const file = await clipboard(page);

  // A plan of the copied file is empty.
  await page.goto('plans');
  await ui.main.getByLabel('Or paste the text').fill(file);
  await ui.main.getByRole('button', { name: 'Review' }).click();
  await expect(ui.main.getByRole('heading', { name: 'Nothing to do' })).toBeVisible();
});
