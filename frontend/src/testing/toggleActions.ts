// All actions on a toggle of `ONE_TOGGLE`, up to the click that sends the request, with checks of success and failure.
import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';
import {
  addStrategy,
  choose,
  chooseForToggle,
  click,
  dialog,
  fill,
  main,
  row,
  snackbarText,
  strategyCard,
  switchOf,
} from './consolePage';
import { renderConsole } from './renderConsole';
import { BASKET, type ResponseData, toggle } from './responses';

interface ToggleAction {
  name: string;
  /** The request and its successful response. */
  call: string;
  response: ResponseData;
  /** Path of the page. */
  path: string;
  prepare?: () => Promise<void>;
  /** The control that sends the request. */
  control: () => HTMLElement;
  errorText: () => string | null;
  /** Checks that the input is kept and that the page shows no success. */
  expectInputKept: () => void;
  expectSuccess: () => void;
}

const API = 'api/admin/features/shop.basket';
const saved = { call: `PUT ${API}`, response: { status: 200 } };
const ACTIVATION = '/features/strategies/shop.basket';

const inDialog = (name: string) => () => dialog().getByRole('button', { name });
// Hidden, because the sign-in dialog may cover the page.
const onPage = (name: string) => () => main().getByRole('button', { name, hidden: true });
const alertInDialog = () => dialog().getByRole('alert').textContent;
const alertOnPage = () => main().getByRole('alert').textContent;
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const rolloutField = () => strategyCard('flexibleRollout').getByLabelText<HTMLInputElement>('Rollout');
const dialogIsClosed = () => expect(screen.queryByRole('dialog')).toBeNull();
const unsavedCards = () => screen.queryAllByText('Unsaved').length;
const nothingUnsaved = () => expect(unsavedCards()).toBe(0);
const isAt = (path: string) => () => expect(location.pathname).toBe(path);

async function enterRollout(): Promise<void> {
  await click(main().getByRole('button', { name: 'Edit flexibleRollout' }));
  fill(rolloutField(), '50');
}

export const TOGGLE_ACTIONS: readonly ToggleAction[] = [
  {
    name: 'switching',
    call: `POST ${API}/toggle/off`,
    response: { body: { ...BASKET, enabled: false } },
    path: '/features',
    control: () => switchOf('shop.basket'),
    errorText: snackbarText,
    expectInputKept: () => expect(switchOf('shop.basket').checked).toBe(true),
    expectSuccess: () => expect(switchOf('shop.basket').checked).toBe(false),
  },
  {
    name: 'saving one card',
    ...saved,
    path: ACTIVATION,
    prepare: enterRollout,
    control: onPage('Save flexibleRollout'),
    errorText: snackbarText,
    expectInputKept: () => expect(rolloutField().value).toBe('50'),
    expectSuccess: nothingUnsaved,
  },
  {
    name: 'saving all cards',
    ...saved,
    path: ACTIVATION,
    prepare: async () => {
      await enterRollout();
      await addStrategy('default');
    },
    control: onPage('Save all'),
    errorText: snackbarText,
    expectInputKept: () => {
      expect(unsavedCards()).toBe(2);
      expect(rolloutField().value).toBe('50');
    },
    expectSuccess: nothingUnsaved,
  },
  {
    name: 'saving a description',
    ...saved,
    path: ACTIVATION,
    prepare: async () => {
      await click(onPage('Edit description')());
      fill(field('Description'), 'Large');
    },
    control: onPage('Save'),
    errorText: alertOnPage,
    expectInputKept: () => expect(field('Description').value).toBe('Large'),
    expectSuccess: () => expect(screen.queryByLabelText('Description')).toBeNull(),
  },
  {
    name: 'saving a variant',
    ...saved,
    path: '/features/variants/shop.basket',
    prepare: async () => {
      await click(main().getAllByRole('button', { name: 'Add variant' })[0] ?? document.body);
      fill(dialog().getByLabelText('Name'), 'blue');
      fill(dialog().getByLabelText('Payload'), '#00f');
    },
    control: inDialog('Save'),
    errorText: alertInDialog,
    expectInputKept: () => {
      expect(field('Name').value).toBe('blue');
      expect(field('Payload').value).toBe('#00f');
    },
    expectSuccess: dialogIsClosed,
  },
  {
    name: 'adding a tag',
    call: `POST ${API}/tags`,
    response: { status: 201, body: { type: 'simple', value: 'spring' } },
    path: ACTIVATION,
    prepare: async () => {
      await click(onPage('Add tag')());
      fill(dialog().getByLabelText('Value'), 'spring');
    },
    control: inDialog('Add tag'),
    errorText: alertInDialog,
    expectInputKept: () => expect(field('Value').value).toBe('spring'),
    expectSuccess: dialogIsClosed,
  },
  {
    name: 'removing a tag',
    call: `DELETE ${API}/tags/simple/winter`,
    response: { status: 200 },
    path: ACTIVATION,
    prepare: () => click(onPage('Remove tag simple: winter')()),
    control: inDialog('Remove'),
    errorText: alertInDialog,
    expectInputKept: () => expect(screen.getAllByText('simple: winter').length).toBeGreaterThan(0),
    expectSuccess: dialogIsClosed,
  },
  {
    name: 'archiving',
    call: `DELETE ${API}`,
    response: { status: 200 },
    path: ACTIVATION,
    prepare: () => chooseForToggle('shop.basket', 'Archive'),
    control: inDialog('Archive'),
    errorText: alertInDialog,
    expectInputKept: isAt(ACTIVATION),
    expectSuccess: isAt('/features'),
  },
  {
    name: 'reviving',
    call: 'POST api/admin/archive/revive/shop.gone',
    response: { status: 200 },
    path: '/archive',
    control: () => within(row('shop.gone')).getByRole('button', { name: /Revive/, hidden: true }),
    errorText: snackbarText,
    expectInputKept: () => expect(row('shop.gone')).toBeDefined(),
    expectSuccess: () => expect(main().getByRole('status').textContent).toContain('shop.gone'),
  },
  {
    name: 'copying',
    call: 'POST api/admin/features',
    response: { status: 201, body: toggle('shop.copy') },
    path: '/features/copy/shop.basket',
    prepare: async () => {
      fill(field('Name'), 'shop.copy');
      await click(field('Replace groupId'));
    },
    control: onPage('Copy feature toggle'),
    errorText: alertOnPage,
    expectInputKept: () => {
      expect(field('Name').value).toBe('shop.copy');
      expect(field('Replace groupId').checked).toBe(false);
    },
    expectSuccess: isAt('/features/strategies/shop.copy'),
  },
  {
    name: 'creating',
    call: 'POST api/admin/features',
    response: { status: 201, body: toggle('shop.new') },
    path: '/features/create',
    prepare: async () => {
      fill(field('Name'), 'shop.new');
      fill(field('Description'), 'Half a page of text');
      await addStrategy('default');
    },
    control: onPage('Create'),
    errorText: alertOnPage,
    expectInputKept: () => {
      expect(field('Name').value).toBe('shop.new');
      expect(field('Description').value).toBe('Half a page of text');
      expect(screen.getByRole('group', { name: 'default', hidden: true })).toBeDefined();
    },
    expectSuccess: isAt('/features/strategies/shop.new'),
  },
  {
    name: 'restoring',
    ...saved,
    path: '/features/history/shop.basket',
    prepare: () => choose(/^Actions for the event of/, 'Restore this version'),
    control: inDialog('Restore'),
    errorText: alertInDialog,
    expectInputKept: () => expect(screen.getByRole('dialog', { hidden: true }).textContent).toContain('Small'),
    expectSuccess: dialogIsClosed,
  },
];

/** Renders the page of an action, and enters its input. */
export async function prepareAction({ path, prepare }: ToggleAction): Promise<void> {
  await renderConsole(path);
  await prepare?.();
}
