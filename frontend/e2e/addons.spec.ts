// Addons: the list, configuring, editing, enabling and removing.

import type { Locator } from '@playwright/test';
import type { Addon, AddonProvider } from '../src/api/generated/types';
import { expect, test } from './support/fixtures';
import type { Flags } from './support/flags';
import { startReceiver } from './support/receiver';
import type { Ui } from './support/ui';
import { hasEnvironments } from './support/versions';

const HOOK = {
  provider: 'webhook',
  enabled: true,
  description: 'Tells the audit log',
  // No server listens on this port.
  parameters: { url: 'http://127.0.0.1:9/hook', contentType: 'text/plain' },
  events: ['feature-created', 'feature-updated'],
};

async function addonsOf(flags: Flags): Promise<Addon[]> {
  return (await flags.get<{ addons: Addon[] }>('admin/addons')).addons;
}

/** The row of the only webhook, with any id. */
function hookRow(ui: Ui): Locator {
  return ui.main.getByRole('row').filter({ hasText: /Webhook \d/ });
}

test('lists configured and available addons [S2-025] [S2-101] [S2-102] [S2-103] [S3-028] [S7-057]', {
  tag: ['@addons', '@reach'],
}, async ({ page, ui, flags, backend }) => {
  await page.goto('features');
  await ui.menu.getByRole('link', { name: 'Addons' }).click();
  await expect(page).toHaveURL(/\/addons$/);
  await expect(page).toHaveTitle('Addons - Flagdeck');
  await expect(page.getByRole('heading', { name: 'Configured addons', exact: true })).toBeVisible();
  await expect(ui.main).toContainText('No configured addons');
  const available = ui.main.getByRole('list', { name: 'Available addons' });
  const { providers } = await flags.get<{ providers: AddonProvider[] }>('admin/addons');
  const names = providers.map(({ name }) => name);
  // The real server has fewer providers.
  expect(names).toEqual(
    expect.arrayContaining(backend === 'embedded' ? ['webhook', 'slack', 'jira-comment'] : ['webhook']),
  );
  await expect(available.getByRole('listitem')).toHaveCount(names.length);
  for (const { name, displayName } of providers) {
    const card = available
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: displayName, exact: true }) });
    await expect(card.locator(`[data-provider="${name}"] svg`)).toBeVisible();
    // Each provider has its own icon, not the icon for unknown providers.
    await expect(card.locator('.lucide-plug')).toHaveCount(0);
    const configure = card.getByRole('link', { name: 'Configure' });
    await expect(configure).toHaveAttribute('href', new RegExp(`/addons/create/${name}$`));
    await expect(card.getByRole('link', { name: 'Documentation' })).toHaveAttribute('href', /^https:/);
  }
  const icons = await available.locator('[data-provider] svg').evaluateAll((all) => all.map((svg) => svg.innerHTML));
  expect(new Set(icons).size, 'distinct icons').toBe(names.length);
  await flags.post('admin/addons', { ...HOOK, enabled: false });
  await page.reload();
  await expect(hookRow(ui)).toContainText('Tells the audit log');
  await expect(hookRow(ui)).toContainText('Disabled');
  await expect(hookRow(ui)).toContainText('2 events');
  await expect(hookRow(ui).locator('[data-provider="webhook"]')).toBeVisible();
});

test('configures a provider: initially enabled, without events and parameters [S2-026] [S2-104] [S2-105] [S2-106] [S4-016] [S5-032] [S5-033] [S7-058] [S3-027] [S3-029]', {
  tag: '@addons',
}, async ({ page, ui, flags }) => {
  await page.goto('addons');
  await ui.main.getByRole('link', { name: 'Configure Webhook' }).click();
  await expect(page).toHaveURL(/\/addons\/create\/webhook$/);
  await expect(page).toHaveTitle('Configure webhook - Addons - Flagdeck');
  await expect(page.getByLabel('Provider')).toHaveValue('Webhook');
  await expect(page.getByLabel('Provider')).not.toBeEditable();
  await expect(ui.main.getByRole('switch', { name: 'Enabled' })).toBeChecked();
  await expect(ui.main.getByRole('checkbox', { checked: true })).toHaveCount(0);
  const url = page.getByLabel('Webhook URL');
  await expect(url).toHaveValue('');
  await expect(url).toHaveAttribute('type', 'password');
  expect(await page.getByLabel('Body template').evaluate(({ tagName }) => tagName)).toBe('TEXTAREA');

  await page.getByRole('button', { name: 'Create' }).click();
  await expect(ui.main).toContainText('You must listen to at least one event');
  await expect(url).toHaveAccessibleDescription(/This field is required/);
  expect(await addonsOf(flags)).toEqual([]);

  await page.getByLabel('Description').fill(' Tells the audit log ');
  await url.fill(' http://127.0.0.1:9/hook ');
  await page.getByLabel('Content-Type').fill('text/plain');
  await page.getByRole('button', { name: 'Select all' }).click();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(ui.main.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await ui.main.getByRole('checkbox', { name: 'Toggle created' }).check();
  await ui.main.getByRole('checkbox', { name: 'Toggle updated' }).check();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/\/addons$/);
  await expect(hookRow(ui)).toContainText('Tells the audit log');
  const [{ id: _id, ...stored } = {}] = await addonsOf(flags);
  expect(stored).toEqual({ ...HOOK, parameters: { url: '*****', contentType: 'text/plain' } });
});

test('edits an addon and keeps a masked secret [S2-027] [S5-035] [S9-018] [S2-106] [S7-059]', {
  tag: '@addons',
}, async ({ page, ui, flags, version }) => {
  await flags.post('admin/addons', HOOK);
  await page.goto('addons');
  await hookRow(ui)
    .getByRole('link', { name: /^Edit Webhook/ })
    .click();
  await expect(page).toHaveURL(/\/addons\/edit\/\d+$/);
  const url = page.getByLabel('Webhook URL');
  await expect(url).toHaveValue('*****');
  await expect(ui.main.getByRole('checkbox', { checked: true })).toHaveCount(2);
  await page.getByLabel('Description').fill('Tells everybody');
  await page.getByLabel('Content-Type').fill('');
  await ui.main.getByRole('checkbox', { name: 'Toggle updated' }).uncheck();
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await page.getByRole('button', { name: 'Save' }).click();
  const { createdAt: _, ...body } = (await sent).postDataJSON();
  expect(body).toEqual({
    ...HOOK,
    // Limits of the addon, which only newer servers store. An edit keeps them.
    ...(hasEnvironments(version) && { projects: [], environments: [] }),
    description: 'Tells everybody',
    parameters: { url: '*****' },
    events: ['feature-created'],
  });
  await expect(page).toHaveURL(/\/addons$/);
  await expect(hookRow(ui)).toContainText('Tells everybody');
  expect((await addonsOf(flags))[0]?.parameters).toEqual({ url: '*****' });
});

test('after an edit with a masked secret, events are still delivered to the stored URL [S5-035]', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  const receiver = await startReceiver();
  await flags.post('admin/addons', { ...HOOK, parameters: { url: `${receiver.url}/hook` } });
  const [addon] = await addonsOf(flags);
  await page.goto(`addons/edit/${addon?.id}`);
  await expect(page.getByLabel('Webhook URL')).toHaveValue('*****');
  await page.getByLabel('Description').fill('Tells everybody');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(hookRow(ui)).toContainText('Tells everybody');
  await flags.create({ name: 'shop.basket' });
  expect(JSON.parse(await receiver.next())).toMatchObject({ type: 'feature-created', data: { name: 'shop.basket' } });
  await receiver.stop();
});

test('typing over the mask replaces a secret', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.post('admin/addons', HOOK);
  await page.goto('addons');
  await hookRow(ui)
    .getByRole('link', { name: /^Edit Webhook/ })
    .click();
  const url = page.getByLabel('Webhook URL');
  await url.focus();
  await page.keyboard.press('End');
  await page.keyboard.type('http://127.0.0.1:9/other');
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await page.getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON().parameters.url).toBe('http://127.0.0.1:9/other');
  await expect(page).toHaveURL(/\/addons$/);
});

test('the icon disables and enables an addon, with undo [S2-101] [S4-015]', { tag: ['@addons', '@reach'] }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.post('admin/addons', HOOK);
  await page.goto('addons');
  const disable = hookRow(ui).getByRole('button', { name: /^Disable Webhook/ });
  const enable = hookRow(ui).getByRole('button', { name: /^Enable Webhook/ });
  await disable.click();
  await expect(enable).toBeVisible();
  await expect(hookRow(ui)).toContainText('Disabled');
  const stored = { ...HOOK, parameters: { ...HOOK.parameters, url: '*****' } };
  expect(await addonsOf(flags)).toMatchObject([{ ...stored, enabled: false }]);
  await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
  await expect(disable).toBeVisible();
  expect(await addonsOf(flags)).toMatchObject([stored]);
  await disable.click();
  await enable.click();
  await expect(hookRow(ui)).not.toContainText('Disabled');
});

test('removes an addon after confirmation [S8-043] [S7-059]', { tag: '@addons' }, async ({ page, ui, flags }) => {
  await flags.post('admin/addons', HOOK);
  await page.goto('addons');
  const remove = hookRow(ui).getByRole('button', { name: /^Remove Webhook/ });
  await remove.click();
  await expect(ui.dialog).toContainText('Are you sure you want to remove this addon?');
  await expect(ui.dialog).toContainText('Tells the audit log');
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await remove.click();
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.main).toContainText('No configured addons');
  expect(await addonsOf(flags)).toEqual([]);
});

test('the page of an addon shows the results of its deliveries', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  const receiver = await startReceiver();
  await flags.post('admin/addons', { ...HOOK, parameters: { url: `${receiver.url}/hook` } });
  await flags.create({ name: 'shop.basket' });
  expect(await receiver.next()).toContain('shop.basket');
  const [addon] = await addonsOf(flags);
  await expect
    .poll(async () => (await flags.get<{ events: { type: string }[] }>('admin/events')).events.map(({ type }) => type))
    .toContain('addon-delivered');
  await page.goto(`addons/edit/${addon?.id}`);
  const deliveries = ui.main.getByRole('region', { name: 'Latest deliveries' });
  await expect(deliveries).toContainText('Toggle created delivered');
  await expect(deliveries).toContainText('HTTP 200');
  await deliveries.getByRole('link', { name: 'Toggle created delivered' }).click();
  await expect(page).toHaveURL(/\/history\?event=\d+$/);
  await receiver.stop();
});
