// The page that evaluates all toggles for one context.

import type { Page } from '@playwright/test';
import { tabTo } from './support/accessibility';
import { reportApplication } from './support/applications';
import { expect, stubTest, test } from './support/fixtures';
import type { Flags } from './support/flags';
import { toggle } from './support/stubUpstream';

const FOR_ADA = { name: 'shop.ada', strategies: [{ name: 'userWithId', parameters: { userIds: 'ada,grace' } }] };
const FOR_ALL = { name: 'shop.all', description: 'A larger basket' };
const SWITCHED_OFF = { name: 'shop.off', enabled: false };

const userId = (page: Page) => page.getByRole('textbox', { name: 'userId', exact: true });
const summary = (page: Page) => page.getByRole('status').filter({ hasText: ' on · ' });

test('shows the result and the reason of each toggle, for the context in the URL and in the form', async ({
  page,
  ui,
  flags,
}) => {
  await flags.create(FOR_ADA, FOR_ALL, SWITCHED_OFF);
  await page.goto('evaluation#userId=ada');
  await expect(ui.row('shop.ada')).toContainText('OnStrategy "userWithId" matches: ada is listed.');
  await expect(ui.row('shop.all')).toContainText('OnStrategy "default" matches: everyone gets it.');
  await expect(ui.row('shop.off')).toContainText('OffThe toggle is switched off.');
  await expect(summary(page)).toHaveText('2 on · 1 off');
  await expect(userId(page)).toHaveValue('ada');

  await userId(page).fill('bob');
  await expect(ui.row('shop.ada')).toContainText('OffStrategy "userWithId" does not match: bob is not listed.');
  await expect(summary(page)).toHaveText('1 on · 2 off');
  await expect(page).toHaveURL(/evaluation#userId=bob$/);
  await page.reload();
  await expect(ui.row('shop.ada')).toContainText('bob is not listed');
  await expect(ui.row('shop.ada').getByRole('link')).toHaveAttribute(
    'href',
    /features\/strategies\/shop\.ada#userId=bob$/,
  );
});

test('sends the context in no URL', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create(FOR_ADA);
  const queries: string[] = [];
  page.on('request', (request) => queries.push(request.url().split('#')[0] ?? ''));
  await page.goto('evaluation?result=on#userId=grace');
  await expect(ui.row('shop.ada')).toContainText('grace is listed');
  await ui.row('shop.ada').getByRole('link').click();
  await expect(page).toHaveURL(/features\/strategies\/shop\.ada#userId=grace$/);
  expect(queries.length).toBeGreaterThan(3);
  expect(queries.filter((url) => url.includes('grace'))).toEqual([]);
});

test('works by keyboard', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create(FOR_ADA, FOR_ALL);
  await page.goto('features');
  await expect(ui.row('shop.ada')).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await expect(page.getByRole('heading', { level: 1, name: 'Evaluation' })).toBeFocused();
  await tabTo(userId(page));
  await page.keyboard.type('ada');
  await page.keyboard.press('Enter');
  await expect(ui.row('shop.ada')).toContainText('ada is listed');
  await tabTo(page.getByRole('group').locator('summary', { hasText: 'More fields' }));
  await page.keyboard.press('Enter');
  await tabTo(page.getByLabel('Other field'));
  await page.keyboard.type('properties');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('inside "properties"');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('plan');
  await page.keyboard.press('Enter');
  await tabTo(page.getByRole('textbox', { name: 'plan' }));
  await page.keyboard.type('gold');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#userId=ada&plan=gold$/);
  await tabTo(page.getByRole('combobox', { name: 'Result' }));
  // A letter chooses in the closed list. An arrow opens the browser's list, which takes an unknown time.
  await page.keyboard.press('o');
  await expect(page).toHaveURL(/evaluation\?result=on#userId=ada&plan=gold$/);
  await tabTo(ui.row('shop.ada').getByRole('link'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/features\/strategies\/shop\.ada#userId=ada&plan=gold$/);
});

test('filters by result, text and tag, and keeps the filters in the URL', { tag: '@embedded' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.create(FOR_ADA, FOR_ALL, SWITCHED_OFF);
  await flags.post('admin/features/shop.off/tags', { type: 'simple', value: 'winter' });
  await page.goto('evaluation?result=on#userId=ada');
  await ui.expectNames('shop.ada', 'shop.all');
  await expect(page.getByText('2 of 3 shown')).toBeVisible();
  await ui.search.fill('basket');
  await ui.expectNames('shop.all');
  await expect(page).toHaveURL(/evaluation\?result=on&filter=basket#userId=ada$/);
  await userId(page).fill('bob');
  await expect(page).toHaveURL(/evaluation\?result=on&filter=basket#userId=bob$/);
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('simple: winter');
  await expect(page.getByRole('heading', { name: 'No toggle matches these filters' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await ui.expectNames('shop.ada', 'shop.all', 'shop.off');
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('simple: winter');
  await ui.expectNames('shop.off');
});

test('evaluates the context fields of the server, with their legal values as suggestions', { tag: '@reach' }, async ({
  page,
  ui,
  flags,
}) => {
  await flags.post('admin/context', { name: 'region', description: '', legalValues: ['eu', 'us'], sortOrder: 9 });
  const constraints = [{ contextName: 'region', operator: 'IN', values: ['eu'] }];
  await flags.create({ name: 'shop.eu', strategies: [{ name: 'default', parameters: {}, constraints }] });
  await page.goto('evaluation');
  await expect(ui.row('shop.eu')).toContainText('Strategy "default" does not match: region is missing.');
  const region = page.getByRole('combobox', { name: 'region' });
  await expect(page.locator('datalist option:is([value=eu], [value=us])')).toHaveCount(2);
  await region.fill('eu');
  await expect(ui.row('shop.eu')).toContainText('Strategy "default" matches: region is eu.');
  await region.fill('');
  await expect(ui.row('shop.eu')).toContainText('region is missing');
  await expect(page).toHaveURL(/evaluation$/);
});

test('says which results only the application or chance decides', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create(
    { name: 'shop.custom', strategies: [{ name: 'byMoon', parameters: {} }] },
    { name: 'shop.random', strategies: [{ name: 'gradualRolloutRandom', parameters: { percentage: '25' } }] },
  );
  await page.goto('evaluation');
  await expect(ui.row('shop.custom')).toContainText('App decidesOnly the application can evaluate strategy "byMoon".');
  await expect(ui.row('shop.random')).toContainText('On for 25 %Strategy "gradualRolloutRandom" selects at random.');
  await expect(summary(page)).toHaveText('0 on · 0 off · 1 decided by the application · 1 on at random');
});

test.describe('variants', () => {
  const COLOURS = {
    name: 'shop.colours',
    variants: ['blue', 'green', 'red', 'white'].map((name) => ({ name, weight: 250, weightType: 'variable' })),
  };

  /** Returns a user with different variants in old and current client libraries, and both. */
  async function findUser(page: Page, flags: Flags) {
    const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);
    const stored = await flags.find('shop.colours');
    const evaluate = async (variantSeed: object) => {
      const data = { toggles: [stored], contexts: users.map((id) => ({ userId: id })), ...variantSeed };
      const response = await page.request.post('-/evaluate', { data });
      const { toggles } = await response.json();
      return toggles[0].saved.contexts.map(({ variant }: { variant: string }) => variant) as string[];
    };
    const [current, old] = [await evaluate({}), await evaluate({ variantSeed: 0 })];
    const at = users.findIndex((_, index) => current[index] !== old[index]);
    return { user: users[at] ?? '', current: current[at] ?? '', old: old[at] ?? '' };
  }

  test('of old client libraries are shown beside the current ones, with a warning', {
    tag: ['@list-variants', '@reach'],
  }, async ({ page, ui, flags }) => {
    await flags.create(COLOURS);
    await reportApplication(flags, 'inventory', { sdkVersion: 'unleash-client-node:4.2.1' });
    const { user, current, old } = await findUser(page, flags);
    expect(current).not.toBe(old);
    await page.goto(`evaluation#userId=${user}`);
    await expect(ui.row('shop.colours')).toContainText(`${current}${old} in old libraries`);
    await expect(page.getByRole('note')).toContainText('inventory (unleash-client-node:4.2.1)');
  });

  test('cause no warning if all client libraries are current', { tag: '@embedded' }, async ({ page, ui, flags }) => {
    await flags.create(COLOURS);
    await reportApplication(flags, 'inventory', { sdkVersion: 'unleash-client-node:5.0.0' });
    const { user, current } = await findUser(page, flags);
    const read = page.waitForResponse('**/api/admin/metrics/applications/inventory');
    await page.goto(`evaluation#userId=${user}`);
    await read;
    await expect(ui.row('shop.colours').getByRole('cell').nth(1)).toHaveText(`Variant ${current}`);
    await expect(page.getByRole('note')).toHaveCount(0);
  });
});

test('copies the shown results', { tag: '@embedded' }, async ({ page, ui, flags, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await flags.create(FOR_ADA, FOR_ALL);
  await page.goto('evaluation?filter=ada#userId=ada');
  await ui.expectNames('shop.ada');
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await ui.copyAs('the results', 'JSON');
  await expect.poll(clipboard).toContain('"name": "shop.ada"');
  expect(JSON.parse(await clipboard())).toMatchObject([{ name: 'shop.ada', result: 'on' }]);
});

test('on phones a row is a card with the whole reason, and the filters are behind a button', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  const groupId = 'checkout.express-pay';
  const parameters = { rollout: '25', stickiness: 'userId', groupId };
  await flags.create(
    { name: 'shop.off', enabled: false },
    { name: 'shop.pay', strategies: [{ name: 'flexibleRollout', parameters }] },
  );
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('evaluation#userId=4711');
  const reason = ui.row('shop.pay').getByText(/4711 is at \d+ of 100, (above|within) the rollout/);
  await expect(reason).toBeVisible();
  const isCut = await reason.evaluate(
    ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
      scrollHeight > clientHeight || scrollWidth > clientWidth,
  );
  expect(isCut).toBe(false);
  // A row has the height of its texts, and the first results need no scrolling.
  const heightOf = async (name: string) => (await ui.row(name).boundingBox())?.height ?? 0;
  await expect.poll(() => heightOf('shop.off')).toBeLessThan(80);
  await expect.poll(() => heightOf('shop.pay')).toBeGreaterThan(80);
  await expect(ui.row('shop.pay')).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel('remoteAddress')).toBeHidden();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await ui.filters.getByLabel('Result').selectOption({ label: 'On at random' });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Filter 1 active' })).toBeVisible();
  await expect(ui.row('shop.pay')).toHaveCount(0);
});

stubTest.describe('with an upstream', { tag: '@stub' }, () => {
  const patterns = (count: number) =>
    Array.from({ length: count }, () => ({ contextName: 'userId', operator: 'REGEX', value: '^a', values: [] }));
  const withPatterns = (name: string, count: number) =>
    toggle(name, {
      strategies: Array.from({ length: Math.ceil(count / 95) }, (_, index) => ({
        name: 'default',
        parameters: {},
        constraints: patterns(Math.min(95, count - index * 95)),
      })),
    });

  stubTest(
    'divides requests above a limit, and names the toggle that is above it alone',
    async ({ page, ui, stub }) => {
      const many = Array.from({ length: 20 }, (_, index) => withPatterns(`shop.many-${index}`, 95));
      const features = [...many, withPatterns('shop.too-many', 1_001)];
      stub.respond('GET /api/admin/features', { body: { version: 1, features } });
      await page.goto('evaluation#userId=ada');
      await expect(summary(page)).toHaveText('20 on · 0 off');
      await expect(ui.row('shop.many-0')).toContainText('On');
      await ui.search.fill('too-many');
      await expect(ui.row('shop.too-many')).toContainText('Not evaluated. The request has 1001 regular expressions');
    },
  );

  stubTest.describe('in read-only mode', () => {
    stubTest.use({ settings: ['--read-only'] });

    stubTest('evaluates for a user without permissions', async ({ page, ui, stub }) => {
      stub.respond('GET /api/admin/user', { body: { email: 'reader@example.com', permissions: [] } });
      const strategies = [{ name: 'userWithId', parameters: { userIds: 'ada' } }];
      stub.respond('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.ada', { strategies })] } });
      await page.goto('evaluation#userId=ada');
      await expect(ui.row('shop.ada')).toContainText('OnStrategy "userWithId" matches: ada is listed.');
      await userId(page).fill('bob');
      await expect(ui.row('shop.ada')).toContainText('bob is not listed');
    });
  });
});
