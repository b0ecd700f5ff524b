// Scenes of the panel that evaluates a toggle.

import { expect } from '@playwright/test';
import { Lab } from '../support/lab';
import { ACTIVATION, type Scene, type Shown } from './scene';

const USERS = Array.from({ length: 200 }, (_, index) => `${4000 + index},production`);
const CSV = ['userId,environment', ...USERS].join('\n');

export const lab: readonly Scene[] = [
  {
    name: 'toggle-lab',
    title: 'Toggle: result for one context',
    path: `${ACTIVATION}#userId=4711`,
    act: async ({ page }) => expect(new Lab(page).result).toContainText('Result'),
  },
  {
    name: 'toggle-lab-edited',
    title: 'Toggle: results before and after unsaved changes',
    path: `${ACTIVATION}#userId=4711&environment=production`,
    act: async ({ page, ui }) => {
      await ui.activation.editAll();
      await ui.activation.rolloutField('flexibleRollout').fill('80');
      await expect(new Lab(page).side('Unsaved')).toBeVisible();
    },
  },
  {
    name: 'toggle-lab-dialog',
    title: 'Toggle: population',
    path: ACTIVATION,
    act: async ({ page }) => {
      const panel = new Lab(page);
      await panel.openDialog();
    },
  },
  {
    name: 'toggle-lab-users',
    title: 'Toggle: results of several users',
    path: ACTIVATION,
    act: async ({ page }) => {
      const panel = new Lab(page);
      await panel.paste('userId,environment\n7,production\n4711,production', 'CSV');
      await expect(panel.panel.getByRole('list', { name: 'Results of the users' })).toBeVisible();
    },
  },
  {
    name: 'toggle-lab-population',
    title: 'Toggle: effect of unsaved changes on a population',
    path: ACTIVATION,
    act: addPopulation,
  },
  {
    name: 'toggle-lab-changed',
    title: 'Toggle: changed results of a population',
    path: ACTIVATION,
    act: async (shown) => {
      await addPopulation(shown);
      await shown.page.getByRole('button', { name: 'Show changed results' }).click();
      await expect(shown.ui.dialog.getByRole('listitem').first()).toBeVisible();
    },
  },
];

async function addPopulation({ page, ui }: Shown): Promise<void> {
  const panel = new Lab(page);
  await panel.paste(CSV, 'CSV');
  await ui.activation.editAll();
  await ui.activation.rolloutField('flexibleRollout').fill('65');
  await expect(panel.summary).toContainText('This edit');
}
