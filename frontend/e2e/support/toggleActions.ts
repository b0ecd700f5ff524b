// All actions on a toggle, up to the click that sends the request, with checks of success and failure.

import { expect, type Locator, type Page } from '@playwright/test';
import { BASKET, toggle } from '../../src/testing/responses';
import { chooseForEntry, entries } from './events';
import type { StubResponse } from './stubUpstream';
import type { Ui } from './ui';

export interface ToggleAction {
  name: string;
  /** The request and its successful response. */
  call: string;
  response: StubResponse;
  prepare: (page: Page, ui: Ui) => Promise<void>;
  /** The control that sends the request. */
  control: (page: Page, ui: Ui) => Locator;
  errorMessage: (page: Page, ui: Ui) => Locator;
  /** Checks that the input is kept and that the page shows no success. */
  expectInputKept: (page: Page, ui: Ui) => Promise<void>;
  expectSuccess: (page: Page, ui: Ui) => Promise<void>;
}

const API = '/api/admin/features/shop.basket';

const snackbar: ToggleAction['errorMessage'] = (_, ui) => ui.snackbar;
const alertInDialog: ToggleAction['errorMessage'] = (_, ui) => ui.dialog.getByRole('alert');
const alertOnPage: ToggleAction['errorMessage'] = (_, ui) => ui.main.getByRole('alert');
const dialogIsClosed: ToggleAction['expectSuccess'] = (_, ui) => expect(ui.dialog).toBeHidden();
const nothingUnsaved: ToggleAction['expectSuccess'] = (page) => expect(page.getByText('Unsaved')).toHaveCount(0);
const inDialog = (name: string) => (_: Page, ui: Ui) => ui.dialog.getByRole('button', { name, exact: true });
const onPage = (name: string) => (_: Page, ui: Ui) => ui.main.getByRole('button', { name, exact: true });
const saved = { call: `PUT ${API}`, response: { status: 200 } };

export const TOGGLE_ACTIONS: readonly ToggleAction[] = [
  {
    name: 'switching',
    call: `POST ${API}/toggle/off`,
    response: { body: { ...BASKET, enabled: false } },
    prepare: async (page, ui) => {
      await page.goto('features');
      await expect(ui.switchOf('shop.basket')).toBeEnabled();
    },
    control: (_, ui) => ui.switchOf('shop.basket'),
    errorMessage: snackbar,
    expectInputKept: (_, ui) => expect(ui.switchOf('shop.basket')).toBeChecked(),
    expectSuccess: (_, ui) => expect(ui.switchOf('shop.basket')).not.toBeChecked(),
  },
  {
    name: 'saving one card',
    ...saved,
    prepare: async (_, ui) => {
      await ui.activation.open('shop.basket');
      await ui.activation.rolloutField('flexibleRollout').fill('50');
    },
    control: (_, ui) => ui.activation.saveButton('flexibleRollout'),
    errorMessage: snackbar,
    expectInputKept: (_, ui) => expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('50'),
    expectSuccess: nothingUnsaved,
  },
  {
    name: 'saving all cards',
    ...saved,
    prepare: async (_, ui) => {
      await ui.activation.open('shop.basket');
      await ui.activation.rolloutField('flexibleRollout').fill('50');
      await ui.activation.addStrategy('default');
    },
    control: (_, ui) => ui.activation.saveAll,
    errorMessage: snackbar,
    expectInputKept: async (_, ui) => {
      await expect(ui.activation.unsavedCards).toHaveCount(2);
      await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('50');
    },
    expectSuccess: nothingUnsaved,
  },
  {
    name: 'saving a description',
    ...saved,
    prepare: async (page, ui) => {
      await page.goto('features/strategies/shop.basket');
      await ui.main.getByRole('button', { name: 'Edit description' }).click();
      await ui.main.getByRole('textbox', { name: 'Description' }).fill('Large');
    },
    control: onPage('Save'),
    errorMessage: alertOnPage,
    expectInputKept: (_, ui) => expect(ui.main.getByRole('textbox', { name: 'Description' })).toHaveValue('Large'),
    expectSuccess: (_, ui) => expect(ui.main.getByRole('textbox', { name: 'Description' })).toHaveCount(0),
  },
  {
    name: 'saving a variant',
    ...saved,
    prepare: async (page, ui) => {
      await page.goto('features/variants/shop.basket');
      await ui.variants.open();
      await ui.dialog.getByLabel('Name', { exact: true }).fill('blue');
      await ui.dialog.getByLabel('Payload', { exact: true }).fill('#00f');
    },
    control: inDialog('Save'),
    errorMessage: alertInDialog,
    expectInputKept: async (_, ui) => {
      await expect(ui.dialog.getByLabel('Name', { exact: true })).toHaveValue('blue');
      await expect(ui.dialog.getByLabel('Payload', { exact: true })).toHaveValue('#00f');
    },
    expectSuccess: dialogIsClosed,
  },
  {
    name: 'adding a tag',
    call: `POST ${API}/tags`,
    response: { status: 201, body: { type: 'simple', value: 'spring' } },
    prepare: async (page, ui) => {
      await page.goto('features/strategies/shop.basket');
      await ui.openAddTag();
      await ui.dialog.getByLabel('Value').fill('spring');
    },
    control: inDialog('Add tag'),
    errorMessage: alertInDialog,
    expectInputKept: (_, ui) => expect(ui.dialog.getByLabel('Value')).toHaveValue('spring'),
    expectSuccess: dialogIsClosed,
  },
  {
    name: 'removing a tag',
    call: `DELETE ${API}/tags/simple/winter`,
    response: { status: 200 },
    prepare: async (page, ui) => {
      await page.goto('features/strategies/shop.basket');
      await page.getByRole('button', { name: 'Remove tag simple: winter' }).click();
      await expect(ui.dialog).toBeVisible();
    },
    control: inDialog('Remove'),
    errorMessage: alertInDialog,
    expectInputKept: (page) => expect(page.getByText('simple: winter').first()).toBeVisible(),
    expectSuccess: dialogIsClosed,
  },
  {
    name: 'archiving',
    call: `DELETE ${API}`,
    response: { status: 200 },
    prepare: async (page, ui) => {
      await page.goto('features/strategies/shop.basket');
      await ui.archiveFromDetail();
    },
    control: inDialog('Archive'),
    errorMessage: alertInDialog,
    expectInputKept: (page) => expect(page).toHaveURL(/\/features\/strategies\/shop\.basket$/),
    expectSuccess: (page) => expect(page).toHaveURL(/\/features$/),
  },
  {
    name: 'reviving',
    call: 'POST /api/admin/archive/revive/shop.gone',
    response: { status: 200 },
    prepare: async (page, ui) => {
      await page.goto('archive');
      await expect(ui.row('shop.gone')).toBeVisible();
    },
    control: (_, ui) => ui.row('shop.gone').getByRole('button', { name: /Revive/ }),
    errorMessage: snackbar,
    expectInputKept: (_, ui) => expect(ui.row('shop.gone')).toBeVisible(),
    expectSuccess: (_, ui) => expect(ui.main.getByRole('status').filter({ hasText: 'shop.gone' })).toBeVisible(),
  },
  {
    name: 'copying',
    call: 'POST /api/admin/features',
    response: { status: 201, body: toggle('shop.copy') },
    prepare: async (page, ui) => {
      await page.goto('features/copy/shop.basket');
      await ui.nameField.fill('shop.copy');
      await page.getByLabel('Replace groupId').uncheck();
    },
    control: onPage('Copy feature toggle'),
    errorMessage: alertOnPage,
    expectInputKept: async (page, ui) => {
      await expect(ui.nameField).toHaveValue('shop.copy');
      await expect(page.getByLabel('Replace groupId')).not.toBeChecked();
    },
    expectSuccess: (page) => expect(page).toHaveURL(/\/features\/strategies\/shop\.copy$/),
  },
  {
    name: 'creating',
    call: 'POST /api/admin/features',
    response: { status: 201, body: toggle('shop.new') },
    prepare: async (page, ui) => {
      await page.goto('features/create');
      await ui.nameField.fill('shop.new');
      await page.getByLabel('Description').fill('Half a page of text');
      await ui.activation.addStrategy('default');
    },
    control: onPage('Create'),
    errorMessage: alertOnPage,
    expectInputKept: async (page, ui) => {
      await expect(ui.nameField).toHaveValue('shop.new');
      await expect(page.getByLabel('Description')).toHaveValue('Half a page of text');
      await expect(ui.activation.strategy('default')).toBeVisible();
    },
    expectSuccess: (page) => expect(page).toHaveURL(/\/features\/strategies\/shop\.new$/),
  },
  {
    name: 'restoring',
    ...saved,
    prepare: async (page, ui) => {
      await page.goto('features/history/shop.basket');
      await chooseForEntry(entries(ui).last(), 'Restore this version');
      await expect(ui.dialog).toBeVisible();
    },
    control: inDialog('Restore'),
    errorMessage: alertInDialog,
    expectInputKept: (_, ui) => expect(ui.dialog).toContainText('Small'),
    expectSuccess: dialogIsClosed,
  },
];
