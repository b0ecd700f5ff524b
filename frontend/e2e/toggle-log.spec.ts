// The log tab of a toggle: changes, full events and restoring versions.

import { chooseForEntry, entries, expandEntry } from './support/events';
import { EMAIL, expect, stubTest, test } from './support/fixtures';
import { storedSettings } from './support/storage';
import { type StubUpstream, toggle } from './support/stubUpstream';

test('lists every change with its author, type and diff, without the name in the heading [S1-003] [S2-007] [S2-065] [S3-024] [S3-025]', {
  tag: '@whole-toggle-events',
}, async ({ page, ui, flags, backend }) => {
  await flags.create({ name: 'shop.basket', description: 'Small' }, { name: 'shop.other' });
  await flags.update('shop.basket', { description: 'Large', enabled: false });
  await page.goto('features/strategies/shop.basket');
  await ui.tab('Log').click();
  await expect(page).toHaveURL(/\/features\/history\/shop\.basket$/);
  await expect(ui.main.getByRole('heading', { level: 1 })).toHaveText('shop.basket');
  await expect(ui.main.getByRole('heading', { level: 3 })).toHaveText('Today');
  await expect(entries(ui)).toHaveCount(2);
  const newest = entries(ui).first();
  await expect(newest).toContainText(backend === 'upstream' ? EMAIL : 'operator');
  await expect(newest).toContainText(/switched the toggle off.*description/);
  // The name of the toggle is the heading of the page.
  await expect(newest).not.toContainText('shop.basket');
  // The tooltip shows the exact time.
  await expect(newest.locator('time')).toHaveAttribute('data-tip', /\d\d:\d\d:\d\d/);
  await expandEntry(newest);
  await expect(newest).toContainText('feature-updated');
  const diff = newest.getByRole('listitem').getByRole('listitem');
  await expect(diff.filter({ hasText: 'description' })).toContainText(/Small.*Large/);
  await expect(diff.filter({ hasText: 'enabled' })).toContainText(/true.*false/);
  // Without a previous version, the event shows its data.
  await expandEntry(entries(ui).last());
  await expect(entries(ui).last()).toContainText('feature-created');
  await expect(entries(ui).last()).toContainText(/description\s*after: Small/);
});

test('an expanded change shows texts word by word', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  const payload = (value: string) => ({ variants: [{ ...VARIANT, payload: { type: 'json', value } }] });
  await flags.create({ name: 'shop.basket', description: 'Half of our customers see it.', ...payload('{"size": 1}') });
  await flags.update('shop.basket', { description: 'All of our customers saw it.', ...payload('{"size": 2}') });
  await page.goto('features/history/shop.basket');
  const newest = entries(ui).first();
  await expandEntry(newest);
  await expect(newest.locator('del')).toHaveText(['before: Half', 'before: see', 'before: 1']);
  await expect(newest.locator('ins')).toHaveText(['after: All', 'after: saw', 'after: 2']);
  await newest.getByRole('button', { expanded: true }).first().click();
  await expect(newest.locator('del')).toHaveCount(0);
});

const VARIANT = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' };

test('Full events shows the stored events, and the setting is kept [S2-064] [S3-038] [S3-036]', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await flags.update('shop.basket', { description: 'Large' });
  await page.goto('features/history/shop.basket');
  const newest = entries(ui).first();
  await expect(newest).not.toContainText('"name": "shop.basket"');
  await page.getByRole('switch', { name: 'Full events' }).click();
  await expect(newest).toContainText('"name": "shop.basket"');
  await expect(newest).toContainText('"description": "Large"');
  expect(await storedSettings(page)).toEqual({ '/:settings:history': { showData: true } });
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Full events' })).toBeChecked();
  await expect(newest).toContainText('"name": "shop.basket"');
});

test('a change in the header appears in the log at once', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await page.goto('features/history/shop.basket');
  await expect(entries(ui)).toHaveCount(1);
  await ui.main.getByRole('switch', { name: 'Enabled' }).click();
  await expect(ui.main.getByText('Disabled', { exact: true })).toBeVisible();
  await expect(entries(ui)).toHaveCount(2);
  await expect(entries(ui).first()).toContainText('switched the toggle off');
});

test('a version can be restored after a preview, and restoring can be undone', {
  tag: ['@whole-toggle-events', '@variant-stickiness'],
}, async ({ page, ui, flags }) => {
  const old = {
    description: 'Small',
    type: 'experiment',
    strategies: [{ name: 'userWithId', parameters: { userIds: 'ada' } }],
    variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
  };
  const now = {
    description: 'Large',
    type: 'release',
    strategies: [{ name: 'default', parameters: {} }],
    variants: [],
  };
  await flags.create({ name: 'shop.basket', ...old });
  await flags.update('shop.basket', now);
  await page.goto('features/history/shop.basket');
  // The current version has nothing to restore.
  await entries(ui)
    .first()
    .getByRole('button', { name: /^Actions for event/ })
    .click();
  await expect(page.getByRole('menuitem', { name: 'Restore this version' })).toContainText(
    'This is the current version.',
  );
  await page.keyboard.press('Escape');
  const restore = () => chooseForEntry(entries(ui).last(), 'Restore this version');
  await restore();
  await expect(ui.dialog).toContainText(/Large.*Small/);
  await expect(ui.dialog).toContainText(/userWithId.*1 user/);
  await ui.dialog.getByText('JSON diff').click();
  await expect(ui.dialog).toContainText(/description\s*−\s*before: "Large"\s*\+\s*after: "Small"/);
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  expect(await flags.find('shop.basket')).toMatchObject(now);

  await restore();
  await ui.dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(entries(ui)).toHaveCount(3);
  expect(await flags.find('shop.basket')).toMatchObject({ ...old, enabled: true });
  await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => flags.find('shop.basket')).toMatchObject(now);
});

test('a failed restore is shown in the dialog', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', description: 'Small' });
  await flags.update('shop.basket', { description: 'Large' });
  await page.goto('features/history/shop.basket');
  await page.route('**/api/admin/features/shop.basket', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, body: '' }) : route.fallback(),
  );
  await chooseForEntry(entries(ui).last(), 'Restore this version');
  await ui.dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(ui.dialog.getByRole('alert')).toContainText('status 500');
});

const diffs = [
  { kind: 'N', path: ['description'], rhs: '' },
  { kind: 'D', path: ['stale'], lhs: false },
  { kind: 'E', path: ['strategies', 0, 'parameters', 'count'], lhs: 0, rhs: null },
  { kind: 'A', path: ['variants'], index: 1, item: { kind: 'D', lhs: 'blue' } },
];

const event = (id: number, more: object) => ({
  id,
  type: 'feature-updated',
  createdBy: 'somebody',
  createdAt: '2026-01-05T10:00:00.000Z',
  data: { name: 'shop.basket' },
  diffs: null,
  ...more,
});

stubTest.describe('with stubbed events', { tag: '@stub' }, () => {
  stubTest.beforeEach(({ stub }) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  });

  stubTest('each kind of change shows its values, including false, 0, null and empty', async ({ page, ui, stub }) => {
    const events = [event(2, { diffs }), event(1, { diffs: [] })];
    stub.respond('GET /api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events } });
    await page.goto('features/history/shop.basket');
    await expandEntry(entries(ui).first());
    await expect(entries(ui).first().getByRole('listitem').getByRole('listitem')).toHaveText([
      /^description\s*after: ""$/,
      /^stale\s*before: false$/,
      /^strategies › 1 › parameters › count\s*before: 0 → after: null$/,
      /^variants › 2\s*before: blue$/,
    ]);
    await expect(entries(ui).last()).toContainText('without changes');
  });

  stubTest('a toggle without events shows an empty log', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events: [] } });
    await page.goto('features/history/shop.basket');
    await expect(ui.main).toContainText('No changes yet');
  });

  stubTest('restoring is disabled with a reason without the permission [S6-005]', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/user', { body: { email: 'reader@example.com', permissions: [] } });
    const events = [event(1, { data: toggle('shop.basket', { description: 'Small' }) })];
    stub.respond('GET /api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events } });
    await page.goto('features/history/shop.basket');
    await entries(ui)
      .getByRole('button', { name: /^Actions for event/ })
      .click();
    const restore = page.getByRole('menuitem', { name: 'Restore this version' });
    await expect(restore).toContainText('UPDATE_FEATURE');
    await expect(restore).toBeDisabled();
    await restore.click({ force: true });
    await expect(ui.dialog).toHaveCount(0);
  });

  stubTest('a log that failed to load can be retried [S8-019]', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/events/shop.basket', { status: 403, body: { message: 'No' } });
    await page.goto('features/history/shop.basket');
    await expect(ui.main.getByRole('alert')).toContainText('You cannot perform this action');
    stub.respond('GET /api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events: [event(1, {})] } });
    await ui.main.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    await expect(entries(ui)).toHaveCount(1);
  });
});

stubTest('fields that the server maintains appear in no diff', { tag: '@stub' }, async ({ page, ui, stub }) => {
  const noted = [
    { kind: 'E', path: ['lastSeenAt'], lhs: '2026-01-05T10:00:00.000Z', rhs: '2026-01-06T10:00:00.000Z' },
    { kind: 'N', path: ['createdAt'], rhs: '2026-01-05T10:00:00.000Z' },
  ];
  const event = { createdBy: 'ada@example.com', createdAt: '2026-01-06T10:00:00.000Z', data: toggle('shop.basket') };
  const stale = { kind: 'E', path: ['stale'], lhs: true, rhs: false };
  const events = [
    { ...event, id: 2, type: 'feature-stale-off', diffs: [...noted, stale] },
    { ...event, id: 1, type: 'feature-updated', diffs: noted },
  ];
  stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  stub.respond('GET /api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events } });
  stub.respond('GET /api/admin/events', { body: { events } });
  for (const address of ['features/history/shop.basket', 'history']) {
    await page.goto(address);
    await expect(entries(ui).first()).toContainText(/marked .+ as active/);
    await expandEntry(entries(ui).first());
    await expect(entries(ui).first().getByRole('listitem').getByRole('listitem')).toHaveText(/^stale/);
    await expect(entries(ui).last()).toContainText('without changes');
  }
});

stubTest.describe('fields that the server maintains', { tag: '@stub' }, () => {
  const PUT = 'PUT /api/admin/features/shop.basket';
  const seen = (lastSeenAt: string, description: string) => toggle('shop.basket', { description, lastSeenAt });
  const now = seen('2026-03-01T10:00:00.000Z', 'Large');
  const data = { ...seen('2026-01-05T10:00:00.000Z', 'Small'), createdAt: '2025-12-24T10:00:00.000Z' };

  const store = (stub: StubUpstream, stored: object) => {
    stub.respond('GET /api/admin/features', { body: { version: 1, features: [stored] } });
    stub.respond('GET /api/admin/features/shop.basket', { body: stored });
  };

  stubTest.beforeEach(({ stub }) => {
    store(stub, now);
    stub.respond(PUT, { status: 200 });
  });

  stubTest('are neither restored nor compared', async ({ page, ui, stub }) => {
    const same = { ...data, description: 'Large' };
    const events = [event(2, { data: same }), event(1, { data })];
    stub.respond('GET /api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events } });
    await page.goto('features/history/shop.basket');
    await chooseForEntry(entries(ui).last(), 'Restore this version');
    await ui.dialog.getByText('JSON diff').click();
    await expect(ui.dialog.locator('details').getByRole('listitem')).toHaveText(/^description/);
    await ui.dialog.getByRole('button', { name: 'Restore' }).click();
    await expect(ui.dialog).toBeHidden();
    const { lastSeenAt, createdAt } = now;
    expect(stub.called(PUT)[0]?.body).toMatchObject({ description: 'Small', lastSeenAt, createdAt });
  });

  stubTest('can change after a save without preventing its undo', async ({ page, ui, stub }) => {
    stub.respond(PUT, ({ body }) => {
      store(stub, { ...(body as object), lastSeenAt: '2026-03-01T10:05:00.000Z' });
      return { status: 200 };
    });
    await page.goto('features/strategies/shop.basket');
    await ui.main.getByRole('button', { name: 'Edit description' }).click();
    await ui.main.getByRole('textbox', { name: 'Description' }).fill('Huge');
    await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
    await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
    await expect(ui.snackbar).toContainText('Undone.');
    expect(stub.called(PUT)[1]?.body).toMatchObject({ description: 'Large', lastSeenAt: '2026-03-01T10:05:00.000Z' });
  });
});
