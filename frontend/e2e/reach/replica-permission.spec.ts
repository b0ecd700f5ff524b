// The permission to remove the copies of toggles for SDKs.

import { removeCopies, replicaButton, replicaPanel } from '../support/replicaPanel';
import { expect, requireServer, test } from './api';

test.use({ account: 'editor', settings: ['--replica'] });

test('only administrators of the server can remove the copies of the replica', async ({
  page,
  ui,
  request,
  flagdeck,
  realServer,
}) => {
  const token = requireServer(realServer).clientToken ?? '';
  expect((await request.get('api/client/features', { headers: { authorization: token } })).status()).toBe(200);
  await page.goto('features');
  await replicaButton(ui).click();
  await expect(replicaPanel(ui)).toContainText('You need the permission ADMIN for this.');
  await expect(removeCopies(ui)).toBeDisabled();

  const refused = await page.request.delete(`${flagdeck.url}-/replica`);
  expect([refused.status(), (await refused.json()).code]).toEqual([403, 'admin_only']);
  expect((await request.delete('-/replica')).status(), 'signed out').toBe(401);
  expect((await (await request.get('-/replica')).json()).copies).toBe(1);
});
