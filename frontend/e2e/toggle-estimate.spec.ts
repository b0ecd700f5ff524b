// The audience of a toggle after an edit and after its save: the effect in words, the estimate, and its bar.

import { expect, test } from './support/fixtures';
import type { Ui } from './support/ui';

const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });
const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'userId', groupId: 'shop.basket' },
  constraints: [{ contextName: 'environment', operator: 'IN', values: ['production'] }],
});

const impact = (ui: Ui) => ui.main.getByRole('region', { name: 'Impact' });
const pending = (ui: Ui) => ui.main.getByRole('region', { name: 'Pending changes' });

test.describe('a toggle with traffic', { tag: '@embedded' }, () => {
  test.beforeEach(async ({ ui, flags }) => {
    await flags.create({ name: 'shop.basket', strategies: [rollout('50'), users('ada')] });
    await flags.report({ 'shop.basket': { yes: 9_000, no: 27_000 } });
    await ui.activation.open('shop.basket');
    await expect(impact(ui)).toContainText('9,000 of 36,000 checks per hour are yes (25 %)');
  });

  test('keeps the estimate of a save, also after a reload, until another user changes it', async ({
    page,
    ui,
    flags,
  }) => {
    await ui.activation.openDetails('flexibleRollout');
    await ui.activation.rolloutField('flexibleRollout').fill('10');
    await expect(impact(ui)).toContainText('after saving ≈ 1,800 (5 %)');
    await ui.activation.saveAll.click();
    const estimate = /≈ 1,800 \(5\s%\) of 36,000 checks per hour, estimated at .+; measured from .+ on\./;
    await expect(impact(ui)).toHaveText(estimate);
    await page.reload();
    await expect(impact(ui)).toHaveText(estimate);
    await flags.update('shop.basket', { strategies: [users('ada')] });
    await page.reload();
    await expect(impact(ui)).toContainText(/^At most 9,000 \(25\s%\) of 36,000 checks per hour/);
    await expect(impact(ui)).not.toContainText('1,800');
  });

  test('draws an edit that narrows within the calls of today', async ({ ui }) => {
    await ui.activation.openDetails('flexibleRollout');
    await ui.activation.addConstraint('flexibleRollout', 'appName');
    await expect(impact(ui)).toContainText('after saving at most 9,000 (25 %)');
    await expect(pending(ui)).toContainText('Narrows');
    const bar = await impact(ui).getByRole('img').boundingBox();
    const ends = await impact(ui)
      .getByRole('img')
      .locator('span')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().right));
    const share = (Math.max(...ends) - (bar?.x ?? 0)) / (bar?.width ?? 1);
    expect(share).toBeCloseTo(0.25, 2);
  });

  test('says that another user instead of one changes who gets it, and states both halves', async ({ ui }) => {
    const card = ui.activation.strategy('userWithId');
    await card.getByRole('button', { name: 'Remove ada' }).click();
    await expect(pending(ui)).toContainText('May widen');
    await card.getByLabel('userIds').fill('7,');
    await expect(pending(ui)).toContainText('Changes');
    await ui.activation.openDetails('flexibleRollout');
    await ui.activation.rolloutField('flexibleRollout').fill('25');
    await ui.main.getByRole('button', { name: 'Review changes' }).click();
    const review = ui.dialog.getByRole('region', { name: 'Impact' });
    await expect(review).toContainText('Changes who gets the feature');
    await expect(review).toContainText('New: 7. No longer: ada.');
  });
});
