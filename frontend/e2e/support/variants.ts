import { expect, type Locator, type Page } from '@playwright/test';

/** The variants tab of a toggle. */
export class Variants {
  readonly page: Page;
  private readonly dialog: Locator;
  private readonly main: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.getByRole('dialog');
    this.main = page.getByRole('main');
  }

  /** The row of one variant. */
  row(name: string): Locator {
    return this.main.getByRole('row').filter({ has: this.page.getByRole('rowheader', { name, exact: true }) });
  }

  /** Opens the dialog for a variant; without a name, for a new one. */
  async open(name?: string): Promise<void> {
    await this.main.getByRole('button', { name: name === undefined ? 'Add variant' : `Edit ${name}` }).click();
    await expect(this.dialog.getByLabel('Name', { exact: true })).toBeVisible();
  }

  async save(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Save' }).click();
  }

  async add(name: string): Promise<void> {
    await this.open();
    await this.dialog.getByLabel('Name', { exact: true }).fill(name);
    await this.save();
    await expect(this.dialog).toBeHidden();
  }
}
