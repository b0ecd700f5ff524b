// Forms whose session ends before they are sent: the sign-in dialog opens over the page, and the input is kept.

import type { Page } from '@playwright/test';
import { reportApplication } from './support/applications';
import { EMAIL, expect, test } from './support/fixtures';

const TYPED = 'typed.before';

interface FormCase {
  path: string;
  /** Values to enter, by label; true checks the box. */
  fields: { [label: string]: string | true };
  submit: string;
  /** Path of the API that returns the saved value. */
  stored: string;
  open?: (page: Page) => Promise<void>;
}

const FORMS: readonly FormCase[] = [
  { path: 'features/create', fields: { Name: TYPED }, submit: 'Create', stored: 'admin/features' },
  {
    path: 'features/copy/shop.basket',
    fields: { Name: TYPED },
    submit: 'Copy feature toggle',
    stored: 'admin/features',
  },
  {
    path: 'features/strategies/shop.basket',
    fields: { groupId: TYPED },
    submit: 'Save flexibleRollout',
    stored: 'admin/features',
  },
  {
    path: 'features/variants/shop.basket',
    fields: { Name: TYPED },
    submit: 'Save',
    stored: 'admin/features/shop.basket',
    open: (page) => page.getByRole('button', { name: 'Add variant' }).first().click(),
  },
  { path: 'strategies/create', fields: { Name: TYPED }, submit: 'Create', stored: 'admin/strategies' },
  { path: 'strategies/edit/byMoon', fields: { Description: TYPED }, submit: 'Save', stored: 'admin/strategies' },
  {
    path: 'applications/shop-web?tab=edit',
    fields: { Description: TYPED },
    submit: 'Save',
    stored: 'admin/metrics/applications',
  },
  { path: 'context/create', fields: { Name: TYPED }, submit: 'Create', stored: 'admin/context' },
  { path: 'context/edit/userId', fields: { Description: TYPED }, submit: 'Save', stored: 'admin/context' },
  {
    path: 'projects/create',
    fields: { 'Project id': TYPED, Name: 'Shop' },
    submit: 'Create',
    stored: 'admin/projects',
  },
  { path: 'projects/edit/default', fields: { Description: TYPED }, submit: 'Save', stored: 'admin/projects' },
  { path: 'tag-types/create', fields: { Name: TYPED }, submit: 'Create', stored: 'admin/tag-types' },
  { path: 'tag-types/edit/simple', fields: { Description: TYPED }, submit: 'Save', stored: 'admin/tag-types' },
  { path: 'tags/create', fields: { Value: TYPED }, submit: 'Create', stored: 'admin/tags' },
  {
    path: 'addons/create/webhook',
    fields: { Description: TYPED, 'Webhook URL': 'http://127.0.0.1:9/hook', 'feature-created': true },
    submit: 'Create',
    stored: 'admin/addons',
  },
  { path: 'addons/edit/1', fields: { Description: TYPED }, submit: 'Save', stored: 'admin/addons' },
];

test.describe('a session that ends before submitting keeps the input of', { tag: '@embedded' }, () => {
  test.use({ auth: 'unsecure' });

  test.beforeEach(async ({ context, flags, flagdeck }) => {
    await context.request.post(`${flagdeck.url}api/admin/login`, { data: { email: EMAIL } });
    const strategies = [
      { name: 'flexibleRollout', parameters: { rollout: '10', stickiness: 'default', groupId: 'g' } },
    ];
    await flags.create({ name: 'shop.basket', strategies });
    await flags.post('admin/strategies', { name: 'byMoon', description: '', parameters: [] });
    await flags.post('admin/addons', {
      provider: 'webhook',
      enabled: false,
      description: '',
      parameters: { url: 'http://127.0.0.1:9/hook' },
      events: ['feature-archived'],
    });
    await reportApplication(flags, 'shop-web', { strategies: ['default'], toggles: ['shop.basket'] });
  });

  for (const { path, fields, submit, stored, open } of FORMS) {
    test(`/${path}`, async ({ page, context, ui, flags }) => {
      await page.goto(path);
      await open?.(page);
      for (const [label, value] of Object.entries(fields)) {
        const field = page.getByLabel(label, { exact: true });
        if (value === true) await field.check();
        else await field.fill(value);
      }
      const url = page.url();
      await context.clearCookies();
      const button = page.getByRole('button', { name: submit, exact: true });
      await button.click();
      await expect(ui.signInDialog).toContainText(`Your unsaved changes are kept if you sign in again as ${EMAIL}.`);
      await ui.signInByEmail(EMAIL);
      await expect(page).toHaveURL(url);
      for (const [label, value] of Object.entries(fields)) {
        const field = page.getByLabel(label, { exact: true });
        if (value === true) await expect(field).toBeChecked();
        else await expect(field).toHaveValue(value);
      }
      await button.click();
      await expect.poll(async () => JSON.stringify(await flags.get(stored))).toContain(TYPED);
    });
  }
});
