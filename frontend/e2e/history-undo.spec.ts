// Undoing one change of a toggle, in its log and in the event history.

import { tabTo } from './support/accessibility';
import { entries, expandEntry, undoButton } from './support/events';
import { expect, test } from './support/fixtures';
import type { NewToggle } from './support/flags';

const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'shop.basket' },
});
const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });
const BLUE = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' };
const REASON = 'aria-description';

test('two clicks on the page of a toggle undo its last change, and the undo can be undone', {
  tag: ['@whole-toggle-events', '@reach'],
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', strategies: [rollout('25')] });
  await flags.update('shop.basket', { strategies: [rollout('50')] });
  await page.goto('features/strategies/shop.basket');
  await ui.tab('Log').click();
  await expandEntry(entries(ui).first());
  await expect(entries(ui).first()).toContainText('Widens who gets the feature');
  await expect(entries(ui).first()).toContainText('Later changes are kept. It narrows who gets the feature.');
  await undoButton(entries(ui).first()).click();
  await expect(ui.snackbar).toContainText('Change to shop.basket undone.');
  expect(await flags.find('shop.basket')).toMatchObject({ strategies: [{ parameters: { rollout: '25' } }] });
  await expect(entries(ui)).toHaveCount(3);
  await expect(entries(ui).first()).toContainText(/flexibleRollout 50.*25\s%/);
  await expect(undoButton(entries(ui).nth(1))).toHaveAttribute(REASON, /no longer contains this change/);
  await ui.snackbar.getByRole('button', { name: 'Undo' }).click();
  await expect(ui.snackbar).toContainText('Undone.');
  expect(await flags.find('shop.basket')).toMatchObject({ strategies: [{ parameters: { rollout: '50' } }] });
});

for (const [kind, tag, change, before] of [
  ['a description', ['@ci'], { description: 'Large' }, { description: 'Small' }],
  ['variants', ['@variant-stickiness', '@first-variant', '@ci'], { variants: [BLUE] }, { variants: [] }],
  ['strategies', [], { strategies: [rollout('50')] }, { strategies: [{ parameters: { rollout: '25' } }] }],
] satisfies [string, string[], Partial<NewToggle>, object][])
  test(`a change of ${kind} is undone in the log, and the undo too`, { tag: [...tag, '@reach'] }, async ({
    page,
    ui,
    flags,
  }) => {
    await flags.create({ name: 'shop.basket', description: 'Small', strategies: [rollout('25')] });
    // The log of 4.2 has the state before a change only if it contains an earlier one.
    await flags.update('shop.basket', { type: 'experiment' });
    await flags.update('shop.basket', change);
    await page.goto('features/history/shop.basket');
    await undoButton(entries(ui).first()).click();
    await expect(ui.snackbar).toContainText('Change to shop.basket undone');
    expect(await flags.find('shop.basket')).toMatchObject(before);
    // A click does not follow the locator from the undone event to the event of the undo, which comes with the next read.
    await expect(undoButton(entries(ui).first())).toBeEnabled();
    await undoButton(entries(ui).first()).click();
    await expect.poll(() => flags.find('shop.basket')).toMatchObject(change);
  });

test('an older change is undone, and later changes are kept, also those that the page has not read', {
  tag: ['@whole-toggle-events', '@reach'],
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', description: 'Small', strategies: [rollout('25'), users('ada')] });
  await flags.update('shop.basket', { description: 'Large', strategies: [rollout('50'), users('ada')] });
  await flags.update('shop.basket', { type: 'experiment' });
  await page.goto('history');
  await expect(entries(ui)).toHaveCount(3);
  await flags.update('shop.basket', { strategies: [rollout('50'), users('ada,grace')], enabled: false });
  await undoButton(entries(ui).nth(1)).click();
  await expect(ui.snackbar).toContainText('Change to shop.basket undone.');
  expect(await flags.find('shop.basket')).toMatchObject({
    description: 'Small',
    type: 'experiment',
    enabled: false,
    strategies: [rollout('25'), users('ada,grace')],
  });
  await expect(entries(ui)).toHaveCount(5);
});

test('a later change of the same part is a conflict, which the user decides', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create({ name: 'shop.basket', description: 'Small', strategies: [rollout('25')] });
  await flags.update('shop.basket', { description: 'Large', strategies: [rollout('50')] });
  await flags.update('shop.basket', { strategies: [rollout('75')] });
  await page.goto('features/history/shop.basket');
  const undo = undoButton(entries(ui).nth(1));
  await undo.click();
  await expect(ui.dialog.getByRole('heading')).toHaveText('Later changes conflict with this undo');
  await expect(ui.dialog.getByRole('radio', { name: 'Before this change' })).toHaveAccessibleName(/rollout 50 → 25\s%/);
  await expect(ui.dialog.getByRole('radio', { name: 'Current version' })).toHaveAccessibleName(/rollout 50 → 75\s%/);
  await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(undo).toBeFocused();
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'Large' });
  await undo.click();
  await ui.dialog.getByRole('radio', { name: 'Current version' }).check();
  await ui.dialog.getByRole('button', { name: 'Undo change' }).click();
  await expect(ui.dialog).toBeHidden();
  await expect(ui.snackbar).toContainText('Change to shop.basket undone.');
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'Small', strategies: [rollout('75')] });
});

test('status, variants, creation, archiving and reviving can be undone', {
  tag: ['@whole-toggle-events', '@variant-stickiness'],
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await flags.post('admin/features/shop.basket/stale/on');
  await flags.post('admin/features/shop.basket/toggle/off');
  await flags.update('shop.basket', { variants: [BLUE] });
  await page.goto('history');
  for (const [count, phrase, expected] of [
    [4, 'marked shop.basket as stale', { stale: false, enabled: false }],
    [5, 'switched shop.basket off', { stale: false, enabled: true }],
    [6, 'variant blue', { stale: false, enabled: true, variants: [] }],
  ] as const) {
    // The event of an undo, which comes with the next read, moves the buttons.
    await expect(entries(ui)).toHaveCount(count);
    await undoButton(entries(ui).filter({ hasText: phrase }).last()).click();
    await expect.poll(() => flags.find('shop.basket')).toMatchObject(expected);
  }
  const created = entries(ui).filter({ hasText: 'created shop.basket' });
  await undoButton(created).click();
  await ui.dialog.getByRole('button', { name: 'Archive' }).click();
  await expect(undoButton(created)).toHaveAttribute(REASON, 'Nothing to undo: the toggle is archived.');
  const archived = entries(ui).filter({ hasText: 'archived shop.basket' });
  await undoButton(archived).click();
  // Services revive toggles as disabled, and undo restores the enabled state.
  await expect.poll(() => flags.find('shop.basket')).toMatchObject({ enabled: true });
  await expect(undoButton(archived)).toHaveAttribute(REASON, 'Nothing to undo: the toggle was revived.');
  await undoButton(entries(ui).filter({ hasText: 'revived shop.basket' })).click();
  await ui.dialog.getByRole('button', { name: 'Archive' }).click();
  await expect.poll(() => flags.findArchived('shop.basket')).toBeDefined();
});

test('adding and removing a tag can be undone', { tag: '@reach' }, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket' });
  await flags.post('admin/features/shop.basket/tags', { type: 'simple', value: 'winter' });
  await page.goto('history');
  const added = entries(ui).filter({ hasText: 'added simple: winter' });
  const removed = entries(ui).filter({ hasText: 'removed simple: winter' });
  await undoButton(added.last()).click();
  await expect.poll(() => flags.tagsOf('shop.basket')).toEqual([]);
  await undoButton(removed.first()).click();
  await expect.poll(() => flags.tagsOf('shop.basket')).toEqual(['simple:winter']);
  await expect(added).toHaveCount(2);
  await undoButton(removed.first()).click();
  await expect(ui.snackbar).toContainText('Nothing to undo: shop.basket has the tag simple: winter.');
});

test('the first change after reviving is undone to the version that was archived', {
  tag: ['@whole-toggle-events', '@reach'],
}, async ({ page, ui, flags }) => {
  await flags.create({ name: 'shop.basket', description: 'Small' });
  await flags.archive('shop.basket');
  await flags.post('admin/archive/revive/shop.basket');
  await flags.update('shop.basket', { description: 'Large' });
  await page.goto('features/history/shop.basket');
  await expect(entries(ui).first()).toContainText('changed the description of the toggle');
  await undoButton(entries(ui).first()).click();
  await expect.poll(() => flags.find('shop.basket')).toMatchObject({ description: 'Small', enabled: false });
});

test('a change can be undone with the keyboard alone, and on a phone', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await flags.create({ name: 'shop.basket', description: 'Small' });
  await flags.update('shop.basket', { description: 'Large' });
  await page.goto('features/history/shop.basket');
  // On a phone, the open row has the button.
  await tabTo(entries(ui).first().getByRole('button', { expanded: false }).first());
  await page.keyboard.press('Enter');
  const undo = undoButton(entries(ui).first());
  await expect(undo).toBeInViewport();
  await tabTo(undo);
  await page.keyboard.press('Enter');
  await expect(ui.snackbar).toContainText('Change to shop.basket undone.');
  await expect(undoButton(entries(ui).nth(1))).toBeFocused();
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'Small' });
});
