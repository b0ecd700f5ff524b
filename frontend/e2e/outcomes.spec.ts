// What calls come to: that they are under way, that they went well, that they failed. And what every call carries.

import type { Locator } from '@playwright/test';
import { expect, stubTest, test } from './support/fixtures';
import { gate } from './support/gate';
import { type Answer, type StubUpstream, toggle } from './support/stubUpstream';
import type { Ui } from './support/ui';

const REFUSED: Answer = { status: 403, body: { message: 'Not today' } };

interface Operation {
  name: string;
  call: string;
  path: string;
  success: Answer;
  /** Leads to what starts the call. */
  control: (ui: Ui) => Promise<Locator>;
  told: (ui: Ui) => Locator;
  done: (ui: Ui) => Promise<void>;
}

const withTag = { body: { version: 1, tags: [{ type: 'simple', value: 'winter' }] } };

const OPERATIONS: Operation[] = [
  {
    name: 'create',
    call: 'POST /api/admin/features',
    path: 'features/create',
    success: { status: 201, body: toggle('shop.new') },
    control: async (ui) => {
      await ui.nameField.fill('shop.new');
      return ui.main.getByRole('button', { name: 'Create', exact: true });
    },
    told: (ui) => ui.main.getByRole('alert'),
    done: (ui) => expect(ui.page).toHaveURL(/\/features\/strategies\/shop\.new$/),
  },
  {
    name: 'update',
    call: 'POST /api/admin/features/shop.basket/toggle/off',
    path: 'features',
    success: { body: toggle('shop.basket', { enabled: false }) },
    control: async (ui) => ui.switchOf('shop.basket'),
    told: (ui) => ui.snackbar,
    done: (ui) => expect(ui.switchOf('shop.basket')).not.toBeChecked(),
  },
  {
    name: 'remove',
    call: 'DELETE /api/admin/features/shop.basket',
    path: 'features/strategies/shop.basket',
    success: { status: 200 },
    control: async (ui) => {
      await ui.archiveFromDetail();
      return ui.dialog.getByRole('button', { name: 'Archive' });
    },
    told: (ui) => ui.dialog.getByRole('alert'),
    done: (ui) => expect(ui.page).toHaveURL(/\/features$/),
  },
  {
    name: 'tag',
    call: 'POST /api/admin/features/shop.basket/tags',
    path: 'features/strategies/shop.basket',
    success: { status: 201, body: { type: 'simple', value: 'spring' } },
    control: async (ui) => {
      await ui.openAddTag();
      await ui.dialog.getByLabel('Value').fill('spring');
      return ui.dialog.getByRole('button', { name: 'Add tag' });
    },
    told: (ui) => ui.dialog.getByText('You cannot perform this action'),
    done: (ui) => expect(ui.dialog).toBeHidden(),
  },
  {
    name: 'untag',
    call: 'DELETE /api/admin/features/shop.basket/tags/simple/winter',
    path: 'features/strategies/shop.basket',
    success: { status: 200 },
    control: async (ui) => {
      await ui.page.getByRole('button', { name: 'Remove tag simple: winter' }).click();
      return ui.dialog.getByRole('button', { name: 'Remove' });
    },
    told: (ui) => ui.dialog.getByRole('alert'),
    done: (ui) => expect(ui.dialog).toBeHidden(),
  },
];

function answerReads(stub: StubUpstream): void {
  stub.answer('GET /api/admin/features', { body: { version: 1, features: [toggle('shop.basket')] } });
  stub.answer('GET /api/admin/features/shop.basket/tags', withTag);
  stub.answer('GET /api/admin/tags', withTag);
  stub.answer('GET /api/admin/tag-types', { body: { version: 1, tagTypes: [] } });
  stub.answer('POST /api/admin/features/validate', { status: 201 });
}

stubTest.describe('each operation starts, then succeeds or fails', { tag: '@stub' }, () => {
  stubTest.beforeEach(({ stub }) => answerReads(stub));

  for (const { name, call, path, success, control, told, done } of OPERATIONS) {
    stubTest(`${name} [S4-022] [S4-023]`, async ({ page, ui, stub }) => {
      const answer = gate();
      let outcome = REFUSED;
      stub.answer(call, async () => {
        await answer.opened;
        return outcome;
      });
      await page.goto(path);
      const start = await control(ui);
      await start.click();
      await expect(start).toHaveAttribute('aria-busy', 'true');
      answer.open();
      await expect(told(ui)).toContainText(/Not today|You cannot perform this action/);
      await expect(start).not.toHaveAttribute('aria-busy', 'true');
      outcome = success;
      await start.click();
      await done(ui);
    });
  }

  stubTest('fetch [S4-022] [S4-023]', async ({ page, ui, stub }) => {
    const answer = gate();
    stub.answer('GET /api/admin/features', async () => {
      await answer.opened;
      return REFUSED;
    });
    await page.goto('features');
    await expect(page.getByRole('status', { name: 'Loading toggles' })).toBeVisible();
    answer.open();
    await expect(ui.main.getByRole('alert')).toContainText('You cannot perform this action');
    answerReads(stub);
    await ui.main.getByRole('button', { name: 'Retry' }).click();
    await expect(ui.row('shop.basket')).toBeVisible();
  });
});

stubTest.describe('a read that fails is told', { tag: '@stub' }, () => {
  stubTest.beforeEach(({ stub }) => answerReads(stub));

  for (const [what, call, path] of [
    ['feature types [S8-020]', 'feature-types', 'features/create'],
    ['seen apps [S8-021]', 'metrics/seen-apps', 'features/view/shop.basket'],
    ['config [S8-026]', 'ui-config', 'history'],
  ] as const) {
    stubTest(what, async ({ page, ui, stub }) => {
      stub.answer('GET /api/admin/events', { body: { version: 1, events: [] } });
      stub.answer(`GET /api/admin/${call}`, REFUSED);
      await page.goto(path);
      await expect(ui.snackbar).toContainText('Not today');
      await expect(ui.main.getByRole('heading', { level: 1 })).toBeVisible();
    });
  }

  stubTest('the archive [S8-022]', async ({ page, ui, stub }) => {
    stub.answer('GET /api/admin/archive/features', REFUSED);
    await page.goto('archive');
    await expect(ui.main.getByRole('alert')).toContainText('You cannot perform this action');
    stub.answer('GET /api/admin/archive/features', { body: { version: 1, features: [toggle('shop.gone')] } });
    await ui.main.getByRole('button', { name: 'Retry' }).click();
    await expect(ui.row('shop.gone')).toBeVisible();
  });

  stubTest('a server without feature types has the one type that all have [S3-014]', async ({ page, ui, stub }) => {
    stub.answer('GET /api/admin/feature-types', { status: 404, body: '' });
    await page.goto('features/create');
    await expect(page.getByLabel('Toggle type').getByRole('option')).toHaveText(['Release']);
    await expect(page.getByLabel('Toggle type')).toHaveValue('release');
    await expect(ui.snackbar).toHaveCount(0);
  });
});

stubTest.describe('constants', { tag: '@stub' }, () => {
  stubTest.beforeEach(({ stub }) => answerReads(stub));

  stubTest('a dialog is 500 px wide [S9-022]', async ({ page, ui }) => {
    await page.goto('features/strategies/shop.basket');
    await ui.archiveFromDetail();
    await expect.poll(async () => (await ui.dialog.boundingBox())?.width).toBe(500);
  });

  stubTest('that a toggle was updated is told for a second [S9-023] [S4-017]', async ({ page, ui, stub }) => {
    const stored = toggle('shop.basket');
    stub.answer('GET /api/admin/features/shop.basket', { body: stored });
    stub.answer('PUT /api/admin/features/shop.basket', { body: { ...stored, type: 'kill-switch' } });
    await page.clock.install({ time: '2026-03-01T12:00:00Z' });
    await page.goto('features/strategies/shop.basket');
    await expect(ui.fact('Toggle type')).toBeVisible();
    await page.clock.pauseAt('2026-03-01T12:01:00Z');
    await ui.chooseFact('Toggle type', 'Kill switch');
    await expect(ui.snackbar).toContainText('shop.basket successfully updated!');
    await page.mouse.move(0, 0);
    await page.clock.runFor(990);
    await expect(ui.snackbar).toContainText('shop.basket successfully updated!');
    await page.clock.runFor(20);
    await expect(ui.snackbar).not.toContainText('successfully updated!');
  });

  stubTest('every call carries the credentials of its own origin [S7-001]', async ({ page, ui, stub, flagdeck }) => {
    await page.context().addCookies([{ name: 'session', value: 'mine', url: flagdeck.url }]);
    stub.answer('POST /api/admin/features/shop.basket/toggle/off', { body: toggle('shop.basket', { enabled: false }) });
    await page.goto('features');
    await ui.switchOf('shop.basket').click();
    await expect(ui.switchOf('shop.basket')).not.toBeChecked();
    const calls = stub.calls.filter((call) => call.path.startsWith('/api/admin'));
    expect(calls.length).toBeGreaterThan(3);
    for (const { path, headers } of calls) expect(headers.cookie, path).toContain('session=mine');
  });
});

test('signing out by a call is answered in JSON [S7-020]', async ({ request, flagdeck }) => {
  const answer = await request.get(`${flagdeck.url}api/admin/user/logout`);
  expect(answer.headers()['content-type']).toContain('application/json');
  expect(typeof (await answer.json())).toBe('object');
});
