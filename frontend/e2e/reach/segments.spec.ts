// Segments in front of a server with environments: all requests of their pages, and the reasons of the server.

import type { SegmentsResponse } from '../../src/api/generated/types';
import { expect, strategiesOf, test } from './api';

const NAME = 'shop.basket';
const PARAMETERS = { rollout: '25', stickiness: 'userId', groupId: NAME };
const ROLLOUT = { name: 'flexibleRollout', parameters: PARAMETERS, constraints: [], variants: [] };
const USERS = { contextName: 'userId', operator: 'IN', values: ['1'], inverted: false, caseInsensitive: false };

test.describe('a segment', { tag: '@smoke' }, () => {
  test('is created, chosen in a strategy, and named in the log', async ({ page, ui, server }) => {
    await server.createToggle(NAME, ROLLOUT);
    await server.call('POST', '/api/admin/segments', { name: 'taken', constraints: [USERS] });
    await page.goto('segments/create');
    await page.getByLabel('Name').fill('taken');
    await page.getByLabel('Name').press('Tab');
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription(/exists|taken/i);
    await page.getByLabel('Name').fill('office');
    await page.getByRole('button', { name: 'Add constraint' }).click();
    const constraint = page.getByRole('group', { name: 'Constraint 1' });
    await ui.activation.constraintItem('userId').click();
    await constraint.getByLabel('Values').fill('ann, ben,');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(ui.row('office')).toContainText('ann');
    await expect(ui.row('office')).toContainText('no toggle');

    await ui.activation.open(NAME);
    const strategy = ui.activation.strategy('flexibleRollout');
    await ui.activation.addConstraint('flexibleRollout', 'Segment office');
    await expect(strategy).toContainText('in segment office');
    await ui.activation.saveButton('flexibleRollout').click();
    await expect(ui.activation.unsavedCards).toHaveCount(0);
    const { segments } = (await server.call('GET', '/api/admin/segments')) as SegmentsResponse;
    const id = segments.find(({ name }) => name === 'office')?.id;
    expect(await server.strategies(NAME)).toMatchObject([{ segments: [id] }]);
    await ui.tab('Log').click();
    await expect(ui.main).toContainText('flexibleRollout segments: +\u00a0office');
  });

  test('is renamed, and deleted only when no strategy uses it', async ({ page, ui, server }) => {
    const { id } = await server.call('POST', '/api/admin/segments', { name: 'office', constraints: [USERS] });
    const [stored] = await server.createToggle(NAME, { ...ROLLOUT, segments: [id] });
    const choose = (segments: readonly number[]) =>
      server.call('PUT', `${strategiesOf(NAME)}/${stored.id}`, { ...ROLLOUT, segments });
    await page.goto('segments');
    await expect(ui.row('office')).toContainText('1 toggle');
    await expect(ui.row('office').getByRole('button', { name: 'Remove office' })).toBeDisabled();
    await ui.row('office').getByRole('link', { name: 'office', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Toggles that use this segment' })).toContainText(NAME);
    await choose([]);
    await page.getByLabel('Name').fill('offices');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(ui.row('offices')).toContainText('no toggle');
    await ui.row('offices').getByRole('button', { name: 'Remove offices' }).click();
    // Another user selects the segment while the dialog is open.
    await choose([id]);
    await ui.dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(ui.dialog.getByRole('alert')).toBeVisible();
    await choose([]);
    await ui.dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(ui.row('offices')).toHaveCount(0);
  });
});
