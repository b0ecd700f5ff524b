// Incomplete responses: missing fields and null instead of lists must not break a page.

import { application } from './support/applications';
import { expect, stubTest as test } from './support/fixtures';
import { toggle } from './support/stubUpstream';

const PUT = 'PUT /api/admin/features/shop.basket';
const POST = 'POST /api/admin/features';
const MESSAGE = 'You must add at least one activation strategy';

for (const [how, strategies] of [
  ['absent', undefined],
  ['null', null],
  ['empty', []],
] as const) {
  test.describe(`a toggle whose strategies are ${how}`, { tag: '@stub' }, () => {
    test.beforeEach(({ stub }) => {
      const stored = toggle('shop.basket', { description: 'Large', strategies });
      stub.respond('GET /api/admin/features', { body: { version: 1, features: [stored, toggle('shop.pay')] } });
      stub.respond('GET /api/admin/features/shop.basket', { body: stored });
      stub.respond('POST /api/admin/features/validate', { status: 200 });
      stub.respond(PUT, { body: stored });
      stub.respond(POST, { status: 201, body: stored });
    });

    test('is listed and can be found', async ({ page, ui }) => {
      await page.goto('features?sort=strategies');
      await ui.expectNames('shop.pay', 'shop.basket');
      await ui.search.fill('large');
      await ui.search.press('Enter');
      await ui.expectNames('shop.basket');
    });

    test('is not updated, and no request is sent [S5-001]', async ({ page, ui, stub }) => {
      await page.goto('features/strategies/shop.basket');
      await ui.main.getByRole('button', { name: 'Edit description' }).click();
      await ui.main.getByRole('textbox', { name: 'Description' }).fill('Small');
      await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(ui.main.getByRole('alert')).toHaveText(MESSAGE);
      expect(stub.called(PUT)).toEqual([]);
    });

    test('is not copied, and no request is sent [S5-001]', async ({ page, ui, stub }) => {
      await page.goto('features/copy/shop.basket');
      await ui.nameField.fill('shop.copy');
      await page.getByRole('button', { name: 'Copy feature toggle' }).click();
      await expect(ui.main.getByRole('alert')).toHaveText(MESSAGE);
      await expect(page).toHaveURL(/\/features\/copy\/shop\.basket$/);
      expect(stub.called(POST)).toEqual([]);
    });

    test('can receive a strategy [S5-001]', async ({ page, ui, stub }) => {
      await page.goto('features/strategies/shop.basket');
      await ui.activation.addStrategy('default');
      await ui.activation.saveButton('default').click();
      await expect(page.getByText('Unsaved')).toHaveCount(0);
      expect(stub.called(PUT)[0]?.body).toMatchObject({ strategies: [{ name: 'default' }] });
    });
  });
}

test('a switch keeps the strategies if the response lacks them and the state, as from 4.2', { tag: '@stub' }, async ({
  page,
  ui,
  stub,
}) => {
  const strategies = [{ name: 'default' }, { name: 'userWithId' }];
  const stored = toggle('shop.basket', { enabled: false, strategies });
  const { enabled: _, strategies: __, ...response } = stored;
  stub.respond('GET /api/admin/features', { body: { version: 1, features: [stored, toggle('shop.pay')] } });
  stub.respond('POST /api/admin/features/shop.basket/toggle/on', { body: response });
  await page.goto('features?sort=strategies');
  await ui.expectNames('shop.basket', 'shop.pay');
  await ui.switchOf('shop.basket').click();
  await expect(ui.snackbar).toContainText('shop.basket switched on');
  await expect(ui.switchOf('shop.basket')).toBeChecked();
  await ui.expectNames('shop.basket', 'shop.pay');
});

const WITH_NULLS = toggle('shop.basket', {
  description: null,
  variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: null, payload: null, overrides: null }],
  strategies: [
    { name: 'default', parameters: null, constraints: null },
    { name: 'other', constraints: [{ contextName: 'userId', operator: 'IN', values: null }] },
  ],
});

const AT = '2026-01-05T10:00:00.000Z';

/** Each page with a response that lacks lists, and a text that shows that the page is rendered. */
const PAGES: readonly [page: string, call: string, body: object, text: string][] = [
  ['features/strategies/shop.basket', 'features', { features: [WITH_NULLS] }, 'userId'],
  ['features/variants/shop.basket', 'features', { features: [WITH_NULLS] }, 'blue'],
  ['features/view/shop.basket', 'features', { features: [WITH_NULLS] }, 'shop.basket'],
  ['features', 'features', { version: 1 }, 'Empty list of feature toggles'],
  ['archive', 'archive/features', { features: [{ ...WITH_NULLS, strategies: null }] }, 'shop.basket'],
  ['history', 'events', { events: [{ id: 1, type: 'feature-created', createdAt: AT }] }, 'created'],
  [
    'history?event=2',
    'events',
    { events: [{ id: 2, type: 'x', createdAt: AT, diffs: [{ kind: 'E', lhs: 1, rhs: 2 }] }] },
    'everything',
  ],
  ['history', 'events', {}, 'No events'],
  ['applications', 'metrics/applications', { applications: [{ appName: 'web', strategies: null }] }, 'web'],
  [
    'applications/web',
    'metrics/applications/web',
    application('web', { strategies: null, instances: null, seenToggles: null }),
    'No instance has reported recently',
  ],
  ['strategies', 'strategies', { strategies: [{ name: 'byMoon', parameters: null }] }, 'byMoon'],
  ['strategies/view/byMoon', 'strategies', { strategies: [{ name: 'byMoon' }] }, 'byMoon'],
  ['context', 'context', [{ name: 'region', description: null, sortOrder: 1, legalValues: null }], 'region'],
  ['projects', 'projects', { projects: null }, 'Projects'],
  ['tag-types', 'tag-types', { tagTypes: [{ name: 'team', description: null, icon: null }] }, 'team'],
  ['tags', 'tags', { tags: null }, 'Tags'],
  [
    'addons',
    'addons',
    { addons: [{ id: 1, provider: 'hook', events: null, parameters: null }], providers: null },
    'hook',
  ],
  ['addons/edit/1', 'addons', { addons: [{ id: 1, provider: 'hook' }], providers: [{ name: 'hook' }] }, 'Edit'],
];

for (const [address, call, body, text] of PAGES) {
  test(`the page ${address} renders with ${JSON.stringify(body).slice(0, 60)}`, { tag: '@stub' }, async ({
    page,
    ui,
    stub,
  }) => {
    stub.respond('GET /api/admin/metrics/applications', { body: {} });
    stub.respond(`GET /api/admin/${call}`, { body });
    await page.goto(address);
    await expect(ui.main).toContainText(text);
    await expect(ui.main.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(ui.main.getByRole('alert')).toHaveCount(0);
  });
}

test('a response that is not an object is an error', { tag: '@stub' }, async ({ page, ui, stub }) => {
  stub.respond('GET /api/admin/features', { body: null });
  await page.goto('features');
  await expect(ui.main.getByRole('alert')).toContainText('Unexpected exception when talking to the Flagdeck API');
});
