// Tasks of a new user, each with the number of clicks, taps or keys that it may take at most.

import type { Locator } from '@playwright/test';
import { entries, undoButton } from './support/events';
import { expect, test } from './support/fixtures';
import type { Inputs } from './support/inputs';
import { bucketOf, Lab } from './support/lab';
import { afterPolls } from './support/polls';
import { recorded, type State, withRecorder } from './support/recorder';
import { getTaskLimit, type Parts, performTask, type Task, TASK_TOGGLE as TOGGLE } from './support/tasks';
import type { Ui } from './support/ui';

const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: TOGGLE },
});
/** A user whom a rollout of 50 % leaves out. */
const USER = '4711';
/** A user whom it selects. */
const OTHER_USER = 'ada';
const users = { name: 'userWithId', parameters: { userIds: 'ada' } };
const STALE = ['old.a', 'old.b', 'old.c', 'old.d', 'old.e'];

const TASKS: Task[] = [
  {
    title: 'create a toggle for 10 % of one country, roll it out to 50 %, and undo that',
    prepare: (flags) => flags.post('admin/context', { name: 'country', legalValues: ['NO', 'SE'] }),
    async point({ page, ui, flags, inputs }) {
      await inputs.use(page.getByRole('link', { name: /^New/ }));
      await expect(ui.nameField).toBeFocused();
      await inputs.type('shop.new');
      await inputs.use(ui.activation.addStrategyButton);
      await expect(ui.activation.highlightedItem).toHaveAccessibleName('Gradual rollout flexibleRollout');
      await inputs.press('Enter');
      await inputs.type('10');
      await inputs.use(page.getByRole('button', { name: 'Add constraint' }));
      await expect(ui.activation.highlightedItem).toBeVisible();
      await inputs.press('n');
      await expect(ui.activation.highlightedItem).toHaveAccessibleName('country is NO');
      await inputs.press('Enter');
      await expect(ui.main).toContainText('On for 10 % of users where country is NO as soon as it is created.');
      await inputs.use(page.getByRole('button', { name: 'Create', exact: true }));
      // The form stays until the code of the page is loaded.
      await expect(page.getByRole('heading', { level: 1, name: 'shop.new' })).toBeVisible();
      await inputs.use(ui.activation.strategy('flexibleRollout').getByRole('button', { name: '10 %' }));
      await inputs.type('50');
      await inputs.press('Control+s');
      await expect(ui.activation.unsavedCards).toHaveCount(0);
      expect((await flags.find('shop.new'))?.strategies?.[0]?.parameters).toMatchObject({ rollout: '50' });
      await inputs.use(ui.snackbar.getByRole('button', { name: 'Undo' }));
    },
    async check({ flags }) {
      const constraints = [{ contextName: 'country', operator: 'IN', values: ['NO'] }];
      const { parameters } = rollout('10');
      const created = { name: 'flexibleRollout', parameters: { ...parameters, groupId: 'shop.new' }, constraints };
      await expect.poll(async () => (await flags.find('shop.new'))?.strategies).toEqual([created]);
    },
    limits: { mouse: 6 },
  },
  {
    title: 'roll out to 25 % of the users in one country',
    prepare: (flags) => flags.post('admin/context', { name: 'country', legalValues: ['NO', 'SE'] }),
    async point({ page, ui, inputs }) {
      await inputs.use(ui.row(TOGGLE).getByRole('link', { name: TOGGLE, exact: true }));
      await inputs.use(ui.activation.addStrategyButton);
      await inputs.use(ui.activation.strategyItem('flexibleRollout'));
      await inputs.type('25');
      await inputs.use(page.getByRole('button', { name: 'Add constraint' }));
      await inputs.use(ui.activation.constraintItem('country is NO'));
      await inputs.use(ui.activation.saveAll);
    },
    async press({ page, ui, inputs }) {
      await openByName(inputs);
      await inputs.use(ui.activation.addStrategyButton);
      await expect(ui.activation.highlightedItem).toHaveAccessibleName('Gradual rollout flexibleRollout');
      await inputs.press('Enter');
      await inputs.type('25');
      await inputs.moveTo(page.getByRole('button', { name: 'Add constraint' }), 'Shift+Tab');
      await inputs.press('Enter');
      await expect(ui.activation.highlightedItem).toBeVisible();
      await inputs.press('n', 'Enter', 'Control+s');
      await expect(ui.activation.unsavedCards).toHaveCount(0);
    },
    async check({ ui, flags }) {
      await expect(ui.activation.unsavedCards).toHaveCount(0);
      const constraints = [{ contextName: 'country', operator: 'IN', values: ['NO'] }];
      expect((await flags.find(TOGGLE))?.strategies).toEqual([{ ...rollout('25'), constraints }]);
    },
    limits: { mouse: 6, touch: 6, keyboard: 42 },
  },
  {
    title: 'limit a toggle to two users',
    prepare: (flags) => flags.update(TOGGLE, { strategies: [rollout('25')] }),
    async point({ ui, inputs }) {
      await inputs.use(ui.row(TOGGLE).getByRole('link', { name: TOGGLE, exact: true }));
      await inputs.use(ui.activation.addStrategyButton);
      await inputs.use(ui.activation.replaceRules);
      await inputs.use(ui.activation.strategyItem('userWithId'));
      await inputs.type('ada,grace');
      await inputs.use(ui.activation.saveAll);
    },
    async check({ ui, flags }) {
      await expect(ui.activation.unsavedCards).toHaveCount(0);
      const strategies = [{ name: 'userWithId', parameters: { userIds: 'ada,grace' } }];
      expect(await flags.find(TOGGLE)).toMatchObject({ strategies });
    },
    limits: { touch: 5 },
  },
  {
    title: 'explain why a user does not get a feature',
    prepare: (flags) => flags.update(TOGGLE, { strategies: [rollout('50')] }),
    async point({ page, ui, inputs }) {
      await inputs.use(ui.row(TOGGLE).getByRole('link', { name: TOGGLE, exact: true }));
      await inputs.use(new Lab(page).field('userId'));
      await inputs.type(USER);
    },
    async press({ inputs }) {
      await inputs.press('Control+k');
      await inputs.type(`why basket ${USER}`);
      await inputs.press('Enter');
    },
    check: ({ page }) =>
      expect(new Lab(page).result).toContainText(
        `${USER} is at ${bucketOf(USER, TOGGLE)} of 100, above the rollout of 50 %`,
      ),
    limits: { mouse: 2, touch: 2, keyboard: 18 },
  },
  {
    title: 'compare what two users get',
    prepare: (flags) => flags.update(TOGGLE, { strategies: [rollout('50')] }),
    async point({ page, ui, inputs }) {
      await inputs.use(page.getByRole('link', { name: 'Evaluation', exact: true }).first());
      await inputs.use(ui.main.getByLabel('userId'));
      await inputs.type(USER);
      await inputs.use(ui.main.getByRole('button', { name: 'Compare with…' }));
      await expect(ui.main.getByRole('region', { name: 'Compare with' }).getByLabel('userId')).toBeFocused();
      await inputs.type(OTHER_USER);
    },
    async check({ ui }) {
      await expect(ui.main).toContainText('1 toggle differs');
      await expect(ui.row(TOGGLE)).toContainText(`${OTHER_USER} is at ${bucketOf(OTHER_USER, TOGGLE)} of 100, within`);
    },
    limits: { mouse: 3 },
  },
  {
    title: 'see a toggle as of yesterday',
    // The page is one day ahead of the records.
    startsLater: 24 * 60 * 60_000,
    async prepare(flags, request) {
      await flags.update(TOGGLE, { strategies: [rollout('25')] });
      const at = await recorded(request, (state) => isRolledOut(state, '25'));
      await flags.update(TOGGLE, { strategies: [rollout('100')] });
      await recorded(request, (state) => isRolledOut(state, '100'));
      return at;
    },
    async point({ page, ui, inputs }) {
      if (inputs.device === 'touch') await inputs.use(page.getByRole('button', { name: 'Open menu' }));
      await inputs.use(ui.menu.getByRole('link', { name: 'Event history' }));
      await inputs.use(ui.main.getByRole('button', { name: 'As of…' }));
      await inputs.use(ui.dialog.getByRole('button', { name: '1 day ago' }));
      await inputs.use(ui.row(TOGGLE).getByRole('link', { name: TOGGLE, exact: true }));
    },
    async press({ ui, inputs }) {
      await inputs.press('g', 'h');
      await inputs.use(ui.main.getByRole('button', { name: 'As of…' }));
      await inputs.use(ui.dialog.getByRole('button', { name: '1 day ago' }));
      await expect(ui.row(TOGGLE)).toBeVisible();
      await inputs.press('j', 'Enter');
    },
    async check({ ui }) {
      await expect(ui.main.getByRole('region', { name: 'Earlier time' })).toBeVisible();
      await expect(ui.main).toContainText('25 % of users');
    },
    limits: { mouse: 4, touch: 5, keyboard: 19 },
  },
  {
    title: 'undo a change that is found in the history',
    prepare: (flags) => flags.update(TOGGLE, { description: 'Large' }),
    async point({ ui, inputs }) {
      // On phones, the log of the toggle is closer.
      if (inputs.device === 'touch') {
        await inputs.use(ui.row(TOGGLE).getByRole('link', { name: TOGGLE, exact: true }));
        await inputs.use(ui.tab('Log'));
      } else await inputs.use(ui.menu.getByRole('link', { name: 'Event history' }));
      await inputs.use(undoButton(entries(ui).first()));
    },
    async press({ ui, inputs }) {
      await inputs.press('g', 'h');
      await expect(entries(ui).first()).toBeVisible();
      await inputs.press('j');
      await inputs.use(undoButton(entries(ui).first()));
    },
    async check({ ui, flags }) {
      await expect(ui.snackbar).toContainText(`Change to ${TOGGLE} undone.`);
      expect(await flags.find(TOGGLE)).toMatchObject({ description: '' });
    },
    limits: { mouse: 2, touch: 3, keyboard: 6 },
  },
  {
    title: 'archive five stale toggles',
    prepare: (flags) => flags.create(...STALE.map((name) => ({ name, stale: true }))),
    async point({ page, ui, inputs }) {
      await inputs.use(page.getByRole('button', { name: '5 stale' }));
      await ui.expectNames(...STALE);
      if (inputs.device === 'touch') {
        await inputs.use(ui.rowMenuButton('old.a'));
        await inputs.use(page.getByRole('menuitem', { name: 'Select', exact: true }));
        await inputs.use(ui.bulk.getByRole('button', { name: 'Select all 5' }));
      } else await inputs.use(page.getByRole('checkbox', { name: 'Select all 5' }));
      await archiveSelected(ui, inputs);
    },
    async press({ page, ui, inputs }) {
      await inputs.press('Control+k');
      await inputs.type('clean');
      await expect(page.getByRole('option', { name: /^Stale toggles/ })).toHaveAttribute('data-highlighted');
      await inputs.press('Enter');
      await ui.expectNames(...STALE);
      await inputs.press('j', 'x');
      await expect(ui.bulk).toContainText('1 selected');
      await inputs.press('F6');
      await inputs.moveTo(ui.bulk.getByRole('button', { name: 'Select all 5' }), 'Shift+Tab');
      await inputs.press('Enter');
      await expect(ui.bulk).toBeFocused();
      await archiveSelected(ui, inputs);
    },
    async check({ ui, flags }) {
      await expect(ui.snackbar).toContainText('5 toggles archived.');
      for (const name of STALE) expect(await flags.findArchived(name), name).toBeDefined();
      expect(await flags.find(TOGGLE)).toBeDefined();
    },
    limits: { mouse: 4, touch: 6, keyboard: 34 },
  },
  {
    title: 'create a toggle and connect an application',
    async point({ page, ui, inputs }) {
      await inputs.use(page.getByRole('link', { name: /^New/ }));
      await expect(ui.nameField).toBeVisible();
      if (inputs.device === 'touch') await inputs.use(ui.nameField);
      await inputs.type('shop.new');
      await inputs.use(page.getByRole('button', { name: 'Create', exact: true }));
      await connect({ page, inputs });
    },
    async press({ page, ui, inputs }) {
      await inputs.press('g', 'n');
      await expect(ui.nameField).toBeFocused();
      await inputs.type('shop.new');
      await inputs.press('Enter');
      await connect({ page, inputs });
    },
    async check({ page, ui, flags }) {
      await expect(ui.snackbar).toContainText('Copied.');
      const code = await page.evaluate(() => navigator.clipboard.readText());
      // The code needs no edit; sdk-connect.spec.ts runs it.
      expect(code).toContain("'shop.new'");
      const [, authorization = ''] = /Authorization: '([^']+)'/.exec(code) ?? [];
      expect(authorization).toMatch(/.{20}/);
      const data = { appName: 'my-app', instanceId: 'my-app-1', strategies: [], started: new Date(), interval: 1_000 };
      const registered = await page.request.post('api/client/register', { data, headers: { authorization } });
      expect(registered.ok(), await registered.text()).toBe(true);
      expect(await flags.find('shop.new')).toBeDefined();
      await afterPolls(page, () =>
        expect(ui.dialog.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible({ timeout: 500 }),
      );
    },
    limits: { mouse: 4, touch: 5, keyboard: 26 },
  },
  {
    title: 'switch off a toggle at once',
    point: ({ ui, inputs }) => inputs.use(ui.switchOf(TOGGLE)),
    async press({ page, inputs }) {
      await inputs.press('Control+k');
      await inputs.type('disable basket');
      await expect(page.getByRole('option', { name: `Disable ${TOGGLE}` })).toBeVisible();
      await inputs.press('Enter');
    },
    check: ({ flags }) => expect.poll(() => flags.find(TOGGLE)).toMatchObject({ enabled: false }),
    limits: { mouse: 1, touch: 1, keyboard: 17 },
  },
  {
    title: 'learn before saving that another user has changed the same rule, and keep that version',
    prepare: (flags) => flags.update(TOGGLE, { strategies: [rollout('25')] }),
    async point({ page, ui, flags, inputs }) {
      await inputs.use(ui.row(TOGGLE).getByRole('link', { name: TOGGLE, exact: true }));
      await inputs.use(ui.activation.editButton('flexibleRollout'));
      await inputs.use(page.getByRole('button', { name: 'Set 50 %' }));
      const rule = await changeByAnotherUser({ page, ui, flags });
      await inputs.use(rule.getByRole('button', { name: 'Show' }));
      await inputs.use(ui.dialog.getByRole('radio', { name: 'Saved version' }));
      await inputs.use(ui.dialog.getByRole('button', { name: 'Use' }));
    },
    async press({ page, ui, flags, inputs }) {
      await openByName(inputs);
      await inputs.press('e');
      await expect(ui.activation.rolloutField('flexibleRollout')).toBeFocused();
      await inputs.type('50');
      const rule = await changeByAnotherUser({ page, ui, flags });
      await inputs.moveTo(rule.getByRole('button', { name: 'Show' }), 'Shift+Tab');
      await inputs.press('Enter');
      await inputs.moveTo(ui.dialog.getByRole('radio', { name: 'Your version' }));
      await inputs.press('ArrowDown');
      await expect(ui.dialog.getByRole('radio', { name: 'Saved version' })).toBeChecked();
      await inputs.use(ui.dialog.getByRole('button', { name: 'Use' }));
    },
    check: ({ ui }) => expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('40'),
    limits: { mouse: 6, touch: 6, keyboard: 18 },
  },
  {
    title: 'add a variant with a payload, and give it to one user',
    async point({ ui, inputs }) {
      await inputs.use(ui.row(TOGGLE).getByRole('link', { name: TOGGLE, exact: true }));
      await inputs.use(ui.tab('Variants'));
      await inputs.use(ui.main.getByRole('button', { name: 'Add variant' }));
      await expect(ui.dialog.getByLabel('Name', { exact: true })).toBeFocused();
      await inputs.type('blue');
      await inputs.use(ui.dialog.getByLabel('Payload', { exact: true }));
      await inputs.type('#00f');
      await inputs.use(ui.dialog.getByRole('button', { name: 'Add override' }));
      await inputs.use(ui.dialog.getByRole('textbox', { name: 'Values' }));
      await inputs.type('ada');
      await inputs.use(ui.dialog.getByRole('button', { name: 'Save' }));
    },
    async check({ ui, flags }) {
      await expect(ui.dialog).toBeHidden();
      const blue = {
        name: 'blue',
        payload: { type: 'string', value: '#00f' },
        overrides: [{ contextName: 'userId', values: ['ada'] }],
      };
      expect((await flags.find(TOGGLE))?.variants).toMatchObject([blue]);
    },
    limits: { mouse: 7 },
  },
  {
    title: 'create a segment',
    prepare: (flags) => flags.post('admin/context', { name: 'country', legalValues: ['NO', 'SE'] }),
    async point({ page, ui, inputs }) {
      await inputs.use(ui.menu.getByRole('link', { name: 'Segments' }));
      await inputs.use(ui.main.getByRole('link', { name: 'New segment' }).first());
      await expect(page.getByLabel('Name')).toBeFocused();
      await inputs.type('nordics');
      await inputs.use(page.getByRole('button', { name: 'Add constraint' }));
      await inputs.use(ui.activation.constraintItem('country is NO'));
      await inputs.use(page.getByRole('button', { name: 'Create' }));
    },
    check: ({ ui }) => expect(ui.row('nordics')).toContainText('country is NO'),
    limits: { mouse: 5 },
  },
  {
    title: 'limit a rule to a segment',
    prepare: (flags) =>
      flags.post('admin/segments', {
        name: 'nordics',
        constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
      }),
    async point({ page, ui, inputs }) {
      await inputs.use(ui.row(TOGGLE).getByRole('link', { name: TOGGLE, exact: true }));
      await inputs.use(ui.activation.strategy('default').getByRole('button', { name: 'Everyone' }));
      await inputs.use(page.getByRole('button', { name: 'Add constraint' }));
      await inputs.use(ui.activation.constraintItem('Segment nordics'));
      await inputs.use(ui.activation.saveAll);
    },
    async check({ ui, flags }) {
      await expect(ui.activation.unsavedCards).toHaveCount(0);
      expect(await flags.find(TOGGLE)).toMatchObject({ strategies: [{ segments: [expect.any(Number)] }] });
    },
    limits: { mouse: 5 },
  },
  {
    title: 'switch a rule on for a time',
    async point({ page, ui, inputs }) {
      await inputs.use(ui.row(TOGGLE).getByRole('link', { name: TOGGLE, exact: true }));
      await inputs.use(ui.activation.strategy('default').getByRole('button', { name: 'Everyone' }));
      await inputs.use(page.getByRole('button', { name: 'Add constraint' }));
      await inputs.use(ui.activation.constraintItem('From / until…'));
      await ui.dialog.getByLabel('From', { exact: true }).fill('2126-12-01T09:00');
      await ui.dialog.getByLabel('Until', { exact: true }).fill('2126-12-24T00:00');
      await inputs.use(ui.dialog.getByRole('button', { name: 'Set', exact: true }));
      await inputs.use(ui.activation.saveAll);
    },
    async check({ ui, flags }) {
      await expect(ui.activation.unsavedCards).toHaveCount(0);
      const rule = ui.activation.strategy('default');
      await expect(rule).toContainText('from 1 Dec 2126, 09:00 until 24 Dec 2126');
      // The browser is in Oslo.
      expect((await flags.find(TOGGLE))?.strategies?.[0]?.constraints).toMatchObject([
        { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2126-12-01T08:00:00.000Z' },
        { contextName: 'currentTime', operator: 'DATE_BEFORE', value: '2126-12-23T23:00:00.000Z' },
      ]);
    },
    limits: { mouse: 6 },
  },
  {
    title: 'move a toggle to another project',
    prepare: (flags) => flags.post('admin/projects', { id: 'web', name: 'Web shop', description: '' }),
    async point({ page, ui, inputs }) {
      await inputs.use(ui.row(TOGGLE).getByRole('link', { name: TOGGLE, exact: true }));
      await inputs.use(ui.property('Project'));
      await inputs.use(page.getByRole('menuitemradio', { name: 'Web shop' }));
    },
    check: ({ flags }) => expect.poll(() => flags.find(TOGGLE)).toMatchObject({ project: 'web' }),
    limits: { mouse: 3 },
  },
  {
    title: 'review and apply a file',
    async point({ ui, inputs }) {
      await inputs.use(ui.menu.getByRole('link', { name: 'Plans' }));
      await ui.main.getByLabel('Or paste the text').fill('version: 1\ntoggles:\n  shop.new: {}\n');
      await inputs.use(ui.main.getByRole('button', { name: 'Review' }));
      await inputs.use(ui.main.getByRole('button', { name: 'Apply 1 change' }));
    },
    check: ({ flags }) => expect.poll(() => flags.find('shop.new')).toBeDefined(),
    limits: { mouse: 3 },
  },
  {
    title: 'change a rollout',
    prepare: (flags) => flags.update(TOGGLE, { strategies: [users, rollout('50')] }),
    async point({ ui, inputs }) {
      await inputs.use(ui.row(TOGGLE).getByRole('link', { name: TOGGLE, exact: true }));
      await inputs.use(ui.activation.strategy('flexibleRollout').getByRole('button', { name: '50 %' }));
      await expect(ui.activation.rolloutField('flexibleRollout')).toBeFocused();
      await inputs.type('65');
      await inputs.use(ui.activation.saveAll);
    },
    async press({ ui, inputs }) {
      await openByName(inputs);
      await inputs.press('e');
      const field = ui.activation.rolloutField('flexibleRollout');
      await expect(field).toBeFocused();
      await inputs.type('65');
      await inputs.press('Control+s');
      await expect(ui.snackbar).toContainText(TOGGLE);
      await expect(field).toBeFocused();
    },
    async check({ ui, flags }) {
      await expect(ui.activation.unsavedCards).toHaveCount(0);
      await expect(ui.activation.rolloutField('flexibleRollout')).toHaveValue('65');
      expect((await flags.find(TOGGLE))?.strategies).toEqual([users, rollout('65')]);
    },
    limits: { mouse: 3, touch: 3, keyboard: 11 },
  },
];

const UNITS = { mouse: 'clicks', touch: 'taps', keyboard: 'keys' };

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

for (const device of ['mouse', 'touch', 'keyboard'] as const) {
  // Taps and keys take long.
  const tag = device === 'mouse' ? ['@embedded'] : ['@embedded', '@ci'];
  test.describe(`by ${device}:`, { tag }, () => {
    if (device === 'touch') test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    for (const task of TASKS) {
      const limit = getTaskLimit(task, device);
      if (limit === undefined) continue;
      test.describe(() => {
        if (task.startsLater !== undefined) test.use({ settings: withRecorder(), durable: true });
        test(`${task.title}: at most ${limit} ${UNITS[device]}`, ({ page, ui, flags }) =>
          performTask(task, device, { page, ui, flags }));
      });
    }
  });
}

const isRolledOut = ({ features = [] }: State, percent: string) =>
  features.some(({ strategies }) => strategies?.[0]?.parameters?.['rollout'] === percent);

/** Opens the toggle with the command palette. */
async function openByName(inputs: Inputs): Promise<void> {
  await inputs.press('Control+k');
  await inputs.type('bas');
  await expect(inputs.page.getByRole('option', { name: `${TOGGLE} on`, exact: true })).toHaveAttribute(
    'data-highlighted',
  );
  await inputs.press('Enter');
  await expect(inputs.page.getByRole('heading', { level: 1, name: TOGGLE })).toBeFocused();
}

/** Changes the rule that is being edited, and waits for the note about it. */
async function changeByAnotherUser({ page, ui, flags }: Pick<Parts, 'page' | 'ui' | 'flags'>): Promise<Locator> {
  await flags.update(TOGGLE, { strategies: [rollout('40')] });
  const rule = ui.activation.strategy('flexibleRollout');
  await afterPolls(page, () =>
    expect(rule).toContainText('changed this strategy just now: rollout 25 → 40 %', { timeout: 500 }),
  );
  return rule;
}

async function archiveSelected(ui: Ui, inputs: Inputs): Promise<void> {
  await expect(ui.bulk).toContainText('5 selected');
  await inputs.use(ui.bulk.getByRole('button', { name: 'Archive…' }));
  await expect(ui.dialog).toContainText('Not used in the last hour.');
  await inputs.use(ui.dialog.getByRole('button', { name: 'Archive 5 toggles' }));
}

async function connect({ page, inputs }: Pick<Parts, 'page' | 'inputs'>): Promise<void> {
  await inputs.use(page.getByRole('region', { name: 'Use it in code' }).getByRole('button', { name: 'Connect…' }));
  const panel = page.getByRole('dialog', { name: 'Connect an application' });
  await inputs.use(panel.getByRole('button', { name: 'Create token and copy code' }));
  await expect(panel).toContainText('The code contains the token');
}
