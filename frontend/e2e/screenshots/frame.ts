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
};

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
    name: 'shortcuts',
    title: 'Keyboard shortcuts',
    path: 'features',
    act: async ({ page, ui }) => {
      await page.keyboard.press('?');
      await expect(ui.dialog).toBeVisible();
    },
  },
  {
    name: 'theme-menu',
    title: 'Theme menu',
    path: 'features',
    // Phones have this selection in the navigation.
    act: async ({ page, isPhone }) => {
      if (!isPhone) await page.getByRole('banner').getByRole('button', { name: 'Theme' }).click();
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
