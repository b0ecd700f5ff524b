import { expect, type Locator, type Page } from '@playwright/test';
import { REQUIRE } from './sdk';

/** The panel that evaluates a toggle, on its activation tab. */
export class Lab {
  readonly page: Page;
  readonly panel: Locator;
  /** Dialog for pasting a population. */
  readonly dialog: Locator;
  /** Result for one context; with unsaved edits, before and after them. */
  readonly result: Locator;
  /** Counts of a population. */
  readonly counts: Locator;

  constructor(page: Page) {
    this.page = page;
    this.panel = page.getByRole('region', { name: 'Who gets it, and why?' });
    this.dialog = page.getByRole('dialog', { name: 'Compare users' });
    this.result = this.panel.getByRole('status', { name: 'Result of the context' });
    this.counts = this.panel.getByRole('table', { name: 'Results of the population' });
  }

  /** Evaluates without a context: Enter in an empty field. */
  async open(): Promise<void> {
    await this.panel.locator('input').first().press('Enter');
  }

  field(name: string): Locator {
    return this.panel.getByLabel(name, { exact: true });
  }

  /** Types the value of a context field and applies it. */
  async fill(name: string, value: string): Promise<void> {
    await this.field(name).fill(value);
    await this.field(name).press('Enter');
  }

  /** The result before or after unsaved edits. */
  side(name: 'Saved' | 'Unsaved'): Locator {
    return this.result.getByRole('region', { name, exact: true });
  }

  /** The sentence about a population. */
  get summary(): Locator {
    return this.panel.getByRole('status').filter({ hasText: / of (this|these) / });
  }

  async openDialog(): Promise<void> {
    const add = this.panel.getByRole('button', { name: /^(Add|Replace) users$/ });
    const compare = this.panel.getByRole('button', { name: 'Compare users' });
    await expect(add.or(compare)).toBeVisible();
    if (await compare.isVisible()) await compare.click();
    await add.click();
    await expect(this.dialog).toBeVisible();
  }

  /** Pastes one id per line into the dialog and evaluates. */
  async paste(text: string, format: 'List' | 'CSV' = 'List'): Promise<void> {
    await this.openDialog();
    await this.dialog.getByRole('radio', { name: format }).check();
    await this.enter(text);
    await this.evaluate();
  }

  /** Enters a text into the open dialog. Long texts must be pasted, as by users: they are not shown. */
  async enter(text: string): Promise<void> {
    const field = this.dialog.getByLabel('Contexts');
    if (text.length <= 2000) return field.fill(text);
    await field.evaluate((one, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      one.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  }

  async evaluate(): Promise<void> {
    await this.dialog.getByRole('button', { name: 'Evaluate' }).click();
  }

  /** The cells of a row of the counts: numbers with shares. */
  countsOf(name: string): Locator {
    return this.counts.getByRole('row').filter({ has: this.page.getByRole('rowheader', { name, exact: true }) });
  }
}

/** Returns the bucket (1 to 100) on which client libraries place an id, computed without the evaluation under test. */
export function bucketOf(id: string, group: string): number {
  const { x86 } = REQUIRE('murmurhash3js');
  return (x86.hash32(`${group}:${id}`, 0) % 100) + 1;
}
