// Scenes of the frame: palette, shortcuts, menus and navigation.

import { expect } from '@playwright/test';
import type { ReplicaSummary } from '../../src/api/generated/types';
import { removeCopies, replicaButton } from '../support/replicaPanel';
import { NOW } from './fixedTime';
import type { Scene } from './scene';

const REPLICA: ReplicaSummary = {
  copies: 2,
  instances: 240,
  hasMoreInstances: false,
  confirmedAt: new Date(NOW).toISOString(),
  age: 0,
  failingSince: null,
  fault: null,
};

const PROBLEMS = [
  ['account.passkeys', 'The change request 17 must be approved first'],
  ['account.support-tools', 'This toggle is locked'],
  [
    'checkout.one-page',
    'The project checkout accepts changes only from its members: ask its owner, or see https://flags.example.com/projects/checkout/members-and-permissions',
  ],
] as const;

export const frame: readonly Scene[] = [
  {
    name: 'palette',
    title: 'Command palette',
    path: 'features',
    act: async ({ page, ui }) => {
      await page.keyboard.press('Control+k');
      await ui.dialog.getByRole('combobox').fill('disable checkout');
      await expect(page.getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'palette-set',
    title: 'Command palette: a rollout and its impact',
    path: 'features',
    act: async ({ page, ui }) => {
      await page.keyboard.press('Control+k');
      await ui.dialog.getByRole('combobox').fill('set checkout 25');
      await expect(ui.dialog.getByRole('region', { name: 'Impact' })).toContainText('checks per hour');
    },
  },
  {
    name: 'shortcuts',
    title: 'Keyboard shortcuts',
    path: 'features',
    act: async ({ page, ui }) => {
      await page.keyboard.press('?');
      await expect(ui.dialog).toBeVisible();
    },
  },
  {
    name: 'problems',
    title: 'Problems and messages',
    path: 'features',
    act: async ({ page, ui }) => {
      for (const [toggle, message] of PROBLEMS) {
        await page.route(`**/${toggle}/toggle/off`, (route) => route.fulfill({ status: 409, json: { message } }));
        await ui.switchOf(toggle).click();
        await expect(ui.snackbar).toContainText(message);
        await ui.snackbar.getByRole('button', { name: 'Dismiss' }).click();
      }
      await ui.footer.getByRole('button', { name: /^Problems/ }).click();
      await expect(ui.footer.getByRole('listitem').filter({ hasText: 'Error' })).toHaveCount(PROBLEMS.length);
    },
  },
  {
    name: 'user-menu',
    title: 'Menu of the user',
    path: 'features',
    act: async ({ page }) => {
      await page.getByRole('banner').getByRole('button', { name: 'operator' }).click();
      await expect(page.getByLabel('Theme')).toBeVisible();
    },
  },
  {
    name: 'navigation',
    title: 'Navigation of narrow windows',
    path: 'features',
    act: async ({ page, ui }) => {
      const open = page.getByRole('button', { name: 'Open menu' });
      if (!(await open.isVisible())) return;
      await open.click();
      await expect(ui.menu).toBeVisible();
    },
  },
  {
    name: 'replica',
    title: 'Toggles for SDKs',
    path: 'tags',
    server: 'replica',
    act: async ({ page, ui }) => {
      await page.route('**/-/replica', (route) => route.fulfill({ json: REPLICA }));
      await page.reload();
      await replicaButton(ui).click();
      await expect(removeCopies(ui)).toBeVisible();
    },
  },
];
