// A fault in the middle of everything that can be done to a toggle: it is told where it happened, what was typed stays,
// and the same press does it once the fault is over.

import { expect, stubTest as test } from './support/fixtures';
import { toggle } from './support/stubUpstream';
import { answerOneToggle, DEEDS } from './support/toggleDeeds';

const WHO = { type: 'unsecure', path: '/api/admin/login', message: 'Who is there?' };

for (const { what, call, answer, prepare, press, told, kept, done } of DEEDS) {
  test.describe(what, { tag: '@stub' }, () => {
    test.beforeEach(async ({ stub, page, ui }) => {
      answerOneToggle(stub);
      await prepare(page, ui);
    });

    test('meets a server that fails', async ({ page, ui, stub }) => {
      stub.answer(call, { status: 500 });
      await press(page, ui).click();
      await expect(told(page, ui)).toContainText('status 500');
      await kept(page, ui);
      stub.answer(call, answer);
      await press(page, ui).click();
      await done(page, ui);
    });

    test('meets nobody, and is told which server is gone', async ({ page, ui, stub }) => {
      const { host } = new URL(stub.url);
      await stub.stop();
      // What the page polls may tell of it first: then the control is there, and says why it does nothing.
      await press(page, ui).click({ force: true });
      // Also behind a dialog.
      const outage = page.locator('[role=alert]').filter({ hasText: 'Changes are disabled' });
      await expect(outage).toContainText(host);
      await kept(page, ui);
    });

    test('meets a session that has ended, and loses nothing by signing in', async ({ page, ui, stub }) => {
      // With the deed and not before it: anything the page still reads would ask first, in front of the button.
      stub.answer(call, () => {
        stub.signIn = WHO;
        return { status: 401, body: WHO };
      });
      stub.answer('POST /api/admin/login', () => {
        stub.signedIn = true;
        stub.answer(call, answer);
        return { body: {} };
      });
      await press(page, ui).click();
      await ui.signInByEmail('operator@example.com');
      await kept(page, ui);
      await press(page, ui).click();
      await done(page, ui);
    });
  });
}

for (const name of ['a/b?c#d', '50% off', 'x/.y', 'Übergröße & <b>', 'constructor']) {
  test(`a toggle that is called ${name} is opened, switched and saved`, { tag: '@stub' }, async ({
    page,
    ui,
    stub,
  }) => {
    const api = `/api/admin/features/${encodeURIComponent(name)}`;
    const stored = toggle(name, { description: 'Old' });
    stub.answer('GET /api/admin/features', { body: { version: 1, features: [stored] } });
    stub.answer(`GET ${api}`, { body: stored });
    stub.answer(`GET ${api}/tags`, { body: { version: 1, tags: [] } });
    stub.answer(`POST ${api}/toggle/off`, { body: { ...stored, enabled: false } });
    stub.answer(`PUT ${api}`, { status: 200 });
    await page.goto('features');
    await ui.switchOf(name).click();
    await expect(ui.switchOf(name)).not.toBeChecked();
    await ui.names().click();
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
    await page.reload();
    await ui.tab('Metrics').click();
    await expect(ui.part('Calls')).toContainText('No metrics available');
    await ui.main.getByRole('button', { name: 'Edit description' }).click();
    await ui.main.getByRole('textbox', { name: 'Description' }).fill('New');
    await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => stub.called(`PUT ${api}`)[0]?.body).toMatchObject({ name, description: 'New' });
  });
}
