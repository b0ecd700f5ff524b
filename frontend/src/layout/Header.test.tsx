// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { click, find } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { serveUpstream } from '@/testing/flagService';
import { cleanPageAfterEach } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

/** The header of the page frame, before that of the page. */
const header = () => find(document, 'header');

test('[S2-111] the header has a locale picker and the avatar of the user', async () => {
  const imageUrl = `${location.origin}/-/avatars/1.svg`;
  serveUpstream(server(), {
    'GET api/admin/user': { body: { email: 'ada@example.com', imageUrl, permissions: ['ADMIN'] } },
  });
  await renderConsole('/features');
  expect(header().contains(screen.getByRole('main'))).toBe(false);
  await click(within(header()).getByRole('button', { name: 'Date and number format' }));
  expect(within(header()).getAllByRole('menuitemradio').length).toBeGreaterThanOrEqual(10);
  expect(within(header()).queryByRole('button', { name: 'Theme' }), 'in the menu of the user').toBeNull();
  const user = within(header()).getByRole('button', { name: 'ada@example.com' });
  expect(find(user, 'img').getAttribute('src')).toContain('/-/avatars/1.svg');
});

test.each([
  ['a list', { permissions: ['UPDATE_FEATURE', 'CREATE_TAG'] }, ['CREATE_TAG', 'UPDATE_FEATURE']],
  ['ADMIN', { permissions: ['ADMIN', 'CREATE_TAG'] }, ['All']],
  ['an empty list', { permissions: [] }, ['None']],
  ['no list', {}, ['All']],
  [
    'groups of a list',
    {
      permissions: ['UPDATE_FEATURE', 'CREATE_TAG'],
      grants: [
        { permission: 'ADMIN', groups: ['root'], isGranted: false },
        { permission: 'CREATE_TAG', groups: ['shop', 'leads'], isGranted: true },
      ],
    },
    ['CREATE_TAG by shop, leads', 'UPDATE_FEATURE'],
  ],
  [
    'groups of ADMIN',
    { permissions: ['ADMIN'], grants: [{ permission: 'ADMIN', groups: ['root'], isGranted: true }] },
    ['All by root'],
  ],
  [
    'groups of administrators whose permissions an upstream limits',
    {
      permissions: ['CREATE_FEATURE', 'UPDATE_FEATURE_ENVIRONMENT'],
      isAdministrator: true,
      grants: [
        { permission: 'ADMIN', groups: ['root'], isGranted: true },
        { permission: 'UPDATE_FEATURE', groups: ['shop'], isGranted: true },
      ],
    },
    ['CREATE_FEATURE by root', 'UPDATE_FEATURE_ENVIRONMENT by shop'],
  ],
])('the menu of a user shows the name, the address and the permissions: %s', async (_, more, texts) => {
  serveUpstream(server(), {
    'GET api/admin/user': { body: { name: 'Ada Olsen', email: 'ada@example.com', ...more } },
  });
  await renderConsole('/features');
  await click(within(header()).getByRole('button', { name: 'Ada Olsen' }));
  const panel = within(within(header()).getByRole('group', { name: 'Ada Olsen' }));
  expect(panel.getByText('ada@example.com')).toBeDefined();
  expect(panel.getByLabelText('Theme')).toBeDefined();
  const shown = panel.getByRole('heading', { name: 'Permissions' }).nextElementSibling;
  expect(shown?.textContent).toBe(texts.join(''));
});
