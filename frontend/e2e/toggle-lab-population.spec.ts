// The panel of the activation tab with a population: counts, and the effect of unsaved edits.

import { axeViolations, LOOKS, unreachableElements } from './support/accessibility';
import { expect, test } from './support/fixtures';
import { bucketOf, Lab } from './support/lab';

const GROUP = 'shop.basket';
const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'userId', groupId: GROUP },
});
const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });
const ids = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`);
const isOn = (id: string, percent: number, listed: readonly string[]) =>
  bucketOf(id, GROUP) <= percent || listed.includes(id);

test('the effect of an edit on a population equals a count of the test', { tag: '@reach' }, async ({
  page,
  ui,
  flags,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const population = ids(3000);
  const listed = population.filter((id) => bucketOf(id, GROUP) > 90).slice(0, 20);
  await flags.create({ name: GROUP, strategies: [rollout('25'), users(listed.join(','))] });
  await ui.activation.open(GROUP);
  const lab = new Lab(page);
  await lab.open();
  await lab.paste(population.join('\n'));
  const on = population.filter((id) => isOn(id, 25, listed)).length;
  await expect(lab.summary).toHaveText(`On for ${on} of these 3,000.`);
  await expect(lab.countsOf('Off')).toContainText((3000 - on).toLocaleString('en'));

  await ui.activation.rolloutField('flexibleRollout').fill('41');
  await ui.activation.choose('userWithId', 'Remove');
  await ui.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(ui.activation.titles()).toHaveText(['flexibleRollout']);
  // The removal is stored, so that the saved version is the rollout of 25 %.
  const turnedOn = population.filter((id) => !isOn(id, 25, []) && isOn(id, 41, []));
  const sentence = `This edit turns it on for ${turnedOn.length} and off for 0 of these 3,000.`;
  await expect(lab.summary).toHaveText(sentence);

  await ui.activation.rolloutField('flexibleRollout').fill('10');
  const turnedOff = population.filter((id) => isOn(id, 25, []) && !isOn(id, 10, []));
  await expect(lab.summary).toHaveText(`This edit turns it on for 0 and off for ${turnedOff.length} of these 3,000.`);
  await lab.panel.getByRole('button', { name: 'Show changed results' }).click();
  const list = ui.dialog.getByRole('region', { name: 'Turned off' });
  await expect(list.getByRole('listitem').first()).toHaveText(turnedOff[0] ?? '');
  await list.getByRole('button', { name: 'Copy turned off' }).click();
  await expect(ui.snackbar).toContainText('Copied.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(turnedOff.join('\n'));
});

test('a population has up to 10,000 contexts', { tag: ['@embedded', '@ci'] }, async ({ page, ui, flags }) => {
  await flags.create({ name: GROUP, strategies: [rollout('50')] });
  await ui.activation.open(GROUP);
  const lab = new Lab(page);
  await lab.open();
  const population = ids(10_001);
  await lab.paste(population.join('\n'));
  await expect(lab.dialog.getByRole('alert')).toHaveText('Line 10001: there are more than 10,000 contexts.');
  await expect(lab.dialog).toContainText('10,001 lines pasted');
  await lab.dialog.getByRole('button', { name: 'Discard' }).click();
  await lab.enter(population.slice(1).join('\n'));
  await lab.evaluate();
  const on = population.slice(1).filter((id) => isOn(id, 50, [])).length;
  await expect(lab.summary).toHaveText(`On for ${on.toLocaleString('en')} of these 10,000.`);
});

test('axe reports no violations, and everything can be reached', { tag: ['@embedded', '@ci'] }, async ({
  page,
  ui,
  flags,
}) => {
  test.setTimeout(90_000);
  const constraint = { contextName: 'environment', operator: 'IN', values: ['eu'] };
  await flags.create({ name: GROUP, strategies: [{ ...rollout('25'), constraints: [constraint] }, users('ada')] });
  // Equal results are shown once.
  const changed = ids(100).find((id) => !isOn(id, 25, []));
  for (const { colorScheme, width } of LOOKS) {
    const look = `${colorScheme} at ${width}`;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto(`features/strategies/${GROUP}#userId=${changed}&environment=eu`);
    await page.reload();
    await ui.activation.editAll();
    const lab = new Lab(page);
    await ui.activation.rolloutField('flexibleRollout').fill('100');
    await expect(lab.side('Unsaved')).toBeVisible();
    expect(await axeViolations(page), `one context, ${look}`).toEqual([]);
    expect(await unreachableElements(page), `one context, ${look}`).toEqual([]);
    await lab.openDialog();
    expect(await axeViolations(page), `dialog, ${look}`).toEqual([]);
    await lab.dialog.getByRole('radio', { name: 'CSV' }).check();
    await lab.enter(`userId,environment\n${ids(100).join(',eu\n')},eu`);
    await lab.evaluate();
    await expect(lab.summary).toContainText('This edit');
    expect(await axeViolations(page), `population, ${look}`).toEqual([]);
    expect(await unreachableElements(page), `population, ${look}`).toEqual([]);
    await lab.panel.getByRole('button', { name: 'Show changed results' }).click();
    await expect(ui.dialog.getByRole('listitem').first()).toBeVisible();
    expect(await axeViolations(page), `changed results, ${look}`).toEqual([]);
    page.once('dialog', (dialog) => dialog.accept());
  }
});
