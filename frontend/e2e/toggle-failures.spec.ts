// A fault in the middle of everything that can be done to a toggle: it is told where it happened, what was typed stays,
// and the same press does it once the fault is over.

import { expect, stubTest as test } from './support/fixtures';
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
      await press(page, ui).click();
      // Also behind a dialog.
      const outage = page.locator('[role=alert]').filter({ hasText: 'Nothing can be changed' });
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
