// States that several screens share: empty, environment, read-only, signed out, outage, error and loading.

import { expect } from '@playwright/test';
import { ACTIVATION, type Scene, type Shown, TOGGLE } from './scene';

export const states: readonly Scene[] = [
  { name: 'empty-toggles', title: 'No toggles', path: 'features', server: 'empty' },
  { name: 'empty-archive', title: 'Empty archive', path: 'archive', server: 'empty' },
  { name: 'empty-applications', title: 'No applications', path: 'applications', server: 'empty' },
  { name: 'empty-tags', title: 'No tags', path: 'tags', server: 'empty' },
  { name: 'empty-history', title: 'Empty history', path: 'history', server: 'empty' },
  { name: 'environment', title: 'Environment', path: 'features', server: 'environment' },
  {
    name: 'environment-switch',
    title: 'Environment: confirmation of a switch',
    path: 'features',
    server: 'environment',
    act: async ({ ui }) => {
      await ui.switchOf('account.passkeys').click();
      await expect(ui.dialog).toBeVisible();
    },
  },
  {
    name: 'environment-save',
    title: 'Environment: confirmation of a wider rollout',
    path: ACTIVATION,
    server: 'environment',
    act: async ({ ui }) => {
      await ui.activation.editAll();
      await ui.activation.rolloutField('flexibleRollout').fill('65');
      await ui.activation.saveButton('flexibleRollout').click();
      await expect(ui.dialog).toContainText('After saving');
    },
  },
  { name: 'read-only-toggles', title: 'Read-only: toggle list', path: 'features', server: 'readOnly' },
  {
    name: 'read-only-activation',
    title: 'Read-only: activation',
    path: ACTIVATION,
    server: 'readOnly',
    act: async ({ ui }) => await expect(ui.main.getByText('This console is read-only.')).toBeVisible(),
  },
  { name: 'read-only-create', title: 'Read-only: new toggle', path: 'features/create', server: 'readOnly' },
  { name: 'read-only-context', title: 'Read-only: context fields', path: 'context', server: 'readOnly' },
  {
    name: 'sign-in',
    title: 'Sign-in',
    path: 'features',
    server: 'signIn',
    act: ({ ui }) => expect(ui.signInDialog).toBeVisible(),
  },
  { name: 'sign-out', title: 'Signed out', path: 'logout', server: 'signIn' },
  { name: 'outage', title: 'Outage', path: 'features', server: 'outage' },
  {
    name: 'error',
    title: 'List that could not be loaded',
    path: 'history',
    act: async ({ page, ui }) => {
      await page.route('**/api/admin/events', (route) => route.fulfill({ status: 500, json: { name: 'Failure' } }));
      await page.reload();
      await expect(ui.main.getByRole('button', { name: 'Retry' }).first()).toBeVisible();
    },
  },
  ...['features', 'projects', 'history', ACTIVATION].map((path) => ({
    name: `loading-${path.split('/')[1] ?? path}`,
    title: `Loading: /${path}`,
    path,
    act: async ({ page, ui }: Shown) => {
      await page.route(/\/api\/admin\/(features|projects|events)/, () => undefined);
      await page.reload({ waitUntil: 'commit' });
      // The progress of the code of the page comes before.
      const placeholder = ui.main.getByRole('status', { name: /^Loading/ });
      await expect(placeholder.or(ui.main.getByRole('heading', { name: TOGGLE })).first()).toBeVisible();
    },
  })),
];
