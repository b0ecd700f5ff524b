// Failed reads of strategy definitions. Their actions: src/features/strategies/strategyFailures.test.tsx.

import { expect, stubTest } from './support/fixtures';
import { BY_REGION, section } from './support/strategies';

stubTest.describe('with stubbed responses', { tag: '@stub' }, () => {
  const definition = { ...BY_REGION, description: null, editable: true, deprecated: false };
  const LIST = 'GET /api/admin/strategies';

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
});
