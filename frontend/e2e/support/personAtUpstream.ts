// Sign-in at a provider in front of a real flag service with its sign-in by email address (`upstream-sign-in = demo`).

import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { type Site, setGroups, signInAtProvider } from './provider';
import { Ui } from './ui';

export const NAME = 'shop.basket';
export const SETTINGS = [
  ...['--upstream-sign-in', 'demo', '--oidc-allow', 'staff'],
  ...['--oidc-grant', 'staff=UPDATE_FEATURE', '--oidc-grant', 'admins=ADMIN'],
];

/** Signs in at the flag service itself, under another name than the person of the test. */
export async function signInDirectly(request: APIRequestContext, url: string): Promise<void> {
  const response = await request.post(url, { data: { email: 'setup@example.com' } });
  expect(response.status(), 'signing in at the real server').toBe(200);
}

/** A person switches the toggle `NAME`, which is off. The flag service records the person; `events` is its history. */
export async function expectPersonInHistory(page: Page, site: Site, request: APIRequestContext, events: string) {
  const { flagdeck, provider } = site;
  const ui = new Ui(page);
  await page.goto(`${flagdeck.url}features`);
  const link = page
    .getByRole('dialog', { name: 'Action Required' })
    .getByRole('link', { name: 'Sign in with Example' });
  await link.click();
  await signInAtProvider(page, 'anna');
  await expect(page.getByRole('button', { name: 'anna Example' })).toBeVisible();

  await ui.switchOf(NAME).click();
  await expect(ui.switchOf(NAME)).toBeChecked();
  const history: { events: { createdBy: string }[] } = await (await request.get(events)).json();
  expect(history.events.map(({ createdBy }) => createdBy).slice(0, 2)).toEqual([
    'anna@example.com',
    'setup@example.com',
  ]);
  // The browser has no session of the flag service.
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name }) => name).filter((name) => name.startsWith('unleash'))).toEqual([]);

  // The grants do not allow a new toggle, in the console and over HTTP.
  await expect(page.getByRole('link', { name: 'New toggle' })).toHaveCount(0);
  const created = await page.request.post(`${flagdeck.url}api/admin/features`, { data: { name: 'another' } });
  expect(created.status()).toBe(403);
  expect(await created.json()).toMatchObject({ permission: 'CREATE_FEATURE', groups: ['admins'] });

  // After a restart the session continues. A sign-out ends it, and a changed group takes effect with the next one.
  await flagdeck.restart();
  await page.reload();
  await ui.switchOf(NAME).click();
  await expect(ui.switchOf(NAME)).not.toBeChecked();
  await page.goto(`${flagdeck.url}logout`);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(link).toBeVisible();
  await setGroups(provider, 'staff admins');
  await link.click();
  await signInAtProvider(page, 'bert');
  await expect(page.getByRole('button', { name: 'bert Example' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'New toggle' }).first()).toBeVisible();
}
