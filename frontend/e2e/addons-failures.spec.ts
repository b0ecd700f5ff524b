// Addons with stubbed responses: failures and unusual data.

import type { AddonProvider } from '../src/api/generated/types';
import { expect, stubTest } from './support/fixtures';

stubTest.describe('with stubbed responses', { tag: '@stub' }, () => {
  const provider: AddonProvider = {
    name: 'pager',
    displayName: 'Pager',
    description: 'Wakes people up',
    documentationUrl: 'javascript:alert(1)',
    parameters: [{ name: 'key', displayName: 'Key', type: 'text', required: true }],
    events: ['feature-created'],
  };
  const addon = {
    id: 7,
    provider: 'pager',
    enabled: true,
    description: null,
    parameters: { key: 'k', more: 5 },
    events: ['feature-created'],
    createdAt: '2026-01-05T10:00:00Z',
  };

  stubTest.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/addons', { body: { providers: [provider], addons: [addon] } });
    stub.respond('GET /api/admin/events', { body: { version: 1, events: [] } });
  });

  stubTest(
    'a provider with an unsafe documentation URL links to the general documentation [S9-027]',
    async ({ page, ui }) => {
      await page.goto('addons');
      const link = ui.main.getByRole('link', { name: 'Documentation of Pager' });
      await expect(link).toHaveAttribute('href', 'https://docs.getunleash.io/docs/addons');
      await expect(link).toHaveAttribute('rel', /noopener/);
    },
  );

  stubTest(
    'a failed save shows the message of the server and keeps the input [S5-034] [S8-027]',
    async ({ page, ui, stub }) => {
      stub.respond('POST /api/admin/addons', { status: 400, body: { details: [{ message: '"key" is wrong' }] } });
      await page.goto('addons/create/pager');
      await ui.main.getByRole('checkbox', { name: 'feature-created' }).check();
      await page.getByLabel('Key').fill('x');
      await page.getByRole('button', { name: 'Create' }).click();
      await expect(ui.main.locator('form > [role=alert]')).toHaveText('"key" is wrong');
      await expect(page.getByLabel('Key')).toHaveValue('x');
      await expect(ui.snackbar).toBeHidden();
    },
  );

  stubTest('an edit keeps fields that the console does not know', async ({ page, stub }) => {
    stub.respond('PUT /api/admin/addons/7', { status: 200 });
    await page.goto('addons/edit/7');
    await page.getByLabel('Key').fill('new');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page).toHaveURL(/\/addons$/);
    const { id: _id, ...rest } = addon;
    expect(stub.called('PUT /api/admin/addons/7')[0]?.body).toEqual({
      ...rest,
      parameters: { key: 'new', more: 5 },
    });
  });

  stubTest(
    'failures of enabling and removing are shown, and the addon does not change [S8-027]',
    async ({ page, ui, stub }) => {
      const refused = { status: 403, body: { permission: 'UPDATE_ADDON', message: 'You need UPDATE_ADDON' } };
      stub.respond('PUT /api/admin/addons/7', refused);
      stub.respond('DELETE /api/admin/addons/7', { status: 403, body: '' });
      await page.goto('addons');
      await ui.main.getByRole('button', { name: 'Disable Pager 7' }).click();
      await expect(ui.snackbar).toContainText('You need UPDATE_ADDON');
      await expect(ui.main.getByRole('button', { name: 'Disable Pager 7' })).toBeVisible();
      await ui.main.getByRole('button', { name: 'Remove Pager 7' }).click();
      await ui.dialog.getByRole('button', { name: 'Remove' }).click();
      await expect(ui.dialog.getByRole('alert')).toContainText('You cannot perform this action');
    },
  );

  stubTest('a list that failed to load can be retried [S8-027]', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/addons', { status: 418, body: { message: 'No' } });
    await page.goto('addons');
    await expect(ui.main).toContainText('The addons could not be loaded');
    stub.respond('GET /api/admin/addons', { body: { providers: [], addons: [addon] } });
    await ui.main.getByRole('button', { name: 'Retry' }).click();
    await expect(ui.row('pager 7')).toBeVisible();
  });
});
