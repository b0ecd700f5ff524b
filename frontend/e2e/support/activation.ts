import { expect, type Locator, type Page } from '@playwright/test';

/** The strategies of a toggle and their constraints, on its activation tab and in the form for a new toggle. */
export class Activation {
  readonly page: Page;
  private readonly main: Locator;

  constructor(page: Page) {
    this.page = page;
    this.main = page.getByRole('main');
  }

  /** Opens the page of a toggle with the fields of all strategies. */
  async open(toggle: string): Promise<void> {
    await this.page.goto(`features/strategies/${encodeURIComponent(toggle)}`);
    await this.editAll();
  }

  /** Shows the fields of all strategies. */
  async editAll(): Promise<void> {
    // Other pages have list items with titles as well: after a navigation inside the console, such a page can still be shown.
    await expect(
      this.main.locator('button:is([aria-label^="Edit "], [aria-label^="Fields of "])[aria-expanded]').first(),
    ).toBeVisible();
    const closed = this.main.locator('button[aria-label^="Edit "][aria-expanded=false]');
    for (let left = (await closed.count()) - 1; left >= 0; left -= 1) {
      // With the keyboard: while the page loads, its layout can move the button away from a click. One after the other: a second
      // press on the same button would hide the fields again.
      await closed.first().press('Enter');
      await expect(closed).toHaveCount(left);
    }
  }

  /** Button that shows the fields of a strategy, and hides them again. */
  editButton(strategy: string): Locator {
    const label = strategy.replace(/[.()]/g, String.raw`\$&`);
    return this.main.getByRole('button', { name: new RegExp(`^(Edit|Fields of) ${label}$`) });
  }

  /** Shows the stickiness and the group of a rollout. */
  async openDetails(strategy: string): Promise<void> {
    await this.strategy(strategy)
      .getByRole('button', { name: /^(Change|Hide) stickiness and group$/ })
      .click();
  }

  /** The users that no strategy selects. */
  get rest(): Locator {
    return this.main.getByTestId('rest');
  }

  /** The row of one strategy. */
  strategy(name: string): Locator {
    return this.page.getByRole('group', { name });
  }

  /** The titles of the cards, from top to bottom. */
  titles(): Locator {
    return this.main.getByRole('listitem').getByRole('heading', { level: 3 });
  }

  rolloutField(strategy: string): Locator {
    return this.strategy(strategy).getByLabel('Rollout', { exact: true });
  }

  /** A constraint of a strategy, counted from 1: its editor, or, while that is closed, its words in the sentence. */
  constraint(strategy: string, number = 1): Locator {
    const label = `Constraint ${number}`;
    return this.strategy(strategy)
      .getByRole('group', { name: label })
      .or(
        this.strategy(strategy)
          .and(this.page.locator(`fieldset:not(:has([aria-label="${label}"]))`))
          .locator(`[data-constraint="${number}"]`),
      );
  }

  /** The sentence of a constraint, which opens its editor. */
  constraintSentence(strategy: string, number = 1): Locator {
    return this.strategy(strategy).locator(`[data-constraint="${number}"]`);
  }

  // Adding a strategy.

  get addStrategyButton(): Locator {
    return this.page.getByRole('button', { name: 'Add strategy' });
  }

  /** The strategies that can be added. */
  get addStrategyMenu(): Locator {
    return this.page.getByRole('dialog', { name: 'Add strategy' });
  }

  /** Whether a new strategy takes the place of all others. */
  get replaceRules(): Locator {
    return this.addStrategyMenu.getByRole('switch', { name: 'Replace the rules' });
  }

  /** An item of the menu of strategies, by its technical name. A label is before it. */
  strategyItem(name: string): Locator {
    return this.addStrategyMenu.getByRole('option', { name: new RegExp(`(^| )${name}$`) });
  }

  /** An item of the menu of constraints: a field such as `region`, or a complete constraint, such as `region is eu`. */
  constraintItem(name: string): Locator {
    return this.page.getByRole('dialog', { name: 'Add constraint' }).getByRole('gridcell', { name, exact: true });
  }

  /** The item of an open menu that Enter chooses. */
  get highlightedItem(): Locator {
    return this.page.getByRole('dialog').locator('[data-highlighted]');
  }

  async openAddStrategyMenu(): Promise<void> {
    await this.addStrategyButton.click();
    await expect(this.addStrategyMenu.getByRole('option').first()).toBeVisible();
  }

  /** Adds a strategy next to the others, also next to `default`. */
  async addStrategy(name: string): Promise<void> {
    await this.openAddStrategyMenu();
    if (await this.replaceRules.isVisible()) await this.replaceRules.uncheck();
    await this.strategyItem(name).click();
    await expect(this.strategy(name)).toBeVisible();
  }

  /** Adds a constraint to a strategy whose fields are shown: of a field such as `region`, or complete, such as `region is eu`. */
  async addConstraint(strategy: string, item: string): Promise<void> {
    const card = this.strategy(strategy);
    await card.getByRole('button', { name: 'Add constraint' }).click();
    await this.constraintItem(item).click();
  }

  // The menu of a card.

  menuButton(strategy: string): Locator {
    return this.main.getByRole('button', { name: `Actions for ${strategy}`, exact: true });
  }

  /**
   * Chooses from the menu of a card. The page can move between the steps of a click, for example when warnings appear: then the click
   * closes the menu or is lost, and the test clicks again, as a user does.
   */
  async choose(strategy: string, item: 'Discard changes' | 'Copy as JSON' | 'Remove'): Promise<void> {
    const found = this.page.getByRole('menuitem', { name: item });
    await expect(async () => {
      if (await found.isHidden()) await this.menuButton(strategy).click();
      await found.click({ timeout: 5_000 });
      await expect(found).toBeHidden({ timeout: 5_000 });
    }).toPass();
  }

  // Unsaved changes.

  /** The mark of each unsaved card. */
  get unsavedCards(): Locator {
    return this.main.getByText('Unsaved', { exact: true });
  }

  /** The bar with the number of unsaved changes. */
  get unsavedBar(): Locator {
    return this.page.getByRole('region', { name: 'Unsaved changes' });
  }

  /** Saves one card. */
  saveButton(strategy: string): Locator {
    return this.main.getByRole('button', { name: `Save ${strategy}`, exact: true });
  }

  get saveAll(): Locator {
    return this.main.getByRole('button', { name: 'Save all' });
  }
}
