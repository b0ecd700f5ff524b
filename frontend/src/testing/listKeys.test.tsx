// @vitest-environment happy-dom
// The keys of all kinds of lists: j moves the cursor, e edits its item.
import { fireEvent } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibleDescription } from './consolePage';
import { installFakeServer } from './fakeServer';
import { createToggle, SETTINGS, serveConsole } from './flagService';
import { cleanPageAfterEach, settlePage } from './page';
import { renderConsole } from './renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const APPLICATION = {
  appName: 'shop',
  createdAt: '2026-01-01T00:00:00Z',
  instances: [],
  seenToggles: [],
  strategies: [],
};
const STRATEGY = { name: 'byShop', description: '', editable: true, deprecated: false, parameters: [] };

async function openList(path: string, settings = {}) {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  server().on('GET -/settings', { body: { ...SETTINGS, ...settings } });
  server().on('GET api/admin/projects', {
    body: { version: 1, projects: [{ id: 'shop', name: 'Shop', description: '', createdAt: '' }] },
  });
  server().on('GET api/admin/strategies', { body: { version: 1, strategies: [STRATEGY] } });
  server().on('GET api/admin/strategies/byShop', { body: STRATEGY });
  server().on('GET api/admin/metrics/applications', { body: { applications: [APPLICATION] } });
  server().on('GET api/admin/metrics/applications/shop', { body: APPLICATION });
  server().on('GET api/admin/metrics/applications?strategyName=byShop', { body: { applications: [] } });
  await renderConsole(path);
}

async function press(key: string) {
  fireEvent.keyDown(document.activeElement ?? document.body, { key });
  await settlePage();
}

test.each([
  ['/features', 'shop.basket', '/features/strategies/shop.basket'],
  ['/projects', 'Shop', '/projects/edit/shop'],
  ['/strategies', 'byShop', '/strategies/edit/byShop'],
  ['/applications', 'shop', '/applications/shop?tab=edit'],
])('in %s, j moves to %s and e opens %s', async (path, name, edit) => {
  await openList(path);
  await press('j');
  expect(document.activeElement?.textContent).toBe(name);
  await press('e');
  expect(location.pathname + location.search).toBe(edit);
});

test('e shows the reason if the item cannot be edited', async () => {
  await openList('/projects', { readOnly: true });
  await press('j');
  await press('e');
  expect(location.pathname).toBe('/projects');
  expect(accessibleDescription(document.activeElement as Element)).toBe('This console is read-only.');
});
