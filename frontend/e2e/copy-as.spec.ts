// Copying as JSON, YAML and curl.

import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { chooseForEntry, entries } from './support/events';
import { expect, stubTest, test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

test('copies the filtered list', { tag: '@embedded' }, async ({ page, ui, flags, flagdeck }) => {
  await flags.create({ name: 'shop.basket' }, { name: 'shop.cards' }, { name: 'mobile' });
  await page.goto('features?filter=shop');
  await ui.expectNames('shop.basket', 'shop.cards');
  await ui.copyAs('the list', 'JSON');
  await expect(ui.snackbar).toContainText('Copied');
  expect(JSON.parse(await clipboard(page))).toMatchObject([{ name: 'shop.basket' }, { name: 'shop.cards' }]);
  await ui.copyAs('the list', 'YAML');
  await expect
    .poll(() => clipboard(page))
    .toMatch(/^version: 1\ntoggles:\n {2}shop\.basket:\n(.*\n)* {2}shop\.cards:\n/);
  await ui.copyAs('the list', 'curl');
  await expect.poll(() => clipboard(page)).toContain(`curl '${flagdeck.url}api/admin/features'`);
});

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

test('copies a toggle from its row', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', description: 'Large' });
  await page.goto('features');
  await ui.openRowMenu('shop.basket');
  // The entries are named; no row has a button for copying alone.
  await expect(page.getByRole('menuitem').filter({ hasText: 'Copy as' })).toHaveText([
    'Copy as JSON',
    'Copy as YAML',
    'Copy as curl (read)',
    'Copy as curl (update)',
  ]);
  await expect(page.getByRole('button', { name: /copy/i })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Copy as JSON' }).click();
  await expect(ui.snackbar).toContainText('Copied.');
  expect(await clipboard(page)).toContain('"enabled": true');
});

test('copies one event and the filtered events', { tag: '@embedded' }, async ({ page, ui, flags, flagdeck }) => {
  await flags.create({ name: 'shop.basket', description: 'Small' });
  await flags.update('shop.basket', { description: 'Large' });
  await page.goto('history');
  await expect(entries(ui)).toHaveCount(2);
  await chooseForEntry(entries(ui).first(), 'Copy as JSON');
  await expect.poll(() => clipboard(page)).toContain('"type": "feature-updated"');
  await chooseForEntry(entries(ui).first(), 'Copy as curl');
  await expect.poll(() => clipboard(page)).toContain(`'${flagdeck.url}api/admin/events/shop.basket'`);
  await ui.copyAs('the events', 'JSON');
  await expect.poll(() => clipboard(page)).toMatch(/^\[/);
  expect(JSON.parse(await clipboard(page))).toHaveLength(2);
});

const lists = [
  ['archive', 'archive/features'],
  ['strategies', 'strategies'],
  ['applications', 'metrics/applications'],
  ['context', 'context'],
  ['projects', 'projects'],
  ['tag-types', 'tag-types'],
  ['tags', 'tags'],
  ['addons', 'addons'],
] as const;

test('copies each list as a request and as JSON, without secrets', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
  flagdeck,
}) => {
  test.slow();
  await flags.create({ name: 'gone' }, { name: 'shop.basket' });
  await flags.archive('gone');
  await flags.report({ 'shop.basket': { yes: 1, no: 0 } });
  await flags.post('admin/tags', { type: 'simple', value: 'two words' });
  await flags.post('admin/addons', {
    provider: 'webhook',
    enabled: true,
    parameters: { url: 'https://hooks.example.com/secret' },
    events: ['feature-created'],
  });
  await expect.poll(() => flags.get('admin/metrics/applications')).toMatchObject({ applications: [{}] });
  for (const [path, api] of lists) {
    await page.goto(path);
    await ui.copyAs('the list', 'curl');
    await expect.poll(() => clipboard(page), path).toContain(`curl '${flagdeck.url}api/admin/${api}'`);
    await ui.copyAs('the list', 'JSON');
    await expect.poll(() => clipboard(page), path).toMatch(/^\[/);
    expect(JSON.parse(await clipboard(page)), path).not.toHaveLength(0);
    expect(await clipboard(page), path).not.toContain('hooks.example.com');
  }
});

test('reports that the browser refuses to copy', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
    document.execCommand = () => false;
  });
  await ui.activation.open('shop.basket');
  await ui.copyAs('shop.basket', 'JSON');
  await expect(ui.snackbar).toContainText('Could not copy');
});

stubTest(
  'a message without an action starts to fade after 2750 ms and is removed 250 ms later [S9-025] [S8-011]',
  { tag: '@stub' },
  async ({ page, ui, stub, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
    await page.clock.install({ time: '2026-03-01T12:00:00Z' });
    await page.goto('features/strategies/shop.basket');
    await expect(page.getByRole('button', { name: 'Actions for shop.basket' })).toBeVisible();
    await page.clock.pauseAt('2026-03-01T12:01:00Z');
    await ui.copyAs('shop.basket', 'JSON');
    await expect(ui.snackbar).toContainText('Copied');
    await page.mouse.move(0, 0);
    await page.clock.runFor(2_740);
    await expect(ui.snackbar).not.toHaveClass(/opacity-0 duration-250/);
    await page.clock.runFor(20);
    await expect(ui.snackbar).toHaveClass(/opacity-0 duration-250/);
    await page.clock.runFor(220);
    await expect(ui.snackbar).toHaveCount(1);
    await page.clock.runFor(40);
    await expect(ui.snackbar).toHaveCount(0);
  },
);
