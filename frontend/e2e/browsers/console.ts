// The main tasks of the console in each browser: `make smoke` with the release binary, `make test` in Firefox.

import { expect, test } from './fixtures';

const USERS = { name: 'userWithId', parameters: { userIds: 'ada' } };
const ROLLOUT = { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'default', groupId: 'shop' } };

test.describe('with passwords', () => {
  test.use({ settings: ['--auth', 'password'] });

  test('signs in with a password, and opens the requested page', async ({ console, flagdeck }) => {
    await flagdeck.command(['user', 'add', 'anna', '--admin'], 'correct horse\n');
    await console.open('projects');
    await console.fill('textbox', 'Username', 'anna');
    // The password field has no role.
    await console.press('Tab');
    await console.type('correct horse');
    await console.press('Enter');
    await expect.poll(() => console.isShown('heading', 'Projects')).toBe(true);
    await expect.poll(() => console.isShown('button', 'anna')).toBe(true);
    expect(await console.path()).toBe('/projects');
  });
});

test('lists, scrolls and searches 2,000 toggles', async ({ console, flags }) => {
  const features = Array.from({ length: 2_000 }, (_, index) => ({
    name: `shop.${String(index).padStart(4, '0')}`,
    type: 'release',
    enabled: true,
    strategies: [{ name: 'default' }],
  }));
  await flags.post('admin/state/import', { version: 1, features });
  const names = () => console.texts('[role=rowheader] a, th[scope=row] a');
  await console.open('features?sort=name');
  await expect.poll(names).toContain('shop.0000');
  expect(await names()).not.toContain('shop.1999');
  await console.press('End');
  await expect.poll(names).toContain('shop.1999');
  await console.press('Home');
  await console.fill('searchbox', 'Filter toggles', 'shop.123');
  await expect.poll(names).toHaveLength(10);
  await console.press('Enter');
  await expect.poll(() => console.path()).toContain('filter=shop.123');
});

test('switches a toggle, and takes it back', async ({ console, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await console.open('features');
  await expect.poll(() => console.isChecked('switch', 'shop.basket')).toBe(true);
  await console.click('switch', 'shop.basket');
  await expect.poll(() => flags.find('shop.basket')).toMatchObject({ enabled: false });
  await console.click('button', 'Undo');
  await expect.poll(() => flags.find('shop.basket')).toMatchObject({ enabled: true });
  await expect.poll(() => console.isChecked('switch', 'shop.basket')).toBe(true);
});

test('adds, edits and saves strategies', async ({ console, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [ROLLOUT] });
  await console.open('features/strategies/shop.basket');
  await console.click('button', 'Edit flexibleRollout');
  await console.fill('spinbutton', 'Rollout', '50');
  await console.click('button', 'Save flexibleRollout');
  await expect
    .poll(async () => (await flags.find('shop.basket'))?.strategies?.[0]?.parameters)
    .toMatchObject({ rollout: '50' });
  await console.click('button', 'Add strategy');
  await console.click('option', 'Named users userWithId');
  await console.fill('textbox', 'userIds', 'ada,');
  await console.click('button', 'Save userWithId');
  await expect
    .poll(async () => (await flags.find('shop.basket'))?.strategies?.map(({ name }) => name))
    .toEqual(['flexibleRollout', 'userWithId']);
});

test('creates, archives and revives a toggle', async ({ console, flags }) => {
  await console.open('features/create');
  await console.fill('textbox', 'Name', 'shop.new');
  await console.fill('textbox', 'Description', 'A larger basket');
  await console.click('button', 'Create');
  await expect.poll(() => console.path()).toBe('/features/strategies/shop.new');
  await console.click('button', 'Actions for shop.new');
  await console.click('menuitem', 'Archive');
  await expect.poll(() => console.isShown('dialog', 'Archive shop.new')).toBe(true);
  await console.click('button', 'Archive');
  await expect.poll(() => flags.findArchived('shop.new')).toBeDefined();
  await console.open('archive');
  await console.click('button', 'Revive shop.new');
  await expect.poll(() => flags.find('shop.new')).toMatchObject({ description: 'A larger basket' });
});

test('shows the history, and undoes a change', async ({ console, flags }) => {
  await flags.create({ name: 'shop.basket', description: 'Small' });
  await flags.update('shop.basket', { description: 'Large' });
  await console.open('features/history/shop.basket');
  await expect.poll(() => console.texts('main li[id^="event-"]')).toHaveLength(2);
  await console.click('button', 'Undo this change');
  await expect.poll(() => flags.find('shop.basket')).toMatchObject({ description: 'Small' });
});

test('evaluates all toggles for a user', async ({ console, flags }) => {
  await flags.create({ name: 'shop.ada', strategies: [USERS] });
  await console.open('evaluation#userId=ada');
  const results = async () => (await console.texts('main')).join();
  await expect.poll(results).toContain('ada is listed');
  await console.fill('textbox', 'userId', 'bob');
  await expect.poll(results).toContain('bob is not listed');
  await console.reload();
  await expect.poll(results).toContain('bob is not listed');
});

test('opens a toggle and switches it with the command palette, by keyboard', async ({ console, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await console.open('history');
  await expect.poll(() => console.isShown('heading', 'Event history')).toBe(true);
  await console.press('Control', 'k');
  await expect.poll(() => console.isShown('combobox', 'Search or run a command')).toBe(true);
  await console.type('disable shop');
  await expect.poll(() => console.isShown('option', 'Disable shop.basket')).toBe(true);
  await console.press('Enter');
  await expect.poll(() => flags.find('shop.basket')).toMatchObject({ enabled: false });
});

test('asks before unsaved changes are lost', async ({ console, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [ROLLOUT] });
  await console.open('features/strategies/shop.basket');
  await console.click('button', 'Edit flexibleRollout');
  await console.fill('spinbutton', 'Rollout', '75');
  await console.click('link', 'Event history');
  await console.click('button', 'Stay');
  await expect.poll(() => console.isShown('dialog', 'Unsaved changes')).toBe(false);
  expect(await console.path()).toBe('/features/strategies/shop.basket');
  await console.click('link', 'Event history');
  await console.click('button', 'Discard');
  await expect.poll(() => console.path()).toBe('/history');
});

test('fits a phone: the menu, the list and the page of a toggle', async ({ console, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [ROLLOUT, USERS] });
  await console.resize(360, 740);
  await console.open('features');
  await expect.poll(() => console.isShown('switch', 'shop.basket')).toBe(true);
  expect(await console.overflow()).toBe(0);
  await console.click('link', 'shop.basket');
  await console.click('button', 'Edit flexibleRollout');
  await expect.poll(() => console.isShown('spinbutton', 'Rollout')).toBe(true);
  expect(await console.overflow()).toBe(0);
  await console.click('button', 'Open menu');
  // The footer contains the link too.
  await console.click('link', 'Event history', '[role=dialog]');
  await expect.poll(() => console.isShown('heading', 'Event history')).toBe(true);
  expect(await console.overflow()).toBe(0);
});
