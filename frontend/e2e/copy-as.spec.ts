// Copying to the clipboard, and a plan of a copied file. Each menu: ../src/testing/copyMenus.test.tsx.

import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

test('copies a toggle and the request that updates it', { tag: '@embedded' }, async ({ page, ui, flags, flagdeck }) => {
  const description = `Ada's "$HOME" \`id\` \\ %20 !! $(id) ''; #`;
  await flags.create({ name: 'shop.basket', description });
  await ui.activation.open('shop.basket');
  await ui.copyAs('shop.basket', 'JSON');
  await expect.poll(() => clipboard(page)).toContain('"name": "shop.basket"');
  await ui.copyAs('shop.basket', 'YAML');
  await expect.poll(() => clipboard(page)).toContain('version: 1\ntoggles:\n  shop.basket:\n');
  const file = await clipboard(page);
  await ui.copyAs('shop.basket', 'curl (update)');
  await expect.poll(() => clipboard(page)).toContain(`curl -X PUT '${flagdeck.url}api/admin/features/shop.basket'`);
  const command = await clipboard(page);
  // A shell must pass on the description unchanged.
  const script = `curl() { for last; do :; done; printf %s "$last"; }\n${command}`;
  expect(JSON.parse(execFileSync('sh', ['-c', script], { encoding: 'utf8' }))).toMatchObject({ description });
  expect(command).not.toMatch(/cookie|authorization/i);

  // A plan of the copied file is empty.
  await page.goto('plans');
  await ui.main.getByLabel('Or paste the text').fill(file);
  await ui.main.getByRole('button', { name: 'Review' }).click();
  await expect(ui.main.getByRole('heading', { name: 'Nothing to do' })).toBeVisible();
});
