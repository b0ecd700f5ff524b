// Locators of the console's elements, by role and accessible name.

import { expect, type Locator, type Page } from '@playwright/test';
import { Activation } from './activation';
import { Variants } from './variants';

export class Ui {
  readonly page: Page;
  /** The strategies of a toggle. */
  readonly activation: Activation;
  /** The variants of a toggle. */
  readonly variants: Variants;

  constructor(page: Page) {
    this.page = page;
    this.activation = new Activation(page);
    this.variants = new Variants(page);
  }

  get search(): Locator {
    return this.page.getByRole('searchbox');
  }

  get menu(): Locator {
    return this.page.getByRole('navigation', { name: 'Main' });
  }

  get main(): Locator {
    return this.page.getByRole('main');
  }

  get footer(): Locator {
    return this.page.getByRole('contentinfo');
  }

  get footerMenu(): Locator {
    return this.footer.getByRole('navigation');
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  get signInDialog(): Locator {
    return this.page.getByRole('dialog', { name: 'Action Required' });
  }

  /** The newest message in the snackbar. */
  get snackbar(): Locator {
    return this.page.getByTestId('snackbar');
  }

  /** The line in the environment's colour at the top edge. */
  get environmentLine(): Locator {
    return this.page.getByTestId('environment-line');
  }

  /** The chip with the environment's name. */
  get environmentChip(): Locator {
    return this.page.getByTestId('environment');
  }

  /** The environment of a newer server, which is a menu if there are several. */
  get environmentPicker(): Locator {
    return this.page.getByTestId('server-environment');
  }

  get readOnlyChip(): Locator {
    return this.page.getByTestId('read-only');
  }

  /** The outage banner. */
  get outage(): Locator {
    return this.main.getByRole('alert').filter({ hasText: 'Changes are disabled' });
  }

  /** The row of one toggle in the list or the archive. */
  row(name: string): Locator {
    return this.page.getByRole('row').filter({ has: this.page.getByText(name, { exact: true }) });
  }

  switchOf(name: string): Locator {
    return this.row(name).getByRole('switch');
  }

  ringOf(name: string): Locator {
    return this.row(name).getByRole('img');
  }

  /** Chooses a sort key in the Filter panel. */
  async sortBy(key: string): Promise<void> {
    await this.openFilters();
    await this.filters.getByLabel('Sort by').selectOption({ label: key });
    await this.page.keyboard.press('Escape');
  }

  columnHeader(name: string): Locator {
    return this.page.getByRole('columnheader', { name, exact: true });
  }

  /** The button in a column header that sorts the rows. */
  sortButton(column: string): Locator {
    return this.columnHeader(column).getByRole('button');
  }

  async chooseInterval(interval: 'Last minute' | 'Last hour'): Promise<void> {
    await this.openFilters();
    const radio = this.filters.getByRole('radio', { name: interval });
    await radio.click();
    await expect(radio).toBeChecked();
    await this.page.keyboard.press('Escape');
  }

  rowMenuButton(name: string): Locator {
    return this.row(name).getByRole('button', { name: `Actions for ${name}` });
  }

  async openRowMenu(name: string): Promise<void> {
    await this.rowMenuButton(name).click();
    await expect(this.page.getByRole('menuitem').first()).toBeVisible();
  }

  /** Chooses from the menu at the end of a toggle's row. */
  async choose(name: string, item: string): Promise<void> {
    await this.openRowMenu(name);
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** The names of the visible rows, from top to bottom. */
  names(): Locator {
    return this.page.getByRole('rowheader').getByRole('link');
  }

  async expectNames(...names: string[]): Promise<void> {
    await expect(this.names()).toHaveText(names);
  }

  // Filters of the list.

  get filters(): Locator {
    return this.page.getByRole('group', { name: 'Filter', exact: true });
  }

  async openFilters(): Promise<void> {
    await this.page.getByRole('button', { name: 'Filter', exact: true }).click();
    await expect(this.filters.getByLabel('Type')).toBeVisible();
  }

  get activeFilters(): Locator {
    return this.page.getByRole('list', { name: 'Active filters' }).getByRole('listitem');
  }

  async removeFilter(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Remove filter: ${name}`, exact: true }).click();
  }

  /** The checkbox that selects a toggle's row. */
  checkboxOf(name: string): Locator {
    return this.page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
  }

  /** The bulk action bar. */
  get bulk(): Locator {
    return this.page.getByRole('region', { name: 'Selected toggles' });
  }

  async chooseBulkStatus(item: 'Enable' | 'Disable' | 'Mark stale' | 'Mark active'): Promise<void> {
    await this.bulk.getByRole('button', { name: 'Status' }).click();
    await this.bulk.getByRole('menuitem', { name: item }).click();
  }

  /** Opens the ⋯ menu of `subject` and chooses a format to copy it. */
  async copyAs(subject: string, format: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for ${subject}`, exact: true }).click();
    const submenu = this.page.getByRole('menuitem', { name: 'Copy as…' });
    const entry = this.page.getByRole('menuitem', { name: `Copy as ${format}`, exact: true });
    await expect(submenu.or(entry)).toBeVisible();
    if (await entry.isVisible()) return entry.click();
    await submenu.click();
    await this.page.getByRole('menuitem', { name: format, exact: true }).click();
  }

  /** Signs in with an email address. */
  async signInByEmail(email: string): Promise<void> {
    await this.signInDialog.getByLabel('Email').fill(email);
    await this.signInDialog.getByRole('button', { name: 'Sign in' }).click();
    await expect(this.signInDialog).toBeHidden();
  }

  /** Submits the form for user name and password. */
  async signInByPassword(username: string, password: string): Promise<void> {
    await this.signInDialog.getByLabel('Username').fill(username);
    await this.signInDialog.getByLabel('Password').fill(password);
    await this.signInDialog.getByRole('button', { name: 'Sign in' }).click();
  }

  // The form for a new toggle.

  get nameField(): Locator {
    return this.page.getByLabel('Name', { exact: true });
  }

  async openCreateForm(): Promise<void> {
    await this.page.getByRole('link', { name: 'New toggle' }).first().click();
    await expect(this.nameField).toBeVisible();
  }

  // Leaving a page with unsaved changes.

  /** Asks before unsaved changes are lost. */
  get leaveDialog(): Locator {
    return this.page.getByRole('dialog', { name: 'Unsaved changes' });
  }

  /** Checks that the page asks before it is left, and stays. */
  async stay(): Promise<void> {
    await expect(this.leaveDialog).toContainText('Data will be lost if you leave the page, are you sure?');
    await this.leaveDialog.getByRole('button', { name: 'Stay' }).click();
    await expect(this.leaveDialog).toBeHidden();
  }

  async discardAndLeave(): Promise<void> {
    await this.leaveDialog.getByRole('button', { name: 'Discard' }).click();
    await expect(this.leaveDialog).toBeHidden();
  }

  /** Decides the only conflict of a save. */
  async saveMerged(version: 'Your version' | 'Saved version'): Promise<void> {
    await this.dialog.getByRole('radio', { name: version }).check();
    await this.dialog.getByRole('button', { name: 'Save merged' }).click();
  }

  // The page of a toggle.

  tab(name: 'Activation' | 'Metrics' | 'Variants' | 'Log'): Locator {
    return this.page.getByRole('navigation', { name: 'Toggle sections' }).getByRole('link', { name });
  }

  /** The button that opens the choices of a property, such as the type. */
  property(label: 'Toggle type' | 'Project'): Locator {
    return this.main.getByRole('button', { name: new RegExp(`^${label}:`) });
  }

  async chooseProperty(label: 'Toggle type' | 'Project', choice: string): Promise<void> {
    await this.property(label).click();
    await this.page.getByRole('menuitemradio', { name: choice }).click();
  }

  async chooseStatus(item: 'Set toggle Active' | 'Mark toggle as Stale'): Promise<void> {
    await this.openToggleMenu();
    await this.page.getByRole('menuitem', { name: 'Status' }).click();
    await this.page.getByRole('menuitemradio', { name: item }).click();
  }

  async clone(): Promise<void> {
    await this.openToggleMenu();
    await this.page.getByRole('menuitem', { name: 'Clone' }).click();
  }

  /** The tags of the toggle, such as `simple: q4`. */
  get tags(): Locator {
    return this.main.getByRole('list', { name: 'Tags' }).getByRole('listitem');
  }

  async openAddTag(): Promise<void> {
    await this.main.getByRole('button', { name: 'Add tag' }).click();
    await expect(this.dialog.getByLabel('Value')).toBeVisible();
  }

  async addTag(value: string): Promise<void> {
    await this.openAddTag();
    await this.dialog.getByLabel('Value').fill(value);
    await this.dialog.getByRole('button', { name: 'Add tag' }).click();
  }

  /** A section of the metrics tab. */
  section(name: 'Calls' | 'Applications' | 'Times' | 'Strategies'): Locator {
    return this.main.getByRole('region', { name });
  }

  /** Opens the ⋯ menu in the header of a toggle. */
  async openToggleMenu(): Promise<void> {
    await this.main
      .locator('header')
      .first()
      .getByRole('button', { name: /^Actions for / })
      .click();
  }

  async archiveFromDetail(): Promise<void> {
    await this.openToggleMenu();
    await this.page.getByRole('menuitem', { name: 'Archive' }).click();
    await expect(this.dialog).toBeVisible();
  }

  // The frame of the page.

  async openDrawer(): Promise<void> {
    await this.page.getByRole('button', { name: 'Open menu' }).click();
    await expect(this.menu).toBeVisible();
  }

  get localeItems(): Locator {
    return this.page.getByRole('menuitemradio');
  }

  async openLocales(): Promise<void> {
    await this.page.getByRole('button', { name: 'Date and number format' }).click();
    await expect(this.localeItems.first()).toBeVisible();
  }

  async chooseLocale(name: RegExp): Promise<void> {
    await this.openLocales();
    await this.localeItems.filter({ hasText: name }).click();
  }

  async chooseTheme(name: 'Light' | 'Dark' | 'System'): Promise<void> {
    const user = this.page.getByRole('banner').getByRole('button').last();
    await user.click();
    await this.page.getByLabel('Theme').selectOption(name);
    await this.page.keyboard.press('Escape');
  }

  backgroundColor(): Promise<string> {
    return this.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  }
}
