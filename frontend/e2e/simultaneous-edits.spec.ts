// Edits of two users at the same time: the second write after the same read is refused, and merged.

import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { gate } from './support/gate';
import { Ui } from './support/ui';

const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });
const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
});

/** Calls `beforeWrite` before each PUT of the page with its number. Returns the statuses of the responses. */
async function interceptWrites(page: Page, beforeWrite: (number: number) => Promise<void>): Promise<number[]> {
  const statuses: number[] = [];
  let writes = 0;
  await page.route('**/api/admin/**', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    writes += 1;
    await beforeWrite(writes);
    const response = await route.fetch();
    statuses.push(response.status());
    await route.fulfill({ response });
  });
  return statuses;
}

test.describe('of a toggle', { tag: '@embedded' }, () => {
  test.beforeEach(({ flags }) => flags.create({ name: 'shop.basket', strategies: [rollout('25'), users('ada')] }));

  test('are both stored if they change different strategies', async ({ page, context, flags }) => {
    const [mine, other] = [new Ui(page), new Ui(await context.newPage())];
    await mine.activation.open('shop.basket');
    await mine.activation.rolloutField('flexibleRollout').fill('50');
    await other.activation.open('shop.basket');
    await other.activation.strategy('userWithId').getByLabel('userIds').fill('grace,');
    // Both users have read the toggle before the first write.
    let waiting = 0;
    const bothHaveRead = gate();
    const waitForBoth = (number: number) => {
      if (number === 1) waiting += 1;
      if (waiting === 2) bothHaveRead.open();
      return bothHaveRead.opened;
    };
    const statuses = [await interceptWrites(page, waitForBoth), await interceptWrites(other.page, waitForBoth)];
    await mine.activation.saveButton('flexibleRollout').click();
    await other.activation.saveButton('userWithId').click();
    for (const { page: saving } of [mine, other]) await expect(saving.getByText('Unsaved')).toHaveCount(0);
    expect(statuses.flat().sort()).toEqual([200, 200, 412]);
    expect((await flags.find('shop.basket'))?.strategies).toEqual([rollout('50'), users('ada,grace')]);
    await other.page.close();
  });

  test('are shown as a conflict if they change the same strategy', async ({ page, ui, flags }) => {
    await ui.activation.open('shop.basket');
    await ui.activation.rolloutField('flexibleRollout').fill('50');
    const statuses = await interceptWrites(page, async (number) => {
      if (number === 1) await flags.update('shop.basket', { strategies: [rollout('75'), users('ada')] });
    });
    await ui.activation.saveButton('flexibleRollout').click();
    await expect(ui.dialog.getByRole('radio', { name: 'Saved version' })).toHaveAccessibleName(/rollout 25 → 75\s%/);
    expect(statuses).toEqual([412]);
    expect((await flags.find('shop.basket'))?.strategies).toEqual([rollout('75'), users('ada')]);
    await ui.dialog.getByRole('radio', { name: 'Your version' }).check();
    await ui.dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect(statuses).toEqual([412, 200]);
    expect((await flags.find('shop.basket'))?.strategies).toEqual([rollout('50'), users('ada')]);
  });

  test('are not refused because of reported usage', async ({ page, ui, flags }) => {
    await ui.activation.open('shop.basket');
    await ui.activation.rolloutField('flexibleRollout').fill('50');
    const statuses = await interceptWrites(page, async () => {
      await flags.report({ 'shop.basket': { yes: 1, no: 0 } });
      await flags.get('admin/metrics/applications');
    });
    await ui.activation.saveButton('flexibleRollout').click();
    await expect(page.getByText('Unsaved')).toHaveCount(0);
    expect(statuses).toEqual([200]);
  });
});

const HOOK = {
  provider: 'webhook',
  description: 'Old',
  enabled: true,
  events: ['feature-created'],
  parameters: { url: 'http://127.0.0.1:9/hook' },
};

/** An item with an edit page: how it is created and read, and a change of another field than the description. */
const ITEMS = [
  {
    noun: 'context field',
    path: 'admin/context',
    item: { name: 'region', description: 'Old' },
    at: 'admin/context/region',
    page: 'context/edit/region',
    theirs: { stickiness: true },
  },
  {
    noun: 'project',
    path: 'admin/projects',
    item: { id: 'web', name: 'Web', description: 'Old' },
    at: 'admin/projects/web',
    page: 'projects/edit/web',
    theirs: { name: 'Website' },
  },
  {
    noun: 'tag type',
    path: 'admin/tag-types',
    item: { name: 'team', description: 'Old', icon: '*' },
    at: 'admin/tag-types/team',
    page: 'tag-types/edit/team',
    theirs: { icon: '!' },
  },
  {
    noun: 'addon',
    path: 'admin/addons',
    item: HOOK,
    at: 'admin/addons/1',
    page: 'addons/edit/1',
    theirs: { events: ['feature-archived'], parameters: { url: '*****' } },
  },
  {
    noun: 'strategy',
    path: 'admin/strategies',
    item: { name: 'byRegion', description: 'Old', parameters: [] },
    at: 'admin/strategies/byRegion',
    page: 'strategies/edit/byRegion',
    theirs: { parameters: [{ name: 'area', type: 'string', description: '', required: false }] },
  },
];

for (const [index, { noun, path, item, at, page: editPage, theirs }] of ITEMS.entries()) {
  // The forms share one way to save.
  const tag = index === 0 ? ['@embedded'] : ['@embedded', '@ci'];

  test(`of a ${noun} are merged, and a conflict is not overwritten`, { tag }, async ({ page, ui, flags }) => {
    await flags.post(path, item);
    const stored = async () => {
      const body = await flags.get<Record<string, unknown>>(at);
      return body['tagType'] ?? body;
    };
    await page.goto(editPage);
    const description = page.getByLabel('Description', { exact: true }).first();
    await description.fill('Mine');
    const statuses = await interceptWrites(page, async (number) => {
      if (number === 1) await flags.put(at, { ...item, ...theirs });
    });
    await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => statuses).toEqual([412, 200]);
    await expect(page).not.toHaveURL(/edit/);
    expect(await stored()).toMatchObject({ ...theirs, description: 'Mine' });

    await page.goto(editPage);
    await description.fill('Mine again');
    await page.unroute('**/api/admin/**');
    const later = await interceptWrites(page, async (number) => {
      if (number === 1) await flags.put(at, { ...item, ...theirs, description: 'Theirs' });
    });
    await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(ui.dialog).toContainText(`This ${noun} changed while you were editing`);
    await expect(ui.dialog.getByRole('radio', { name: 'Saved version' })).toHaveAccessibleName(/“Theirs”/);
    expect(later).toEqual([412]);
    expect(await stored()).toMatchObject({ description: 'Theirs' });
  });
}
