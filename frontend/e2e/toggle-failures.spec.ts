// Failures of an action on a toggle, and unusual names. All actions: src/testing/toggleFailures.test.tsx.

import { ONE_TOGGLE } from '../src/testing/responses';
import { expect, stubTest as test } from './support/fixtures';
import { toggle } from './support/stubUpstream';
import { TOGGLE_ACTIONS } from './support/toggleActions';

const CHALLENGE = { type: 'unsecure', path: '/api/admin/login', message: 'Who is there?' };

test('a failed save keeps the input during a server error and an outage, and continues after an ended session', {
  tag: '@stub',
}, async ({ page, ui, stub }) => {
  const action = TOGGLE_ACTIONS.find(({ name }) => name === 'saving all cards');
  if (!action) throw new Error('There is no such action');
  const { call, response, prepare, control, errorMessage, expectInputKept, expectSuccess } = action;
  stub.respondWith(ONE_TOGGLE);
  await prepare(page, ui);

  stub.respond(call, { status: 500 });
  await control(page, ui).click();
  await expect(errorMessage(page, ui)).toContainText('status 500');
  await expectInputKept(page, ui);

  const { host } = new URL(stub.url);
  await stub.stop();
  // A poll may detect the outage first. The control is then disabled and shows the reason.
  await control(page, ui).click({ force: true });
  await expect(ui.outage).toContainText(host);
  await expectInputKept(page, ui);

  await stub.startAgain();
  await expect(ui.outage).toHaveCount(0);
  await expectInputKept(page, ui);

  // The session ends with this request. If it ended before, another read would open the sign-in dialog over the button.
  stub.respond(call, () => {
    stub.signIn = CHALLENGE;
    return { status: 401, body: CHALLENGE };
  });
  stub.respond('POST /api/admin/login', () => {
    stub.signedIn = true;
    stub.respond(call, response);
    return { body: {} };
  });
  await control(page, ui).click();
  await ui.signInByEmail('operator@example.com');
  await expectSuccess(page, ui);
});

test('a toggle named a/b?c#d can be opened, switched and saved', { tag: '@stub' }, async ({ page, ui, stub }) => {
  const name = 'a/b?c#d';
  const api = `/api/admin/features/${encodeURIComponent(name)}`;
  const stored = toggle(name, { description: 'Old' });
  stub.respond('GET /api/admin/features', { body: { version: 1, features: [stored] } });
  stub.respond(`GET ${api}`, { body: stored });
  stub.respond(`GET ${api}/tags`, { body: { version: 1, tags: [] } });
  stub.respond(`POST ${api}/toggle/off`, { body: { ...stored, enabled: false } });
  stub.respond(`PUT ${api}`, { status: 200 });
  await page.goto('features');
  await ui.switchOf(name).click();
  await expect(ui.switchOf(name)).not.toBeChecked();
  await ui.names().click();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
  await page.reload();
  await ui.tab('Metrics').click();
  await expect(ui.section('Calls')).toContainText('No metrics available');
  await ui.main.getByRole('button', { name: 'Edit description' }).click();
  await ui.main.getByRole('textbox', { name: 'Description' }).fill('New');
  await ui.main.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => stub.called(`PUT ${api}`)[0]?.body).toMatchObject({ name, description: 'New' });
});
