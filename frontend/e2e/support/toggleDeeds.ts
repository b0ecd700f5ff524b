// All actions on a toggle, up to the click that sends the request. Used to check that a failure loses no input.

import { expect, type Locator, type Page } from '@playwright/test';
import type { Answer, StubUpstream } from './stubUpstream';
import { toggle } from './stubUpstream';
import type { Ui } from './ui';

export interface Deed {
  what: string;
  /** The request, and the server's response. */
  call: string;
  answer: Answer;
  prepare: (page: Page, ui: Ui) => Promise<void>;
  press: (page: Page, ui: Ui) => Locator;
  /** Where the error is shown. */
  told: (page: Page, ui: Ui) => Locator;
  /** Checks that the input is kept and that the page shows no success. */
  kept: (page: Page, ui: Ui) => Promise<void>;
  done: (page: Page, ui: Ui) => Promise<void>;
}

const API = '/api/admin/features/shop.basket';
const rollout = {
  name: 'flexibleRollout',
  parameters: { rollout: '25', stickiness: 'default', groupId: 'shop.basket' },
};
const stored = toggle('shop.basket', { strategies: [rollout] });
const definition = {
  name: 'flexibleRollout',
  description: 'Gradual rollout',
  editable: false,
  deprecated: false,
  parameters: [
    { name: 'rollout', type: 'percentage', description: '', required: false },
    { name: 'stickiness', type: 'string', description: '', required: false },
    { name: 'groupId', type: 'string', description: '', required: false },
  ],
};
const everyone = { ...definition, name: 'default', description: 'On for everyone', parameters: [] };
const older = {
  id: 1,
  type: 'feature-updated',
  createdBy: 'ada@example.com',
  createdAt: '2026-01-05T10:00:00.000Z',
  data: { ...stored, description: 'Small' },
  diffs: null,
};

/** Creates one active toggle with a tag and events, and one archived toggle. */
export function answerOneToggle(stub: StubUpstream): void {
  stub.answer('GET /api/admin/features', { body: { version: 1, features: [stored] } });
  stub.answer(`GET ${API}`, { body: stored });
  stub.answer('GET /api/admin/strategies', { body: { version: 1, strategies: [everyone, definition] } });
  stub.answer(`GET ${API}/tags`, { body: { version: 1, tags: [{ type: 'simple', value: 'winter' }] } });
  stub.answer('GET /api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events: [older] } });
  stub.answer('GET /api/admin/archive/features', { body: { features: [toggle('shop.gone')] } });
  stub.answer('POST /api/admin/features/validate', { status: 200 });
}

const snackbar: Deed['told'] = (_, ui) => ui.snackbar;
const alertInDialog: Deed['told'] = (_, ui) => ui.dialog.getByRole('alert');
const alertOnPage: Deed['told'] = (_, ui) => ui.main.getByRole('alert');
const dialogIsGone: Deed['done'] = (_, ui) => expect(ui.dialog).toBeHidden();
const noneUnsaved: Deed['done'] = (page) => expect(page.getByText('Unsaved')).toHaveCount(0);
const inDialog = (name: string) => (_: Page, ui: Ui) => ui.dialog.getByRole('button', { name, exact: true });
const onPage = (name: string) => (_: Page, ui: Ui) => ui.main.getByRole('button', { name, exact: true });
const saved = { call: `PUT ${API}`, answer: { status: 200 } };

export const DEEDS: readonly Deed[] = [
  {
    what: 'a switch',
    call: `POST ${API}/toggle/off`,
    answer: { body: { ...stored, enabled: false } },
    prepare: async (page, ui) => {
      await page.goto('features');
      await expect(ui.switchOf('shop.basket')).toBeEnabled();
    },
    press: (_, ui) => ui.switchOf('shop.basket'),
    told: snackbar,
    kept: (_, ui) => expect(ui.switchOf('shop.basket')).toBeChecked(),
    done: (_, ui) => expect(ui.switchOf('shop.basket')).not.toBeChecked(),
  },
  {
    what: 'one card',
    ...saved,
    prepare: async (_, ui) => {
      await ui.openActivation('shop.basket');
      await ui.rolloutOf('flexibleRollout').fill('50');
    },
    press: (_, ui) => ui.saveOf('flexibleRollout'),
    told: snackbar,
    kept: (_, ui) => expect(ui.rolloutOf('flexibleRollout')).toHaveValue('50'),
    done: noneUnsaved,
  },
  {
    what: 'all cards',
    ...saved,
    prepare: async (_, ui) => {
      await ui.openActivation('shop.basket');
      await ui.rolloutOf('flexibleRollout').fill('50');
      await ui.addStrategy('default');
    },
    press: (_, ui) => ui.saveAll,
    told: snackbar,
    kept: async (page, ui) => {
      await expect(page.getByText('Unsaved')).toHaveCount(2);
      await expect(ui.rolloutOf('flexibleRollout')).toHaveValue('50');
    },
    done: noneUnsaved,
  },
  {
    what: 'a description',
    ...saved,
    prepare: async (page, ui) => {
      await page.goto('features/strategies/shop.basket');
      await ui.main.getByRole('button', { name: 'Edit description' }).click();
      await ui.main.getByRole('textbox', { name: 'Description' }).fill('Large');
    },
    press: onPage('Save'),
    told: alertOnPage,
    kept: (_, ui) => expect(ui.main.getByRole('textbox', { name: 'Description' })).toHaveValue('Large'),
    done: (_, ui) => expect(ui.main.getByRole('textbox', { name: 'Description' })).toHaveCount(0),
  },
  {
    what: 'a variant',
    ...saved,
    prepare: async (page, ui) => {
      await page.goto('features/variants/shop.basket');
      await ui.openVariant();
      await ui.dialog.getByLabel('Name', { exact: true }).fill('blue');
      await ui.dialog.getByLabel('Payload', { exact: true }).fill('#00f');
    },
    press: inDialog('Save'),
    told: alertInDialog,
    kept: async (_, ui) => {
      await expect(ui.dialog.getByLabel('Name', { exact: true })).toHaveValue('blue');
      await expect(ui.dialog.getByLabel('Payload', { exact: true })).toHaveValue('#00f');
    },
    done: dialogIsGone,
  },
  {
    what: 'adding a tag',
    call: `POST ${API}/tags`,
    answer: { status: 201, body: { type: 'simple', value: 'spring' } },
    prepare: async (page, ui) => {
      await page.goto('features/strategies/shop.basket');
      await ui.openAddTag();
      await ui.dialog.getByLabel('Value').fill('spring');
    },
    press: inDialog('Add tag'),
    told: alertInDialog,
    kept: (_, ui) => expect(ui.dialog.getByLabel('Value')).toHaveValue('spring'),
    done: dialogIsGone,
  },
  {
    what: 'removing a tag',
    call: `DELETE ${API}/tags/simple/winter`,
    answer: { status: 200 },
    prepare: async (page, ui) => {
      await page.goto('features/strategies/shop.basket');
      await page.getByRole('button', { name: 'Remove tag simple: winter' }).click();
      await expect(ui.dialog).toBeVisible();
    },
    press: inDialog('Remove'),
    told: alertInDialog,
    kept: (page) => expect(page.getByText('simple: winter').first()).toBeVisible(),
    done: dialogIsGone,
  },
  {
    what: 'archiving',
    call: `DELETE ${API}`,
    answer: { status: 200 },
    prepare: async (page, ui) => {
      await page.goto('features/strategies/shop.basket');
      await ui.archiveFromDetail();
    },
    press: inDialog('Archive'),
    told: alertInDialog,
    kept: (page) => expect(page).toHaveURL(/\/features\/strategies\/shop\.basket$/),
    done: (page) => expect(page).toHaveURL(/\/features$/),
  },
  {
    what: 'reviving',
    call: 'POST /api/admin/archive/revive/shop.gone',
    answer: { status: 200 },
    prepare: async (page, ui) => {
      await page.goto('archive');
      await expect(ui.row('shop.gone')).toBeVisible();
    },
    press: (_, ui) => ui.row('shop.gone').getByRole('button', { name: /Revive/ }),
    told: snackbar,
    kept: (_, ui) => expect(ui.row('shop.gone')).toBeVisible(),
    done: (_, ui) => expect(ui.main.getByRole('status').filter({ hasText: 'shop.gone' })).toBeVisible(),
  },
  {
    what: 'copying',
    call: 'POST /api/admin/features',
    answer: { status: 201, body: toggle('shop.copy') },
    prepare: async (page, ui) => {
      await page.goto('features/copy/shop.basket');
      await ui.nameField.fill('shop.copy');
      await page.getByLabel('Replace groupId').uncheck();
    },
    press: onPage('Copy feature toggle'),
    told: alertOnPage,
    kept: async (page, ui) => {
      await expect(ui.nameField).toHaveValue('shop.copy');
      await expect(page.getByLabel('Replace groupId')).not.toBeChecked();
    },
    done: (page) => expect(page).toHaveURL(/\/features\/strategies\/shop\.copy$/),
  },
  {
    what: 'creating',
    call: 'POST /api/admin/features',
    answer: { status: 201, body: toggle('shop.new') },
    prepare: async (page, ui) => {
      await page.goto('features/create');
      await ui.nameField.fill('shop.new');
      await page.getByLabel('Description').fill('Half a page of text');
      await ui.addStrategy('default');
    },
    press: onPage('Create'),
    told: alertOnPage,
    kept: async (page, ui) => {
      await expect(ui.nameField).toHaveValue('shop.new');
      await expect(page.getByLabel('Description')).toHaveValue('Half a page of text');
      await expect(ui.strategy('default')).toBeVisible();
    },
    done: (page) => expect(page).toHaveURL(/\/features\/strategies\/shop\.new$/),
  },
  {
    what: 'restoring',
    ...saved,
    prepare: async (page, ui) => {
      await page.goto('features/history/shop.basket');
      await ui.main.getByRole('button', { name: 'Restore' }).click();
      await expect(ui.dialog).toBeVisible();
    },
    press: inDialog('Restore'),
    told: alertInDialog,
    kept: (_, ui) => expect(ui.dialog).toContainText('Small'),
    done: dialogIsGone,
  },
];
