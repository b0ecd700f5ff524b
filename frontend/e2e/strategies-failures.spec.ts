// Strategy definitions with stubbed responses: failures, delays and unusual data.

import { expect, stubTest } from './support/fixtures';
import { gate } from './support/gate';
import { BY_REGION, section } from './support/strategies';
import { toggle } from './support/stubUpstream';

stubTest.describe('with stubbed responses', { tag: '@stub' }, () => {
  const definition = { ...BY_REGION, description: null, editable: true, deprecated: false };
  const LIST = 'GET /api/admin/strategies';

  stubTest('a definition shows that it is loading [S2-077] [S2-078] [S8-034]', async ({ page, ui, stub }) => {
    const { opened, open } = gate();
    stub.respond(LIST, async () => {
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
    'the card of a toggle shows that its definition is loading, and its values if that fails [S2-077]',
    async ({ page, ui, stub }) => {
      const { opened, open } = gate();
      const basket = toggle('shop.basket', { strategies: [{ name: 'byRegion', parameters: { regions: 'no,se' } }] });
      stub.respond('GET /api/admin/features', { body: { version: 1, features: [basket] } });
      stub.respond('GET /api/admin/features/shop.basket/tags', { body: { version: 1, tags: [] } });
      stub.respond(LIST, async () => {
        await opened;
        return { status: 418, body: { message: 'Short and stout' } };
      });
      const card = ui.activation.strategy('byRegion');
      await page.goto('features/strategies/shop.basket');
      await expect(card).toContainText('Loading definition...');
      open();
      await expect(card).toContainText('The strategy definition could not be loaded');
      await expect(card).not.toContainText('Loading definition...');
      await expect(card).toContainText('no,se');
      stub.respond(LIST, { body: { version: 1, strategies: [definition] } });
      await page.reload();
      await expect(card.getByRole('button', { name: 'Remove no' })).toBeVisible();
      await expect(card).not.toContainText('definition');
    },
  );

  stubTest('each section that failed to load shows its own error [S8-018]', async ({ page, ui, stub }) => {
    stub.respond(LIST, { status: 418, body: { message: 'Short and stout' } });
    await page.goto('strategies');
    await expect(ui.main).toContainText('The strategies could not be loaded');
    await page.goto('strategies/view/byRegion');
    await expect(ui.main).toContainText('Short and stout');
    stub.respond(LIST, { body: { version: 1, strategies: [definition] } });
    stub.respond('GET /api/admin/metrics/applications', { status: 418, body: { message: 'No applications today' } });
    await ui.main.getByRole('button', { name: 'Retry' }).click();
    await expect(section(ui.main, 'Applications using it')).toContainText('No applications today');
    await expect(section(ui.main, 'Applications without it')).toContainText('No applications today');
    await expect(section(ui.main, 'Toggles using it')).toContainText('No toggles use it.');
    stub.respond('GET /api/admin/metrics/applications', { body: { applications: [] } });
    await section(ui.main, 'Applications using it').getByRole('button', { name: 'Retry' }).click();
    await expect(ui.main).toContainText('No applications report that they implement it.');
  });

  for (const [action, call, deprecated] of [
    ['Deprecate', 'POST /api/admin/strategies/byRegion/deprecate', false],
    ['Reactivate', 'POST /api/admin/strategies/byRegion/reactivate', true],
    ['Delete', 'DELETE /api/admin/strategies/byRegion', false],
  ] as const) {
    stubTest(`a failure of ${action} is shown in the dialog, which stays open [S8-018]`, async ({ page, ui, stub }) => {
      stub.respond(LIST, { body: { version: 1, strategies: [{ ...definition, deprecated }] } });
      stub.respond('GET /api/admin/metrics/applications', { body: { applications: [] } });
      stub.respond(call, { status: 403 });
      await page.goto('strategies');
      await ui
        .row('byRegion')
        .getByRole('button', { name: `${action} byRegion` })
        .click();
      await ui.dialog.getByRole('button', { name: action }).click();
      await expect(ui.dialog.getByRole('alert')).toContainText('You cannot perform this action');
      await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(ui.row('byRegion')).toBeVisible();
    });
  }
});
