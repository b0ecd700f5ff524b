// Unsaved cards on the activation tab: leaving, ended sessions, failures and archived toggles.

import { EMAIL, expect, stubTest, test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

const QUESTION = 'Data will be lost if you leave the page, are you sure?';
const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
});

test.describe('leaving unsaved cards', { tag: '@embedded' }, () => {
  test.beforeEach(async ({ ui, flags }) => {
    await flags.create({ name: 'shop.basket', strategies: [rollout('25')] });
    await ui.openActivation('shop.basket');
    await ui.rolloutOf('flexibleRollout').fill('50');
  });

  for (const [how, link] of [
    ['by link', 'Archive'],
    ['by tab', 'Metrics'],
  ] as const) {
    test(`${how} asks for confirmation`, async ({ page, ui }) => {
      const questions: string[] = [];
      page.once('dialog', async (dialog) => {
        questions.push(dialog.message());
        await dialog.dismiss();
      });
      await page.getByRole('link', { name: link }).first().click();
      await expect.poll(() => questions).toEqual([QUESTION]);
      await expect(ui.rolloutOf('flexibleRollout')).toHaveValue('50');
      page.once('dialog', (dialog) => dialog.accept());
      await page.getByRole('link', { name: link }).first().click();
      await expect(ui.rolloutOf('flexibleRollout')).toHaveCount(0);
    });
  }

  test('by closing the window asks for confirmation', async ({ page, ui }) => {
    const confirmation = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await confirmation;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await expect(ui.rolloutOf('flexibleRollout')).toHaveValue('50');
  });

  test('does not ask after they are saved', async ({ page, ui }) => {
    page.on('dialog', (dialog) => {
      throw new Error(`unexpected confirmation: ${dialog.message()}`);
    });
    await ui.saveAll.click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    await page.getByRole('link', { name: 'Metrics' }).click();
    await expect(page).toHaveURL(/\/features\/view\/shop\.basket$/);
  });
});

test('an ended session keeps the cards, which can be saved after signing in', {
  tag: '@upstream',
}, async ({ page, context, ui, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [rollout('25')] });
  await ui.openActivation('shop.basket');
  await ui.rolloutOf('flexibleRollout').fill('50');
  await ui.addStrategy('userWithId');
  await context.clearCookies();
  await ui.saveAll.click();
  await ui.signInByEmail(EMAIL);
  await expect(ui.rolloutOf('flexibleRollout')).toHaveValue('50');
  await expect(page.getByText('Unsaved')).toHaveCount(2);
  await ui.saveAll.click();
  await expect(page.getByText('Unsaved')).toHaveCount(0);
  expect((await flags.find('shop.basket'))?.strategies?.map(({ name }) => name)).toEqual([
    'flexibleRollout',
    'userWithId',
  ]);
});

stubTest.describe('with stubbed responses', { tag: '@stub' }, () => {
  const stored = toggle('shop.basket', { strategies: [rollout('25')] });

  stubTest.beforeEach(async ({ stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [stored] } });
    stub.respond('GET /api/admin/features/shop.basket', { body: stored });
    stub.respond('GET /api/admin/context', { body: [{ name: 'userId', description: '', sortOrder: 1 }] });
  });

  stubTest('a failed save keeps the edited card and shows the reason', async ({ page, ui, stub }) => {
    await ui.openActivation('shop.basket');
    await ui.addStrategy('default');
    for (const [response, expected] of [
      [{ status: 500 }, /status 500/],
      [{ status: 403, body: { message: 'You need UPDATE_FEATURE' } }, 'You need UPDATE_FEATURE'],
      [{ status: 400, body: { isJoi: true, details: [{ message: 'strategies are odd' }] } }, 'strategies are odd'],
    ] as const) {
      stub.respond('PUT /api/admin/features/shop.basket', response);
      await ui.saveOf('default').click();
      await expect(ui.snackbar).toContainText(expected);
      await expect(page.getByText('Unsaved')).toHaveCount(1);
    }
    await stub.stop();
    // A poll may detect the outage first. The control is then disabled and shows the reason.
    await ui.saveOf('default').click({ force: true });
    await expect(page.getByRole('alert').filter({ hasText: 'Changes are disabled' })).toBeVisible();
    await expect(page.getByText('Unsaved')).toHaveCount(1);
  });

  stubTest('a save does not revive a toggle that was archived in the meantime', async ({ page, ui, stub }) => {
    await ui.openActivation('shop.basket');
    await ui.addStrategy('default');
    stub.respond('GET /api/admin/features/shop.basket', { status: 404 });
    await ui.saveOf('default').click();
    await expect(ui.snackbar).toContainText('could not be found');
    expect(stub.called('PUT /api/admin/features/shop.basket')).toEqual([]);
    await expect(page.getByText('Unsaved')).toHaveCount(1);
  });

  stubTest(
    'a user without permission sees the strategies and the reason [S2-055] [S6-005]',
    async ({ page, ui, stub }) => {
      stub.respond('GET /api/admin/user', { body: { email: 'reader@example.com', permissions: [] } });
      await page.goto('features/strategies/shop.basket');
      await expect(ui.main).toContainText('Read-only. You need the permission UPDATE_FEATURE for this.');
      await expect(ui.main.getByRole('article', { name: 'flexibleRollout' })).toContainText('25 %');
      await expect(ui.main.getByRole('spinbutton')).toHaveCount(0);
      await expect(ui.addStrategyControl).toHaveCount(0);
      stub.respond('GET /api/admin/user', {
        body: { email: 'writer@example.com', permissions: ['UPDATE_FEATURE'] },
      });
      await page.reload();
      await expect(ui.strategy('flexibleRollout').getByRole('button', { name: 'Add constraint' })).toBeVisible();
      await expect(ui.addStrategyControl).toBeVisible();
    },
  );
});

test.describe('a toggle that another user archives while its cards are edited', () => {
  test.beforeEach(async ({ page, ui, flags }) => {
    await flags.create({ name: 'shop.basket', strategies: [rollout('25')] });
    await ui.openActivation('shop.basket');
    await ui.rolloutOf('flexibleRollout').fill('50');
    await flags.archive('shop.basket');
    await ui.saveOf('flexibleRollout').click();
    await expect(ui.main.getByRole('alert')).toContainText('This toggle was archived while you were editing it.');
    await expect(page).toHaveURL(/\/features\/strategies\/shop\.basket$/);
    await expect(ui.rolloutOf('flexibleRollout')).toHaveValue('50');
    for (const control of [ui.saveAll, ui.main.getByRole('button', { name: 'Archive' })]) {
      await expect(control).toHaveAccessibleDescription('An archived toggle cannot be edited. Revive it first.');
    }
    await expect(ui.main.getByText('Archived', { exact: true })).toBeVisible();
  });

  test('can be revived, and the edits are then saved', async ({ page, ui, flags }) => {
    await ui.main.getByRole('alert').getByRole('button', { name: 'Revive' }).click();
    await expect(ui.main.getByRole('alert')).toHaveCount(0);
    await expect(ui.rolloutOf('flexibleRollout')).toHaveValue('50');
    await ui.saveAll.click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect((await flags.find('shop.basket'))?.strategies?.[0]?.parameters?.['rollout']).toBe('50');
  });

  test('lets the edits be copied and discarded', async ({ page, context, ui, flags }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await ui.main.getByRole('button', { name: 'Copy as JSON' }).click();
    await expect(ui.snackbar).toContainText('Copied.');
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied).toMatchObject({ name: 'shop.basket', strategies: [rollout('50')] });
    await ui.main.getByRole('button', { name: 'Discard changes' }).click();
    await expect(ui.main.getByText('Archived', { exact: true })).toBeVisible();
    await expect(ui.main.getByRole('article', { name: 'flexibleRollout' })).toContainText('25 %');
    expect((await flags.findArchived('shop.basket'))?.strategies?.[0]?.parameters?.['rollout']).toBe('25');
  });
});

stubTest(
  'a toggle that disappears while its cards are edited keeps the edits on the page',
  { tag: '@stub' },
  async ({ page, ui, stub }) => {
    const stored = toggle('shop.basket', { strategies: [rollout('25')] });
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [stored] } });
    stub.respond('GET /api/admin/features/shop.basket', { body: stored });
    await ui.openActivation('shop.basket');
    await ui.addStrategy('default');
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [] } });
    stub.respond('GET /api/admin/features/shop.basket', { status: 404 });
    await ui.saveOf('default').click();
    const notice = ui.main.getByRole('alert');
    await expect(notice).toContainText('This toggle is no longer in the list of toggles.');
    await expect(ui.main.getByText('Deleted', { exact: true })).toBeVisible();
    await expect(notice.getByRole('button', { name: 'Revive' })).toHaveCount(0);
    await expect(page.getByText('Unsaved', { exact: true })).toHaveCount(1);
    await notice.getByRole('button', { name: 'Discard changes' }).click();
    await expect(ui.main).toContainText('Could not find the toggle');
  },
);
