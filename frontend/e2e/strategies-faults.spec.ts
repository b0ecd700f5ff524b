// Strategy definitions where the server fails, is slow or is odd.

import { expect, stubTest } from './support/fixtures';
import { gate } from './support/gate';
import { BY_REGION, part } from './support/strategies';
import { toggle } from './support/stubUpstream';

stubTest.describe('where the server has its own mind', { tag: '@stub' }, () => {
  const definition = { ...BY_REGION, description: null, editable: true, deprecated: false };
  const LIST = 'GET /api/admin/strategies';

  stubTest('a definition says that it is on its way [S2-077] [S2-078] [S8-034]', async ({ page, ui, stub }) => {
    const { opened, open } = gate();
    stub.answer(LIST, async () => {
      await opened;
      return { body: { version: 1, strategies: [definition] } };
    });
    await page.goto('strategies/view/byRegion');
    await expect(ui.main).toContainText('Loading definition...');
    await expect(ui.main.getByRole('progressbar')).toBeVisible();
    open();
    await expect(ui.row('regions')).toBeVisible();
    await expect(ui.main).toContainText('Unknown');
    await expect(ui.main).not.toContainText('Loading definition...');
  });

  stubTest(
    'the card of a toggle says so too, and shows what it holds where it never comes [S2-077]',
    async ({ page, ui, stub }) => {
      const { opened, open } = gate();
      const basket = toggle('shop.basket', { strategies: [{ name: 'byRegion', parameters: { regions: 'no,se' } }] });
      stub.answer('GET /api/admin/features', { body: { version: 1, features: [basket] } });
      stub.answer('GET /api/admin/features/shop.basket/tags', { body: { version: 1, tags: [] } });
      stub.answer(LIST, async () => {
        await opened;
        return { status: 418, body: { message: 'Short and stout' } };
      });
      const card = ui.strategy('byRegion');
      await page.goto('features/strategies/shop.basket');
      await expect(card).toContainText('Loading definition...');
      open();
      await expect(card).toContainText('The strategy definition could not be loaded');
      await expect(card).not.toContainText('Loading definition...');
      await expect(card).toContainText('no,se');
      stub.answer(LIST, { body: { version: 1, strategies: [definition] } });
      await page.reload();
      await expect(card.getByRole('button', { name: 'Remove no' })).toBeVisible();
      await expect(card).not.toContainText('definition');
    },
  );

  stubTest('what cannot be read says so, each part on its own [S8-018]', async ({ page, ui, stub }) => {
    stub.answer(LIST, { status: 418, body: { message: 'Short and stout' } });
    await page.goto('strategies');
    await expect(ui.main).toContainText('The strategies could not be loaded');
    await page.goto('strategies/view/byRegion');
    await expect(ui.main).toContainText('Short and stout');
    stub.answer(LIST, { body: { version: 1, strategies: [definition] } });
    stub.answer('GET /api/admin/metrics/applications', { status: 418, body: { message: 'No applications today' } });
    await ui.main.getByRole('button', { name: 'Retry' }).click();
    await expect(part(ui.main, 'Applications using it')).toContainText('No applications today');
    await expect(part(ui.main, 'Applications without it')).toContainText('No applications today');
    await expect(part(ui.main, 'Toggles using it')).toContainText('No toggles use it.');
    stub.answer('GET /api/admin/metrics/applications', { body: { applications: [] } });
    await part(ui.main, 'Applications using it').getByRole('button', { name: 'Retry' }).click();
    await expect(ui.main).toContainText('No applications report that they implement it.');
  });

  for (const [deed, call, deprecated] of [
    ['Deprecate', 'POST /api/admin/strategies/byRegion/deprecate', false],
    ['Reactivate', 'POST /api/admin/strategies/byRegion/reactivate', true],
    ['Delete', 'DELETE /api/admin/strategies/byRegion', false],
  ] as const) {
    stubTest(`${deed} that fails is told in the dialog, which stays [S8-018]`, async ({ page, ui, stub }) => {
      stub.answer(LIST, { body: { version: 1, strategies: [{ ...definition, deprecated }] } });
      stub.answer('GET /api/admin/metrics/applications', { body: { applications: [] } });
      stub.answer(call, { status: 403 });
      await page.goto('strategies');
      await ui
        .row('byRegion')
        .getByRole('button', { name: `${deed} byRegion` })
        .click();
      await ui.dialog.getByRole('button', { name: deed }).click();
      await expect(ui.dialog.getByRole('alert')).toContainText('You cannot perform this action');
      await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(ui.row('byRegion')).toBeVisible();
    });
  }
});
