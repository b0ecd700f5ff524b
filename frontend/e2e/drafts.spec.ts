// Unsaved input in forms: leaving the page asks for confirmation. All forms: src/testing/sessionForms.test.tsx.

import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import type { Flags } from './support/flags';

interface FormPage {
  name: string;
  url: string;
  prepare: (flags: Flags) => Promise<void>;
  /** Opens the form, if the page does not show it at once. */
  open?: (page: Page) => Promise<void>;
  /** The field to type in. */
  field: string;
  text: string;
  /** True if links cannot be clicked: a dialog covers them, or the click adds the typed value. */
  skipsLinks?: boolean;
  /** True if the field adds the typed text to a list when it loses the focus. */
  addsEntry?: boolean;
}

const toggle = (flags: Flags) => flags.create({ name: 'shop.basket' });

const FORMS: readonly FormPage[] = [
  { name: 'a copy', url: 'features/copy/shop.basket', prepare: toggle, field: 'Name', text: 'half.done' },
  {
    name: 'a variant',
    url: 'features/variants/shop.basket',
    prepare: toggle,
    open: (page) => page.getByRole('main').getByRole('button', { name: 'Add variant' }).click(),
    field: 'Name',
    text: 'half',
    skipsLinks: true,
  },
  {
    name: 'an entry of a list',
    url: 'features/strategies/shop.basket',
    prepare: (flags) =>
      flags.create({ name: 'shop.basket', strategies: [{ name: 'userWithId', parameters: { userIds: 'ada' } }] }),
    open: (page) => page.getByRole('main').getByRole('button', { name: 'Edit userWithId' }).click(),
    field: 'userIds',
    text: 'gra',
    skipsLinks: true,
    addsEntry: true,
  },
];

/** Leaves the page with `leave`, dismisses the browser's confirmation, and returns its type. */
async function declineAfter(page: Page, leave: () => Promise<unknown>): Promise<string> {
  const asked = page.waitForEvent('dialog');
  const left = leave();
  const question = await asked;
  await question.dismiss();
  await left;
  return question.type();
}

test.describe('leaving asks for confirmation and keeps the text typed for', { tag: '@embedded' }, () => {
  test.describe.configure({ timeout: 90_000 });

  for (const { name, url, prepare, open, field, text, skipsLinks = false, addsEntry = false } of FORMS) {
    test(name, async ({ page, ui, flags }) => {
      await prepare(flags);
      await page.goto('history');
      await expect(ui.main.getByRole('heading', { level: 1 })).toHaveText('Event history');
      // Navigates without loading the page, so that Back does not load it either.
      await page.evaluate((to) => {
        history.pushState({}, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
      }, url);
      await open?.(page);
      const input = page.getByRole('textbox', { name: field, exact: true }).or(page.getByLabel(field, { exact: true }));
      const typed = input.first();
      // Browsers ask only after an interaction with the page.
      await typed.click();
      await typed.fill(text);

      if (!skipsLinks) {
        await ui.menu.getByRole('link', { name: 'Archive' }).click();
        await ui.stay();
        await expect(typed).toHaveValue(text);
      }
      await typed.click();
      await page.evaluate(() => history.back());
      await ui.stay();
      if (addsEntry) await expect(page.getByRole('button', { name: `Remove ${text}` })).toBeVisible();
      await expect(typed).toHaveValue(addsEntry ? '' : text);
      // Escape closes only the question, not the dialog below it.
      await typed.click();
      await page.evaluate(() => history.back());
      await expect(ui.leaveDialog.getByRole('button', { name: 'Stay' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(ui.leaveDialog).toBeHidden();
      await expect(typed).toHaveValue(addsEntry ? '' : text);
      await typed.click();

      const close = () => page.close({ runBeforeUnload: true });
      expect(await declineAfter(page, close)).toBe('beforeunload');
      await expect(typed).toHaveValue(addsEntry ? '' : text);
    });
  }
});

test('several forms with typed text on one page ask once', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await ui.activation.open('shop.basket');
  await ui.activation.addStrategy('userWithId');
  await ui.main.getByRole('button', { name: 'Edit description' }).click();
  await ui.main.getByRole('textbox', { name: 'Description' }).fill('Half done');
  await ui.menu.getByRole('link', { name: 'Archive' }).click();
  await ui.discardAndLeave();
  await expect(page).toHaveURL(/\/archive$/);
  await expect(ui.leaveDialog).toBeHidden();
});

test.describe('while the form for a new toggle is open', { tag: '@embedded' }, () => {
  test('the browser asks before closing or reloading the window, even if nothing was typed [S2-044]', async ({
    page,
    ui,
  }) => {
    await page.goto('features/create');
    await ui.nameField.click();
    expect(await declineAfter(page, () => page.evaluate(() => location.reload()))).toBe('beforeunload');
    await ui.nameField.click();
    expect(await declineAfter(page, () => page.close({ runBeforeUnload: true }))).toBe('beforeunload');
    await expect(ui.nameField).toHaveValue('');
  });

  test('the browser does not ask after the form is left', async ({ page, ui }) => {
    const questions: string[] = [];
    page.on('dialog', (question) => {
      questions.push(question.type());
      void question.accept();
    });
    await page.goto('features/create');
    await ui.nameField.click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    const list = page.getByRole('link', { name: 'New toggle' }).first();
    await expect(list).toBeVisible();
    await page.reload();
    await expect(list).toBeVisible();
    expect(questions).toEqual([]);
  });
});
