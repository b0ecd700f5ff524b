// Segments: the list, their form, their choice in strategies, and servers without segments.

import type { SegmentsResponse } from '../src/api/generated/types';
import { axeViolations } from './support/accessibility';
import { expect, stubTest, test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

const NORDIC = {
  name: 'nordic-users',
  description: 'Norway and Sweden',
  constraints: [{ contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }],
};

test.describe('segments', { tag: '@embedded' }, () => {
  test.beforeEach(async ({ flags }) => {
    for (const name of ['country', 'address']) await flags.post('admin/context', { name });
  });

  test('a segment is created, chosen in a strategy, named in its sentence, and cannot be removed while in use', async ({
    page,
    ui,
    flags,
  }) => {
    await flags.create({ name: 'shop.pay', enabled: true, strategies: [{ name: 'default' }] });
    await page.goto('strategies');
    await ui.menu.getByRole('link', { name: 'Segments' }).click();
    await expect(page).toHaveTitle('Segments - Flagdeck');
    await expect(ui.main.getByRole('heading', { name: 'No segments' })).toBeVisible();
    await ui.main.getByRole('link', { name: 'New segment' }).first().click();
    await page.getByLabel('Name').fill('office');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(ui.main.getByRole('alert')).toContainText('everyone is in the segment');
    await page.getByRole('button', { name: 'Add constraint' }).click();
    const constraint = page.getByRole('group', { name: 'Constraint 1' });
    await ui.activation.constraintItem('address').click();
    await expect(constraint.getByLabel('Values')).toBeFocused();
    await constraint.getByLabel('Operator').selectOption('is in one of the networks');
    await constraint.getByLabel('Values').fill('10.0.0.0/8, host,');
    await expect(constraint).toContainText('Client libraries since Node.js 6.11');
    await page.keyboard.press('Tab');
    await expect(constraint).toContainText('host is not an IP address or a network');
    await constraint.getByRole('button', { name: 'Remove host' }).click();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(ui.row('office')).toContainText('address is in the network 10.0.0.0/8');
    await expect(ui.row('office')).toContainText('no toggle');

    await ui.activation.open('shop.pay');
    const strategy = ui.activation.strategy('default');
    await ui.activation.addConstraint('default', 'Segment office');
    await expect(strategy).toContainText('Everyone in segment office');
    await expect(page.getByRole('region', { name: 'Unsaved changes' })).toContainText('1');
    await ui.activation.saveButton('default').click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    const { segments } = await flags.get<SegmentsResponse>('admin/segments');
    expect(await flags.find('shop.pay')).toMatchObject({ strategies: [{ segments: [segments[0]?.id] }] });

    await page.goto('segments');
    await expect(ui.row('office')).toContainText('1 toggle');
    await expect(ui.row('office').getByRole('button', { name: 'Remove office' })).toBeDisabled();
    await ui.row('office').getByRole('link', { name: 'office', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Toggles that use this segment' })).toContainText('shop.pay');
    await page.getByLabel('Name').fill('offices');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(ui.row('offices')).toBeVisible();
    await page.goto('history');
    await expect(ui.main).toContainText('offices');
  });

  test('an archived toggle that uses a segment is the reason of a refusal, and the page fits on a phone', async ({
    page,
    ui,
    flags,
  }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await flags.post('admin/segments', NORDIC);
    const id = (await flags.get<SegmentsResponse>('admin/segments')).segments[0]?.id ?? 0;
    await flags.create({ name: 'shop.old', strategies: [{ name: 'default', ...{ segments: [id] } }] });
    await flags.archive('shop.old');
    await page.goto('segments');
    await ui.row('nordic-users').getByRole('button', { name: 'Remove nordic-users' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(page.getByRole('dialog')).toContainText('is used by shop.old (archived)');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.goto(`segments/edit/${id}`);
    await expect(page.getByRole('group', { name: 'Constraint 1' })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});

stubTest.describe('a server without segments', { tag: '@stub' }, () => {
  stubTest('has no link to them, and the page explains it', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.pay', {})] } });
    await page.goto('strategies');
    await expect(ui.main.getByRole('link', { name: 'Context fields' })).toBeVisible();
    await expect(ui.menu.getByRole('link', { name: 'Segments' })).toHaveCount(0);
    await page.goto('segments');
    await expect(ui.main.getByRole('heading', { name: 'This server does not support segments' })).toBeVisible();
    await page.goto('segments/edit/7');
    await expect(ui.main.getByRole('heading', { name: 'This server does not support segments' })).toBeVisible();
    expect(stub.called('GET /api/admin/segments')).toEqual([]);
  });
});
