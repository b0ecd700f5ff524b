// The page that reviews and applies plans and files with toggles. Failures and refusals:
// ../src/features/plans/plansPage.test.tsx.

import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { axeViolations, LOOKS, unreachableElements } from './support/accessibility';
import { BINARY } from './support/binary';
import { expect, test } from './support/fixtures';
import type { Ui } from './support/ui';

const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'userId', groupId: 'g' },
});

const strategy = (percent: string) =>
  `    strategies:\n      - name: flexibleRollout\n        parameters: { rollout: "${percent}", stickiness: userId, groupId: g }\n`;
const FILE = `version: 1
toggles:
  shop.basket:
    description: The basket
${strategy('50')}  shop.cards:
    enabled: false
  shop.new:
    enabled: true
${strategy('10')}`;

const yaml = (text: string) => ({ name: 'shop.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) });

async function openFile(page: Page, ui: Ui, text = FILE): Promise<void> {
  await page.goto('plans');
  await ui.main.getByLabel('Plan or files').setInputFiles(yaml(text));
}

const change = (ui: Ui, name: string): Locator => ui.main.getByRole('listitem', { name, exact: true });
const button = (ui: Ui, name: string | RegExp): Locator => ui.main.getByRole('button', { name });

test('reviews files with toggles, and applies them as the user', async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [rollout('25')] }, { name: 'shop.cards' }, { name: 'other' });
  await openFile(page, ui);
  await expect(ui.main.getByText('3 changes, 2 of which may widen who gets the feature')).toBeVisible();
  await expect(change(ui, 'shop.basket')).toContainText('Widens who gets the feature');
  await expect(change(ui, 'shop.basket')).toContainText('rollout 25 → 50 %');
  await expect(change(ui, 'shop.basket')).toContainText('description set to “The basket”');
  await expect(change(ui, 'shop.cards')).toContainText('Narrows who gets the feature');
  await expect(change(ui, 'shop.cards')).toContainText('switched off');
  await expect(change(ui, 'shop.new')).toContainText('added: 10 % of users');
  expect((await flags.find('shop.cards'))?.enabled).toBe(true);

  await button(ui, 'Apply 3 changes').click();
  await expect(ui.main.getByText('3 of 3 changes applied.')).toBeVisible();
  await expect(ui.main.getByText('Applied', { exact: true })).toHaveCount(3);
  // The words of the review stay.
  await expect(change(ui, 'shop.basket')).toContainText('rollout 25 → 50 %');
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'The basket', strategies: [rollout('50')] });
  expect((await flags.find('shop.cards'))?.enabled).toBe(false);
  expect(await flags.find('shop.new')).toMatchObject({ enabled: true, strategies: [rollout('10')] });

  // The same files again.
  await button(ui, 'Close').click();
  await ui.main.getByLabel('Plan or files').setInputFiles(yaml(FILE));
  await expect(ui.main.getByRole('heading', { name: 'Nothing to do' })).toBeVisible();
});

test('marks toggles as managed by files, and asks once before an edit of one', { tag: '@reach' }, async ({
  page,
  ui,
  flags,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await flags.create({ name: 'shop.basket', enabled: false }, { name: 'other' });
  await openFile(page, ui, 'version: 1\nmanagedBy: acme/flags\ntoggles:\n  shop.basket: {}\n');
  await expect(change(ui, 'shop.basket')).toContainText('managed by acme/flags');
  await button(ui, 'Apply 1 change').click();
  await expect(ui.main.getByText('1 of 1 change applied.')).toBeVisible();
  expect(await flags.tagsOf('shop.basket')).toEqual(['managed-by:acme/flags']);

  await page.goto('features');
  await expect(ui.row('shop.basket')).toContainText('Managed by acme/flags');
  await expect(ui.row('other')).not.toContainText('Managed by');
  const dialog = page.getByRole('dialog', { name: 'Edit shop.basket' });
  await ui.switchOf('shop.basket').click();
  await expect(dialog).toContainText('This toggle is managed by files (acme/flags).');
  await dialog.getByRole('button', { name: 'Copy the changed toggle as YAML' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('enabled: true');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(ui.switchOf('shop.basket')).not.toBeChecked();
  await ui.switchOf('shop.basket').click();
  await dialog.getByRole('button', { name: 'Edit anyway' }).click();
  await expect(ui.switchOf('shop.basket')).toBeChecked();

  // The page of the toggle explains the mark, and edits there need no second confirmation.
  await ui.row('shop.basket').getByRole('link', { name: 'shop.basket', exact: true }).click();
  await ui.main.getByRole('button', { name: 'Managed by acme/flags' }).press('Enter');
  await expect(ui.main.getByRole('group', { name: 'Managed by acme/flags' })).toContainText(
    'The next apply undoes edits',
  );
  await page.keyboard.press('Escape');
  await ui.main.getByRole('switch').first().click();
  await expect.poll(async () => (await flags.find('shop.basket'))?.enabled).toBe(false);
});

test('applies a plan of the command line, except toggles that have changed since', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
  flagdeck,
}) => {
  await flags.create({ name: 'shop.basket', strategies: [rollout('25')] }, { name: 'shop.cards' });
  const folder = mkdtempSync(join(tmpdir(), 'flagdeck-plan-'));
  writeFileSync(join(folder, 'shop.yaml'), FILE);
  const plan = join(folder, 'plan.json');
  // Exit code 2: changes.
  const run = promisify(execFile)(BINARY, ['plan', join(folder, 'shop.yaml'), '--to', flagdeck.url, '-o', plan]);
  await expect(run).rejects.toMatchObject({ code: 2 });
  await flags.update('shop.cards', { description: 'edited' });

  await page.goto('plans');
  const data = await page.evaluateHandle(
    (text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'plan.json'));
      return transfer;
    },
    await readFile(plan, 'utf8'),
  );
  await ui.main.getByText('Nothing changes before you apply.').dispatchEvent('drop', { dataTransfer: data });
  await expect(change(ui, 'shop.cards')).toContainText('It has changed since the plan was made, last by operator');
  await expect(ui.main.getByText(`Applying it changes ${new URL(flagdeck.url).host}.`)).toBeVisible();
  const apply = button(ui, 'Apply 2 changes');
  await expect(apply).toHaveAccessibleDescription(/^Toggles have changed since the plan was made/);
  await ui.main.getByLabel('Apply only the other 2 changes').check();
  await apply.click();
  await expect(ui.main.getByText('2 of 3 changes applied, 1 outdated.')).toBeVisible();
  expect(await flags.find('shop.cards')).toMatchObject({ enabled: true, description: 'edited' });
  expect((await flags.find('shop.basket'))?.strategies).toEqual([rollout('50')]);
});

test('changes tags, revives toggles, and archives those that the files managed', async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [rollout('25')] }, { name: 'shop.gone' }, { name: 'shop.old' });
  await flags.create({ name: 'shop.other' });
  await flags.archive('shop.gone');
  await flags.post('admin/tag-types', { name: 'managed-by', description: '', icon: '' });
  await flags.post('admin/features/shop.old/tags', { type: 'managed-by', value: 'acme/flags' });
  const file =
    'version: 1\nmanagedBy: acme/flags\ntoggles:\n  shop.basket:\n    tags: [{ type: team, value: pay }]\n' +
    '  shop.gone:\n    description: again\n    tags: [{ type: simple, value: shop }]\n';
  await page.goto('plans');
  await ui.main.getByLabel('Archive toggles that the files name no more').check();
  await ui.main.getByLabel('Plan or files').setInputFiles(yaml(file));
  await expect(ui.main.getByText(/, 1 of which archives a toggle that the files name no more$/)).toBeVisible();
  await expect(ui.main.getByText('Applying it also creates the tag type team.')).toBeVisible();
  await expect(change(ui, 'shop.basket')).toContainText('tags: + team: pay');
  await expect(change(ui, 'shop.gone')).toContainText('Revive');
  await expect(change(ui, 'shop.old')).toContainText('Archive');
  await button(ui, 'Apply 3 changes').click();
  await expect(ui.dialog).toContainText('Archive 1 toggle');
  await expect(ui.dialog.getByRole('region', { name: 'Toggles to archive' })).toContainText('shop.old');
  expect(await axeViolations(page)).toEqual([]);
  await ui.dialog.getByRole('button', { name: 'Apply 3 changes' }).click();
  await expect(ui.main.getByText('3 of 3 changes applied.')).toBeVisible();
  expect(await flags.find('shop.old')).toBeUndefined();
  expect(await flags.findArchived('shop.old')).toBeDefined();
  expect(await flags.find('shop.other')).toBeDefined();
  expect((await flags.find('shop.gone'))?.description).toBe('again');
  expect(await flags.tagsOf('shop.basket')).toEqual(['managed-by:acme/flags', 'team:pay']);
  expect(await flags.tagsOf('shop.gone')).toEqual(['managed-by:acme/flags', 'simple:shop']);
  // The option counted for that file only.
  await button(ui, 'Close').click();
  await expect(ui.main.getByLabel('Archive toggles that the files name no more')).not.toBeChecked();
});

for (const { colorScheme, width, tag } of LOOKS) {
  test(`lists all problems of files with their places, ${colorScheme} at ${width} px`, {
    tag: ['@embedded', ...tag],
  }, async ({ page, ui }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const file =
      'version: 1\ntoggles:\n  shop.pay:\n    project: shop\n    strategies:\n' +
      '      - { name: default, constraints: [{ contextName: userId, operator: NUM_GT, value: ten }] }\n' +
      '      - { name: beta-group }\n  shop cart: {}\n';
    await openFile(page, ui, file);
    const problems = ui.main.getByRole('region', { name: '3 problems' }).getByRole('listitem');
    await expect(problems).toHaveText([
      /^shop\.yaml, line 4, column 14Toggle shop\.pay: the project shop does not exist on .*; files do not/,
      /^shop\.yaml, line 6, column 88Toggle shop\.pay, strategy 1 \(default\), constraint 1 on userId: .* refuses it: "value" must be a number/,
      /^shop\.yaml, line 8, column 3Toggle shop cart: .* refuses it: "name" must be URL friendly; use only letters/,
    ]);
    await expect(ui.main.getByRole('region', { name: '1 warning' })).toContainText(
      /line 7, column 17Toggle shop\.pay, strategy 2 \(beta-group\): the strategy beta-group does not exist on .*; it is never on unless/,
    );
    expect(await axeViolations(page)).toEqual([]);
    expect(await unreachableElements(page)).toEqual([]);
    // The same files after the correction.
    const corrected = file
      .replace('shop cart', 'shop.cart')
      .replace('project: shop', 'project: default')
      .replace('ten', '"10"');
    await ui.main.getByLabel('Plan or files').setInputFiles(yaml(corrected));
    await expect(button(ui, 'Apply 2 changes')).toBeVisible();
    await expect(ui.main.getByRole('region', { name: '1 warning' })).toBeVisible();
  });
}

test.describe('with confirmations', { tag: '@embedded' }, () => {
  test.use({ settings: ['--confirm-writes', '--env-label', 'production'] });

  for (const { colorScheme, width, tag } of LOOKS) {
    test(`asks before a plan is applied, ${colorScheme} at ${width} px`, { tag }, async ({ page, ui, flags }) => {
      await flags.create({ name: 'shop.basket', strategies: [rollout('25')] }, { name: 'shop.cards' });
      await flags.report({ 'shop.basket': { yes: 2500, no: 7500 } });
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.goto('plans');
      await expect(ui.main.getByLabel('Plan or files')).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
      await ui.main.getByLabel('Plan or files').setInputFiles(yaml(FILE));
      await expect(change(ui, 'shop.basket')).toContainText('checks per hour');
      expect(await axeViolations(page)).toEqual([]);
      expect(await unreachableElements(page)).toEqual([]);
      await button(ui, 'Apply 3 changes').click();
      await expect(ui.dialog).toContainText('Apply 3 changes in production');
      await expect(ui.dialog).toContainText('2 changes of 3 may widen who gets the feature.');
      await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(ui.dialog).toBeHidden();
      expect(await flags.find('shop.new')).toBeUndefined();
      await button(ui, 'Apply 3 changes').click();
      await ui.dialog.getByRole('button', { name: 'Apply' }).click();
      await expect(ui.main.getByText('3 of 3 changes applied.')).toBeVisible();
    });
  }
});
