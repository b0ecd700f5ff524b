// Elements and actions of the rendered console, by role and accessible name.
import { fireEvent, screen, within } from '@testing-library/react';
import { expect } from 'vitest';
import { settlePage } from './page';

/** Queries of the main part of the page, also while a dialog covers it. */
export const main = () => within(screen.getByRole('main', { hidden: true }));

/** A button of the main part of the page. */
export const button = (name: string | RegExp) => main().getByRole('button', { name });

/** Text of an element, with single spaces. */
export const textOf = (element: Element) => (element.textContent ?? '').replaceAll(/\s+/gu, ' ');

export const dialog = () => within(screen.getByRole('dialog'));

/** Text of the snackbar; empty without a notice. */
export const snackbarText = () => screen.queryByTestId('snackbar')?.textContent ?? '';

/** Returns the first match of a selector, and fails the test if there is none. */
export function find(parent: ParentNode, selector: string): HTMLElement {
  const element = parent.querySelector<HTMLElement>(selector);
  if (!element) throw new Error(`no element matches ${selector}`);
  return element;
}

/** The row of a table that contains an element with exactly this text. */
export function row(text: string): HTMLElement {
  const found = screen.getAllByText(text).flatMap((element) => element.closest('tr') ?? []);
  const [first] = found;
  if (!first) throw new Error(`no row contains ${text}`);
  return first;
}

export const switchOf = (toggle: string) => within(row(toggle)).getByRole<HTMLInputElement>('switch', { hidden: true });

/** Names of the rows of a list, from top to bottom. */
export const rowNames = () =>
  screen.getAllByRole('rowheader').map((header) => within(header).getByRole('link').textContent);

/** True if the user cannot use a control, for example because of a permission. */
export function isDisabled(control: Element): boolean {
  return (
    control.matches('[aria-disabled=true], [disabled]') ||
    (control.closest('fieldset[disabled]') !== null && control.matches('button, input, select, textarea'))
  );
}

/** The accessible description of a control, such as the reason why it is disabled. */
export function accessibleDescription(control: Element): string {
  const ids = control.getAttribute('aria-describedby')?.split(' ') ?? [];
  const texts = ids.map((id) => document.getElementById(id)?.textContent ?? '');
  return texts.join(' ') || (control.getAttribute('aria-description') ?? '');
}

/** Clicks on an enabled control, and waits for the result. */
export async function click(control: HTMLElement): Promise<void> {
  expect(isDisabled(control), `${control.textContent || control.ariaLabel} is disabled`).toBe(false);
  control.focus();
  fireEvent.click(control);
  await settlePage();
}

/** Types into an enabled field. The field loses the focus when another element is clicked or filled. */
export function fill(field: HTMLElement, value: string): void {
  expect(isDisabled(field), 'the field is disabled').toBe(false);
  field.focus();
  fireEvent.change(field, { target: { value } });
}

/** Chooses from a menu, which its button opens. All but the last entry open a submenu. */
export async function choose(menuButton: string | RegExp, ...items: string[]): Promise<void> {
  await click(screen.getByRole('button', { name: menuButton }));
  for (const name of items) await click(screen.getByRole('menuitem', { name }));
}

/** Chooses from the menu at the end of a toggle's row. */
export const chooseForToggle = (toggle: string, ...items: string[]) => choose(`Actions for ${toggle}`, ...items);

/** The card of one strategy. */
export const strategyCard = (name: string) => within(screen.getByRole('group', { name }));

/** Accessible name of a strategy in the menu: the technical name, or a label before it. */
export const strategyItem = (name: string) => new RegExp(`(^| )${name}$`, 'u');

/** Adds a strategy next to the others, also next to `default`. */
export async function addStrategy(name: string): Promise<void> {
  await click(screen.getByRole('button', { name: 'Add strategy' }));
  const menu = within(screen.getByRole('dialog', { name: 'Add strategy' }));
  const replaces = menu.queryByRole<HTMLInputElement>('switch', { name: 'Replace the rules' });
  if (replaces?.checked) await click(replaces);
  await click(menu.getByRole('option', { name: strategyItem(name) }));
  expect(strategyCard(name)).toBeDefined();
}

export const signInDialog = () => within(screen.getByRole('dialog', { name: 'Action Required' }));

/** Signs in with an email address, and checks that the dialog closes. */
export async function signInByEmail(email: string): Promise<void> {
  fill(signInDialog().getByLabelText('Email'), email);
  await click(signInDialog().getByRole('button', { name: 'Sign in' }));
  expect(screen.queryByRole('dialog', { name: 'Action Required' })).toBeNull();
}
