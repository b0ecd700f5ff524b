// The panel of the activation tab that evaluates a toggle for one context, with reasons.

import { tabTo } from './support/accessibility';
import { expect, stubTest, test } from './support/fixtures';
import { bucketOf, Lab } from './support/lab';
import { toggle } from './support/stubUpstream';

const GROUP = 'shop.basket';
const rollout = (percent: string, ...values: string[]) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'userId', groupId: GROUP },
  ...(values.length > 0 && { constraints: [{ contextName: 'environment', operator: 'IN', values }] }),
});
const users = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } });
const variant = (name: string, weight: number, weightType: string) => ({
  name,
  weight,
  weightType,
  stickiness: 'userId',
});

/** Ids that a rollout of 50 % leaves out. */
const LEFT_OUT = 'user-0';
const LISTED = 'user-2';

test('shows the result of a context, the deciding strategy and the reason of each constraint', {
  tag: '@reach',
}, async ({ page, ui, flags }) => {
  await flags.create({ name: GROUP, strategies: [rollout('50', 'eu', 'us'), users(LISTED)] });
  await ui.activation.open(GROUP);
  const lab = new Lab(page);
  await lab.button.click();
  await expect(lab.result).toContainText('No strategy matches.');
  await expect(ui.activation.strategy('userWithId')).toContainText('userId is missing');
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url().split('#')[0] ?? ''));
  await lab.fill('userId', LEFT_OUT);
  await lab.fill('environment', 'eu');
  const card = ui.activation.strategy('flexibleRollout');
  const bucket = bucketOf(LEFT_OUT, GROUP);
  const verdict = `${LEFT_OUT} is at ${bucket} of 100, above the rollout of 50 %`;
  await expect(card).toContainText(`Off ${verdict}`);
  await expect(lab.result).toContainText(verdict);
  await expect(lab.result).toContainText('Matches: environment is eu');
  await expect(ui.activation.strategy('userWithId')).toContainText(`Off ${LEFT_OUT} is not listed`);
  await expect(lab.result).not.toContainText('ASCII');
  await lab.fill('userId', 'jürgen');
  await expect(lab.result).toContainText('hashes letters outside ASCII differently: jürgen');
  await lab.fill('userId', LISTED);
  await expect(lab.result).toContainText('Strategy "userWithId" matches.');
  await expect(lab.result).toContainText('Result: On');
  await lab.fill('environment', 'asia');
  await expect(card).toContainText('Off environment is asia');
  await expect(lab.result).toContainText('Does not match: environment is asia');
  // The context is in the fragment, which no request contains.
  await expect(page).toHaveURL(new RegExp(`#(?=.*userId=${LISTED})(?=.*environment=asia)`));
  await page.reload();
  await expect(lab.result).toContainText('Strategy "userWithId" matches.');
  expect(urls.filter((url) => url.includes(LISTED) || url.includes('asia'))).toEqual([]);
});

test('shows the results of the saved and of the unsaved strategies', { tag: '@reach' }, async ({ page, ui, flags }) => {
  await flags.create({ name: GROUP, strategies: [rollout('50'), users('ada')] });
  await page.goto(`features/strategies/${GROUP}#userId=${LEFT_OUT}`);
  await ui.activation.editAll();
  const lab = new Lab(page);
  await expect(lab.result).toContainText('Result: Off');
  await ui.activation.rolloutField('flexibleRollout').fill('100');
  await expect(lab.side('Saved')).toContainText('No strategy matches.');
  await expect(lab.side('Unsaved')).toContainText('Strategy "flexibleRollout" matches.');
  const card = ui.activation.strategy('flexibleRollout');
  await expect(card).toContainText(/Saved: Off.*above the rollout of 50\s%.*Unsaved: On.*within the rollout of 100\s%/);
  // A removed strategy must not shift the reasons of the others.
  await ui.activation.addStrategy('default');
  await expect(ui.activation.strategy('default')).toContainText('On everyone gets it');
  await expect(ui.activation.strategy('userWithId')).toContainText(`Off ${LEFT_OUT} is not listed`);
  await ui.activation.saveAll.click();
  await expect(lab.result).toContainText('Result: On');
  await expect(lab.side('Saved')).toHaveCount(0);
});

test.describe('the panel', { tag: '@embedded' }, () => {
  test('evaluates nothing until it is used, and clearing it removes the reasons and the context', async ({
    page,
    ui,
    flags,
  }) => {
    await flags.create({ name: GROUP, strategies: [rollout('50')] });
    const evaluations: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/-/evaluate')) evaluations.push(request.url());
    });
    await ui.activation.open(GROUP);
    const lab = new Lab(page);
    await expect(lab.field('userId')).toBeVisible();
    expect(evaluations).toEqual([]);
    await lab.button.click();
    await lab.fill('userId', LEFT_OUT);
    await expect(ui.activation.strategy('flexibleRollout')).toContainText('of 100');
    expect(evaluations).toHaveLength(2);
    await lab.clear.click();
    await expect(ui.activation.strategy('flexibleRollout')).not.toContainText('of 100');
    await expect(lab.field('userId')).toHaveValue('');
    await expect(lab.result).toHaveCount(0);
    await expect(page).not.toHaveURL(/#/);
  });

  test('shows the variant and the share of each', async ({ page, flags }) => {
    await flags.create({
      name: GROUP,
      strategies: [users('ada')],
      variants: [variant('blue', 1000, 'variable'), variant('red', 0, 'fix')],
    });
    await page.goto(`features/strategies/${GROUP}#userId=ada`);
    const { result } = new Lab(page);
    await expect(result).toContainText('Variant blue');
    await expect(result).toContainText('Shares: blue 100 %, red 0 %');
  });

  test('says that the application decides, and what happens at random', async ({ page, ui, flags }) => {
    const random = { name: 'gradualRolloutRandom', parameters: { percentage: '25' } };
    await flags.create({ name: GROUP, strategies: [random] });
    await page.goto(`features/strategies/${GROUP}#userId=ada`);
    const { result } = new Lab(page);
    await expect(result).toContainText('On for 25 %');
    await flags.update(GROUP, { strategies: [{ name: 'applicationHostname', parameters: { hostNames: 'a' } }] });
    await page.reload();
    await expect(result).toContainText('App decides');
    await expect(ui.activation.strategy('applicationHostname')).toContainText('only the application can evaluate');
  });

  test('evaluates a toggle that is off as if it were on, keeps the context on other tabs, and shows a limit', async ({
    page,
    ui,
    flags,
  }) => {
    await flags.create({ name: GROUP, enabled: false, strategies: [users('ada')] });
    await page.goto(`features/strategies/${GROUP}#userId=ada`);
    const lab = new Lab(page);
    await expect(lab.result).toContainText('The toggle is switched off.');
    await ui.tab('Metrics').click();
    await expect(lab.result).toHaveCount(0);
    await ui.tab('Activation').click();
    await expect(lab.result).toContainText('The toggle is switched off.');
    await lab.panel.getByRole('checkbox', { name: 'As if the toggle were on' }).check();
    await expect(lab.result).toContainText('Strategy "userWithId" matches.');
    await lab.fill('userId', 'a'.repeat(1001));
    await expect(lab.panel.getByRole('alert')).toHaveText(
      'The request has 1001 bytes in a context value; the maximum is 1000: shorten the value',
    );
    await lab.fill('userId', 'ada');
    await expect(lab.result).toContainText('Strategy "userWithId" matches.');
  });

  test('is not offered for archived toggles', async ({ page, ui, flags }) => {
    await flags.create({ name: GROUP, strategies: [users('ada')] });
    await flags.archive(GROUP);
    await page.goto(`archive/strategies/${GROUP}#userId=ada`);
    await expect(ui.main.getByRole('article', { name: 'userWithId' })).toBeVisible();
    await expect(new Lab(page).panel).toHaveCount(0);
    await expect(ui.main).not.toContainText('ada is listed');
  });

  test('works with the keyboard alone, at 360 px below the strategies', async ({ page, ui, flags }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await flags.create({ name: GROUP, strategies: [users('ada')] });
    await ui.activation.open(GROUP);
    const lab = new Lab(page);
    const top = async (one: typeof lab.panel) => (await one.boundingBox())?.y ?? 0;
    expect(await top(lab.panel)).toBeGreaterThan(await top(ui.activation.strategy('userWithId')));
    await tabTo(lab.button);
    await page.keyboard.press('Enter');
    await tabTo(lab.field('userId'));
    await page.keyboard.type('ada');
    await page.keyboard.press('Enter');
    await expect(lab.result).toContainText('Result: On');
    await tabTo(lab.panel.getByRole('radio', { name: 'One context' }));
    await page.keyboard.press('ArrowRight');
    await tabTo(lab.panel.getByRole('button', { name: 'Add population' }));
    await page.keyboard.press('Enter');
    await tabTo(lab.dialog.getByLabel('Contexts'));
    await page.keyboard.type('ada\ngrace');
    await tabTo(lab.dialog.getByRole('button', { name: 'Evaluate' }));
    await page.keyboard.press('Enter');
    await expect(lab.summary).toHaveText('On for 1 of these 2.');
  });

  test.describe('in a read-only console', () => {
    test.use({ settings: ['--read-only'] });

    test('shows results and reasons', async ({ page, ui }) => {
      // Toggles cannot be created here, so the toggle of another response is shown.
      await page.route('**/api/admin/features', (route) =>
        route.fulfill({ json: { version: 1, features: [{ ...toggle(GROUP), strategies: [rollout('50', 'eu')] }] } }),
      );
      await page.goto(`features/strategies/${GROUP}#userId=ada&environment=eu`);
      const card = ui.main.getByRole('article', { name: 'flexibleRollout' });
      await expect(card).toContainText(`ada is at ${bucketOf('ada', GROUP)} of 100`);
      await expect(new Lab(page).result).toContainText('Matches: environment is eu');
      await new Lab(page).paste('ada\ngrace');
      // Without an environment, the constraint does not match.
      await expect(new Lab(page).summary).toHaveText('On for 0 of these 2.');
    });
  });
});

stubTest.describe('the panel', { tag: '@stub' }, () => {
  stubTest.beforeEach(({ stub }) => {
    const features = [{ ...toggle(GROUP), strategies: [users('ada')] }];
    stub.respond('GET /api/admin/features', { body: { version: 1, features } });
  });

  stubTest('works for users without permissions', async ({ page, stub }) => {
    stub.respond('GET /api/admin/user', { body: { email: 'reader@example.com', permissions: [] } });
    await page.goto(`features/strategies/${GROUP}#userId=ada`);
    await expect(new Lab(page).result).toContainText('Strategy "userWithId" matches.');
  });

  stubTest('evaluates the loaded strategies while the flag service is unreachable', async ({ page, ui, stub }) => {
    await page.goto(`features/strategies/${GROUP}`);
    const lab = new Lab(page);
    await expect(lab.button).toBeVisible();
    await stub.stop();
    await expect(ui.outage).toBeVisible();
    await lab.button.click();
    await lab.fill('userId', 'ada');
    await expect(lab.result).toContainText('Strategy "userWithId" matches.');
    await expect(ui.activation.strategy('userWithId').or(ui.main.getByRole('article'))).toContainText('ada is listed');
    await stub.startAgain();
  });
});
