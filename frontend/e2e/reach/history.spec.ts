// The history of servers with environments, which log each changed part of a toggle.

import type { Locator } from '@playwright/test';
import { entries, expandEntry } from '../support/events';
import { EMAIL } from '../support/fixtures';
import { expect, test } from './api';

const ROLLOUT = { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'default', groupId: 'g' } };

function containing(list: Locator, text: string): Locator {
  return list.filter({ hasText: text });
}

test.beforeEach(async ({ flags }) => {
  await flags.create({ name: 'shop.basket', description: 'Small' }, { name: 'shop.gone' });
  await flags.update('shop.basket', { description: 'Large', strategies: [ROLLOUT] });
  await flags.archive('shop.gone');
});

test('the history describes each change, its author and its differences', { tag: '@smoke' }, async ({ page, ui }) => {
  await page.goto('history');
  await expect(ui.main.getByRole('heading', { level: 2 })).toHaveText('Today');
  await expect(containing(entries(ui), 'created shop.')).toHaveCount(2);
  await expect(containing(entries(ui), 'archived shop.gone')).toHaveCount(1);
  await expect(containing(entries(ui), 'added flexibleRollout: 25 % of users')).toHaveCount(1);
  await expect(containing(entries(ui), 'removed default')).toHaveCount(1);
  const change = containing(entries(ui), 'description');
  await expect(change).toHaveCount(1);
  await expect(change).toContainText(EMAIL);
  await expect(change.getByRole('link', { name: 'shop.basket' })).toBeVisible();
  await expandEntry(change);
  await expect(change).toContainText(/before: Small → after: Large/);
});

test('the log of a toggle contains only its changes', async ({ page, ui }) => {
  await page.goto('features/history/shop.basket');
  await expect(entries(ui).last()).toContainText('created the toggle');
  await expect(containing(entries(ui), 'description')).toHaveCount(1);
  await expect(containing(entries(ui), 'archived the toggle')).toHaveCount(0);
  await page.goto('history/shop.basket');
  await expect(ui.main.getByRole('heading', { level: 1 })).toHaveText('shop.basket');
  await expect(containing(entries(ui), 'archived')).toHaveCount(0);
  await ui.menu.getByRole('link', { name: 'Event history' }).click();
  await expect(containing(entries(ui), 'archived shop.gone')).toHaveCount(1);
});
