// Every screen of the console, with its dialogs and menus. `states.ts` adds the states that all screens share.

import { expect, type Route } from '@playwright/test';
import type { Ui } from '../support/ui';
import { frame } from './frame';
import { imported } from './imported';
import { lab } from './lab';
import { operations } from './operations';
import { past } from './past';
import { ACTIVATION, ONE_POLL, type Scene, type Shown, TOGGLE } from './scene';
import { states } from './states';

const VARIANTS = 'features/variants/checkout.button-colour';

const SEGMENTS = [
  {
    id: 1,
    name: 'nordic-customers',
    description: 'Customers with a Nordic billing address',
    constraints: [{ contextName: 'region', operator: 'IN', values: ['Nordics'] }],
  },
  { id: 2, name: 'beta', constraints: [{ contextName: 'userId', operator: 'IN', values: ['4711', '4712'] }] },
];

const lists: Scene[] = [
  { name: 'toggles', title: 'Toggle list', path: 'features' },
  {
    name: 'toggles-filters',
    title: 'Toggle list: filters',
    path: 'features',
    act: ({ ui }) => ui.openFilters(),
  },
  {
    name: 'toggles-filtered',
    title: 'Toggle list: active filters',
    path: 'features?filter=checkout&state=on',
    act: ({ ui }) => expect(ui.activeFilters.first()).toBeVisible(),
  },
  { name: 'toggles-no-matches', title: 'Toggle list: no matches', path: 'features?filter=nothing-like-this' },
  {
    name: 'toggles-selected',
    title: 'Toggle list: selected rows',
    path: 'features',
    act: async ({ ui, isPhone }) => {
      if (isPhone) await ui.choose('account.passkeys', 'Select');
      else await ui.checkboxOf('account.passkeys').check();
      await ui.checkboxOf('account.support-tools').check();
      await expect(ui.bulk).toContainText('2');
    },
  },
  {
    name: 'toggles-row-menu',
    title: 'Toggle list: menu of a row',
    path: 'features',
    act: ({ ui }) => ui.openRowMenu('account.passkeys'),
  },
  {
    name: 'toggles-undo',
    title: 'Toggle list: message with Undo',
    path: 'features',
    act: async ({ page, ui }) => {
      await page.route('**/toggle/off', (route) => respondDisabled(route));
      await ui.switchOf('account.passkeys').click();
      await expect(ui.snackbar).toBeVisible();
    },
  },
  {
    name: 'toggles-archive',
    title: 'Toggle list: confirmation of archiving several',
    path: 'features',
    act: async ({ ui, isPhone }) => {
      if (isPhone) await ui.choose('account.passkeys', 'Select');
      else await ui.checkboxOf('account.passkeys').check();
      await ui.checkboxOf('account.support-tools').check();
      await ui.bulk.getByRole('button', { name: 'Archive' }).click();
      await expect(ui.dialog).toContainText('still in use');
    },
  },
  { name: 'evaluation', title: 'Evaluation', path: 'evaluation#userId=4711' },
  { name: 'evaluation-compare', title: 'Evaluation: two users', path: 'evaluation#userId=7&&userId=4711' },
  {
    name: 'evaluation-fields',
    title: 'Evaluation: all context fields',
    path: 'evaluation#userId=4711&appName=shop-web&currentTime=2026-01-05T10:00:00.000Z',
    act: ({ page }) => expect(page.getByLabel('Other field')).toBeVisible(),
  },
  {
    name: 'toggles-cursor',
    title: 'Feature toggles: row cursor and a selected row',
    path: 'features',
    act: async ({ page, ui }) => {
      for (const key of ['j', 'j', 'x', 'j']) await page.keyboard.press(key);
      await expect(ui.bulk).toBeVisible();
    },
  },
  { name: 'archive', title: 'Archive', path: 'archive' },
  { name: 'strategies', title: 'Strategies', path: 'strategies' },
  { name: 'applications', title: 'Applications', path: 'applications' },
  {
    name: 'missing-toggles',
    title: 'Missing toggles',
    path: 'missing-toggles',
    act: ({ ui }) => expect(ui.main.getByRole('table').first()).toBeVisible(),
  },
  { name: 'context-fields', title: 'Context fields', path: 'context' },
  {
    name: 'segments',
    title: 'Segments',
    path: 'strategies',
    act: async ({ page, ui }) => {
      await page.route('**/api/admin/segments', (route) => route.fulfill({ json: { segments: SEGMENTS } }));
      await page.goto('segments');
      await expect(ui.row('nordic-customers')).toBeVisible();
    },
  },
  {
    name: 'journal',
    title: 'Journal',
    path: 'journal',
    server: 'journal',
    act: async ({ page, ui }) => {
      for (const state of ['off', 'on'])
        await page.request.post(`api/admin/features/${TOGGLE}/toggle/${state}`, { data: {} });
      await page.request.delete('api/admin/features/no.such.toggle');
      await page.reload();
      await expect(ui.main.getByText('Refused (404)').first()).toBeVisible();
    },
  },
  { name: 'plans', title: 'Plans', path: 'plans' },
  {
    name: 'plans-review',
    title: 'Plans: review',
    path: 'plans',
    act: async ({ ui }) => {
      const file = `version: 1\ntoggles:\n  ${TOGGLE}:\n    enabled: false\n  checkout.new:\n    enabled: true\n`;
      await ui.main.getByLabel('Or paste the text').fill(file);
      await ui.main.getByRole('button', { name: 'Review' }).click();
      await expect(ui.main.getByRole('button', { name: 'Apply 2 changes' })).toBeVisible();
    },
  },
  {
    name: 'plans-archive',
    title: 'Plans: question before toggles are archived',
    path: 'plans',
    act: async ({ page, ui }) => {
      const file = `version: 1\nmanagedBy: acme/flags\ntoggles:\n  ${TOGGLE}:\n    tags: [{ type: team, value: pay }]\n`;
      await page.request.post('api/admin/tag-types', { data: { name: 'managed-by', description: '', icon: '' } });
      await page.request.post('api/admin/features', {
        data: { name: 'checkout.old', strategies: [{ name: 'default' }] },
      });
      await page.request.post('api/admin/features/checkout.old/tags', {
        data: { type: 'managed-by', value: 'acme/flags' },
      });
      await ui.main.getByLabel('Archive toggles that the files name no more').check();
      await ui.main.getByLabel('Or paste the text').fill(file);
      await ui.main.getByRole('button', { name: 'Review' }).click();
      await ui.main.getByRole('button', { name: /^Apply/ }).click();
      await expect(ui.dialog.getByRole('region', { name: 'Toggles to archive' })).toBeVisible();
    },
  },
  { name: 'projects', title: 'Projects', path: 'projects' },
  { name: 'tag-types', title: 'Tag types', path: 'tag-types' },
  { name: 'tags', title: 'Tags', path: 'tags' },
  { name: 'addons', title: 'Addons', path: 'addons' },
  { name: 'api-tokens', title: 'API tokens', path: 'tokens' },
  { name: 'history', title: 'Event history', path: 'history' },
  {
    name: 'history-open',
    title: 'Event history: an open change',
    path: 'history',
    act: async ({ ui }) => {
      await ui.main
        .locator('li [data-row]')
        .nth(1)
        .click({ position: { x: 8, y: 8 } });
      await expect(ui.main.getByRole('button', { expanded: true })).toBeVisible();
    },
  },
  {
    name: 'history-full',
    title: 'Event history: full events',
    path: 'history',
    act: async ({ page, ui }) => {
      const hasPanel = await hasFilterPanel(ui);
      if (hasPanel) await ui.openFilters();
      await page.getByRole('switch', { name: 'Full events' }).check();
      if (hasPanel) await page.keyboard.press('Escape');
    },
  },
  {
    name: 'history-time',
    title: 'Event history: time range',
    path: 'history',
    act: async ({ page, ui }) => {
      await ui.main.getByRole('button', { name: (await hasFilterPanel(ui)) ? 'Filter' : 'Range…' }).click();
      await expect(page.getByLabel('From')).toBeVisible();
    },
  },
  { name: 'toggle-history', title: 'Event history of a toggle', path: `history/${TOGGLE}` },
];

const toggles: Scene[] = [
  { name: 'toggle-activation', title: 'Toggle: activation', path: ACTIVATION, act: activationShown },
  {
    name: 'toggle-activation-several',
    title: 'Toggle: several strategies',
    path: 'features/strategies/delivery.evening-slots',
    act: activationShown,
  },
  {
    name: 'toggle-activation-warnings',
    title: 'Toggle: warnings and a missing strategy',
    path: 'features/strategies/account.loyalty-prices',
    act: activationShown,
  },
  {
    name: 'toggle-add-strategy',
    title: 'Toggle: menu of strategies',
    path: ACTIVATION,
    act: async ({ ui }) => {
      await activationShown({ ui });
      await ui.activation.openAddStrategyMenu();
    },
  },
  {
    name: 'toggle-unsaved',
    title: 'Toggle: unsaved changes',
    path: ACTIVATION,
    act: ({ ui }) => changeRollout(ui),
  },
  {
    name: 'toggle-leave',
    title: 'Toggle: leaving with unsaved changes',
    path: ACTIVATION,
    act: async ({ page, ui }) => {
      page.on('dialog', (question) => void question.dismiss());
      await changeRollout(ui);
      await ui.tab('Metrics').click();
      await expect(ui.dialog).toBeVisible();
    },
  },
  {
    name: 'toggle-review',
    title: 'Toggle: review of unsaved changes',
    path: ACTIVATION,
    act: async ({ ui }) => {
      await changeRollout(ui);
      await ui.main
        .getByRole('button', { name: /^Review/ })
        .first()
        .click();
      await expect(ui.dialog).toBeVisible();
    },
  },
  {
    name: 'toggle-conflict',
    title: 'Toggle: conflict with another user',
    path: ACTIVATION,
    act: async ({ page, ui }) => {
      await changeRollout(ui);
      await page.route(`**/api/admin/features/${TOGGLE}`, (route) =>
        // The stored toggle has changed since the page read it.
        route.request().method() === 'PUT' ? route.fulfill({ status: 412, json: {} }) : respondChanged(route),
      );
      await ui.activation.saveButton('flexibleRollout').click();
      await expect(ui.dialog).toBeVisible();
    },
  },
  {
    name: 'toggle-their-change',
    title: 'Toggle: change of another user to an edited strategy',
    path: ACTIVATION,
    act: async ({ page, ui }) => {
      await changeRollout(ui);
      await page.route(/\/api\/admin\/features(\/checkout\.one-page)?$/, respondChanged);
      await expect(ui.activation.strategy('flexibleRollout')).toContainText('75 %', ONE_POLL);
    },
  },
  {
    name: 'toggle-add-constraint',
    title: 'Toggle: fields and values of a new constraint',
    path: ACTIVATION,
    act: ({ ui }) => openConstraintMenu(ui),
  },
  {
    name: 'toggle-schedule',
    title: 'Toggle: from and until',
    path: ACTIVATION,
    act: async ({ ui }) => {
      await openConstraintMenu(ui);
      await ui.activation.constraintItem('From / until…').click();
      await ui.dialog.getByLabel('From', { exact: true }).fill('2026-12-01T09:00');
      await ui.dialog.getByLabel('Until', { exact: true }).fill('2026-12-24T00:00');
    },
  },
  {
    name: 'toggle-constraint',
    title: 'Toggle: editor of a constraint',
    path: ACTIVATION,
    act: async ({ ui }) => {
      await openConstraintMenu(ui);
      await ui.activation.constraintItem('region is Nordics').click();
      await expect(ui.main.getByRole('group', { name: /^Constraint \d/ })).toBeInViewport({ ratio: 1 });
    },
  },
  {
    name: 'toggle-menu',
    title: 'Toggle: other actions',
    path: ACTIVATION,
    act: async ({ page, ui }) => {
      await activationShown({ ui });
      await ui.openToggleMenu();
      await page.getByRole('menuitem', { name: 'Status' }).click();
      await expect(page.getByRole('menuitemradio').first()).toBeVisible();
    },
  },
  {
    name: 'toggle-description',
    title: 'Toggle: editor of the description',
    path: ACTIVATION,
    act: ({ ui }) => ui.main.getByRole('button', { name: 'Edit description' }).click(),
  },
  { name: 'toggle-add-tag', title: 'Toggle: new tag', path: ACTIVATION, act: ({ ui }) => ui.openAddTag() },
  {
    name: 'toggle-archive',
    title: 'Toggle: confirmation of archiving',
    path: ACTIVATION,
    act: ({ ui }) => ui.archiveFromDetail(),
  },
  { name: 'toggle-metrics', title: 'Toggle: metrics', path: `features/view/${TOGGLE}` },
  { name: 'toggle-variants', title: 'Toggle: variants', path: VARIANTS },
  {
    name: 'toggle-variant',
    title: 'Toggle: editor of a variant',
    path: VARIANTS,
    act: async ({ ui }) => {
      await ui.main
        .getByRole('button', { name: /^Edit (?!description)/ })
        .first()
        .click();
      await expect(ui.dialog).toBeVisible();
    },
  },
  { name: 'toggle-no-variants', title: 'Toggle: no variants', path: `features/variants/${TOGGLE}` },
  { name: 'toggle-log', title: 'Toggle: log', path: `features/history/${TOGGLE}` },
  { name: 'toggle-archived', title: 'Archived toggle', path: 'archive/strategies/home.summer-banner' },
  { name: 'toggle-missing', title: 'Toggle that does not exist', path: 'features/strategies/no.such.toggle' },
  { name: 'not-found', title: 'Page that does not exist', path: 'no/such/page' },
];

const forms: Scene[] = [
  { name: 'toggle-create', title: 'New toggle', path: 'features/create' },
  {
    name: 'toggle-create-strategy',
    title: 'New toggle: with a strategy',
    path: 'features/create',
    act: async ({ ui }) => {
      await ui.nameField.fill('checkout.gift-cards');
      await ui.activation.addStrategy('flexibleRollout');
      await ui.activation.addConstraint('flexibleRollout', 'environment');
    },
  },
  { name: 'toggle-copy', title: 'Copy of a toggle', path: `features/copy/${TOGGLE}` },
  { name: 'strategy', title: 'Strategy', path: 'strategies/view/byRegion' },
  { name: 'strategy-edit', title: 'Strategy: editor', path: 'strategies/edit/byRegion' },
  { name: 'strategy-create', title: 'New strategy', path: 'strategies/create' },
  { name: 'application', title: 'Application', path: 'applications/shop-web' },
  { name: 'application-edit', title: 'Application: editor', path: 'applications/shop-web?tab=edit' },
  {
    name: 'application-connect',
    title: 'Connect an application',
    path: 'applications',
    act: async ({ page, ui, isPhone }) => {
      if (isPhone) await ui.main.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole(isPhone ? 'menuitem' : 'button', { name: 'Connect' }).click();
      await expect(ui.dialog.getByLabel('Client SDK')).toBeVisible();
    },
  },
  {
    name: 'toggle-use',
    title: 'Toggle: code that uses it',
    path: `features/strategies/${TOGGLE}`,
    act: async ({ page, ui }) => {
      await ui.openToggleMenu();
      await page.getByRole('menuitem', { name: 'Use it' }).click();
      await expect(ui.dialog.getByLabel('Client SDK')).toBeVisible();
    },
  },
  { name: 'context-field-create', title: 'New context field', path: 'context/create' },
  { name: 'context-field-edit', title: 'Context field: editor', path: 'context/edit/region' },
  { name: 'project-create', title: 'New project', path: 'projects/create' },
  { name: 'project-edit', title: 'Project: editor', path: 'projects/edit/mobile' },
  { name: 'tag-type-create', title: 'New tag type', path: 'tag-types/create' },
  { name: 'tag-type-edit', title: 'Tag type: editor', path: 'tag-types/edit/team' },
  { name: 'tag-create', title: 'New tag', path: 'tags/create' },
  {
    name: 'tag-create-errors',
    title: 'New tag: error',
    path: 'tags/create',
    act: ({ ui }) => ui.main.getByRole('button', { name: 'Create' }).click(),
  },
  { name: 'addon-create', title: 'New addon', path: 'addons/create/webhook' },
  { name: 'addon-edit', title: 'Addon: editor', path: 'addons/edit/1' },
  { name: 'api-token-create', title: 'New API token', path: 'tokens/create' },
];

export const scenes: readonly Scene[] = [
  ...lists,
  ...toggles,
  ...imported,
  ...lab,
  ...forms,
  ...frame,
  ...past,
  ...operations,
  ...states,
];

async function activationShown({ ui }: Pick<Shown, 'ui'>): Promise<void> {
  await expect(ui.activation.titles().first()).toBeVisible();
}

/** Returns whether the filters of a list are in a panel, because they do not fit into one row. */
const hasFilterPanel = (ui: Ui) => ui.main.getByRole('button', { name: 'Filter', exact: true }).isVisible();

async function changeRollout(ui: Ui): Promise<void> {
  await ui.activation.editAll();
  await ui.activation.rolloutField('flexibleRollout').fill('65');
  await expect(ui.activation.saveButton('flexibleRollout')).toBeVisible();
}

async function openConstraintMenu(ui: Ui): Promise<void> {
  await activationShown({ ui });
  await ui.activation.editAll();
  await ui.main.getByRole('button', { name: 'Add constraint' }).first().click();
  await expect(ui.activation.constraintItem('region is Nordics')).toBeVisible();
}

/** Responds to a switch without changing the toggle, so that scenes do not depend on each other. */
async function respondDisabled(route: Route): Promise<void> {
  const response = await route.fetch({ url: route.request().url().replace('/toggle/off', ''), method: 'GET' });
  await route.fulfill({ json: { ...(await response.json()), enabled: false } });
}

/** Responds with another rollout, as if another user had changed it. */
async function respondChanged(route: Route): Promise<void> {
  // A conditional request could get 304, without a body to change.
  const { 'if-none-match': _, ...headers } = route.request().headers();
  const response = await route.fetch({ headers });
  await route.fulfill({ response, body: (await response.text()).replace('"rollout":"50"', '"rollout":"75"') });
}
