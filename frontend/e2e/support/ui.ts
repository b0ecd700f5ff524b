// Locators of the console's elements, by role and accessible name.

import { expect, type Locator, type Page } from '@playwright/test';

export class Ui {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
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

  /** Chooses a key of the sort menu. Phones have a select in the Filter panel instead. */
  async sortBy(key: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Sort by/ }).click();
    await this.page.getByRole('menuitemradio', { name: key, exact: true }).click();
  }

  columnHeader(name: string): Locator {
    return this.page.getByRole('columnheader', { name, exact: true });
  }

  /** The button in a column header that sorts the rows. */
  sortButton(column: string): Locator {
    return this.columnHeader(column).getByRole('button');
  }

  async chooseInterval(interval: 'Last minute' | 'Last hour'): Promise<void> {
    const radio = this.page.getByRole('radio', { name: interval });
    await radio.click();
    await expect(radio).toBeChecked();
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
    await this.page.getByRole('menuitem', { name: `Copy as ${format}`, exact: true }).click();
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

  get addStrategyControl(): Locator {
    return this.page.getByRole('button', { name: 'Add strategy' });
  }

  /** The card of one activation strategy. */
  strategy(name: string): Locator {
    return this.page.getByRole('group', { name });
  }

  // The activation tab of a toggle.

  get saveAll(): Locator {
    return this.main.getByRole('button', { name: 'Save all' });
  }

  /** The bar with the number of unsaved changes. */
  get unsavedBar(): Locator {
    return this.page.getByRole('region', { name: 'Unsaved changes' });
  }

  /** The mark of each unsaved card. */
  get unsavedCards(): Locator {
    return this.main.getByText('Unsaved', { exact: true });
  }

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

  strategyMenu(name: string): Locator {
    return this.main.getByRole('button', { name: `Actions for ${name}`, exact: true });
  }

  /** Chooses from the menu of a strategy's card. */
  async chooseForStrategy(name: string, item: 'Discard changes' | 'Copy as JSON' | 'Remove'): Promise<void> {
    await this.strategyMenu(name).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  saveOf(name: string): Locator {
    return this.main.getByRole('button', { name: `Save ${name}`, exact: true });
  }

  rolloutOf(name: string): Locator {
    return this.strategy(name).getByLabel('Rollout', { exact: true });
  }

  /** A constraint of a strategy, counted from 1. */
  constraint(strategy: string, number = 1): Locator {
    return this.strategy(strategy).getByRole('group', { name: `Constraint ${number}` });
  }

  /** The sentence of a constraint, which opens its editor. */
  constraintSentence(strategy: string, number = 1): Locator {
    return this.constraint(strategy, number).getByRole('button', { name: /^Edit constraint/ });
  }

  /** The titles of the cards, from top to bottom. */
  cards(): Locator {
    return this.main.getByRole('listitem').getByRole('heading', { level: 3 });
  }

  async openActivation(name: string): Promise<void> {
    await this.page.goto(`features/strategies/${encodeURIComponent(name)}`);
    await expect(this.cards().first()).toBeVisible();
  }

  async openCreateForm(): Promise<void> {
    await this.page.getByRole('link', { name: 'New toggle' }).first().click();
    await expect(this.nameField).toBeVisible();
  }

  /** The strategies that can be added. */
  get addStrategyMenu(): Locator {
    return this.page.getByRole('dialog', { name: 'Add strategy' });
  }

  async openAddStrategy(): Promise<void> {
    await this.addStrategyControl.click();
    await expect(this.addStrategyMenu.getByRole('menuitem').first()).toBeVisible();
  }

  get replaceDefault(): Locator {
    return this.addStrategyMenu.getByRole('checkbox', { name: 'Replace default' });
  }

  /** Adds a strategy next to the others, also next to `default`. */
  async addStrategy(name: string): Promise<void> {
    await this.openAddStrategy();
    if (await this.replaceDefault.isVisible()) await this.replaceDefault.uncheck();
    await this.addStrategyMenu.getByRole('menuitem', { name, exact: true }).click();
    await expect(this.strategy(name)).toBeVisible();
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
    await this.main.getByRole('button', { name: 'Status' }).click();
    await this.page.getByRole('menuitemradio', { name: item }).click();
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

  /** The row of one variant. */
  variant(name: string): Locator {
    return this.main.getByRole('row').filter({ has: this.page.getByRole('rowheader', { name, exact: true }) });
  }

  async openVariant(name?: string): Promise<void> {
    await this.main.getByRole('button', { name: name === undefined ? 'Add variant' : `Edit ${name}` }).click();
    await expect(this.dialog.getByLabel('Name', { exact: true })).toBeVisible();
  }

  async saveVariant(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Save' }).click();
  }

  async addVariant(name: string): Promise<void> {
    await this.openVariant();
    await this.dialog.getByLabel('Name', { exact: true }).fill(name);
    await this.saveVariant();
    await expect(this.dialog).toBeHidden();
  }

  async archiveFromDetail(): Promise<void> {
    await this.main.getByRole('button', { name: 'Archive' }).click();
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
    await this.page.getByRole('button', { name: 'Theme' }).click();
    await this.page.getByRole('menuitemradio', { name }).click();
  }

  backgroundColor(): Promise<string> {
    return this.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  }
}
