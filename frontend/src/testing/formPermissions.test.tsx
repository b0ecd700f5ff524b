// @vitest-environment happy-dom
// Controls that the console offers users according to their permissions. Journeys in the
// browser: e2e/permissions.spec.ts, e2e/addon-permissions.spec.ts. The API: ../src/tests/access/permissions.rs.
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { accessibleDescription, click, dialog, find, isDisabled, main, row, switchOf } from './consolePage';
import { installFakeServer } from './fakeServer';
import { serveUpstream } from './flagService';
import { cleanPageAfterEach } from './page';
import { renderConsole } from './renderConsole';
import { toggle } from './responses';

const server = installFakeServer();
cleanPageAfterEach();

const reasonFor = (permission: string) => `You need the permission ${permission} for this.`;
const signInAs = (...permissions: string[]) =>
  server().on('GET api/admin/user', { body: { email: 'reader@example.com', permissions } });
const reviveButton = () => within(row('shop.gone')).getByRole('button', { name: /Revive/ });

beforeEach(() =>
  serveUpstream(server(), {
    'GET api/admin/features': { body: { version: 1, features: [toggle('shop.basket')] } },
    'GET api/admin/archive/features': { body: { features: [toggle('shop.gone')] } },
  }),
);

describe('a user without any permission', () => {
  beforeEach(() => signInAs());

  test('[S2-038] [S6-002] [S6-004] [S6-005] cannot create or switch toggles in the list', async () => {
    await renderConsole('/features');
    expect(row('shop.basket')).toBeDefined();
    expect(screen.queryByRole('link', { name: 'New toggle' })).toBeNull();
    expect(isDisabled(switchOf('shop.basket'))).toBe(true);
  });

  test('[S6-002] [S6-005] [S6-006] cannot change or archive a toggle on its page', async () => {
    await renderConsole('/features/strategies/shop.basket');
    expect(main().getByRole('heading', { name: 'shop.basket' })).toBeDefined();
    expect(isDisabled(main().getByRole('switch'))).toBe(true);
    await click(main().getByRole('button', { name: 'Actions for shop.basket' }));
    expect(screen.getByRole('menuitem', { name: /^Archive/ }).textContent).toContain(reasonFor('DELETE_FEATURE'));
  });

  test('[S6-004] is not offered to create a toggle that does not exist', async () => {
    await renderConsole('/features/strategies/no.such.toggle');
    expect(main().getByText(/Could not find the toggle/)).toBeDefined();
    expect(main().queryByRole('link', { name: /create/i })).toBeNull();
  });

  test('[S6-005] cannot revive an archived toggle', async () => {
    await renderConsole('/archive');
    expect(isDisabled(reviveButton())).toBe(true);
  });
});

const field = { name: 'region', description: '', sortOrder: 1, stickiness: false, legalValues: [] };
const provider = {
  name: 'webhook',
  displayName: 'Webhook',
  description: '',
  events: ['feature-created'],
  parameters: [],
};
const segment = { id: 7, name: 'beta', constraints: [{ contextName: 'userId', operator: 'IN', values: ['ann'] }] };
const addon = { id: 1, provider: 'webhook', description: '', enabled: true, parameters: {}, events: [] };

/** Serves one item of each entity with a list page. */
function serveItems() {
  server().on('GET api/admin/context', { body: [field] });
  server().on('GET api/admin/projects', { body: { projects: [{ id: 'web', name: 'Web', description: '' }] } });
  server().on('GET api/admin/tag-types', { body: { tagTypes: [{ name: 'team', description: '', icon: 'T' }] } });
  server().on('GET api/admin/tags', { body: { version: 1, tags: [{ type: 'simple', value: 'winter' }] } });
  server().on('GET api/admin/segments', { body: { segments: [segment] } });
  server().on('GET api/admin/segments/7/strategies', { body: { strategies: [] } });
  server().on('GET api/admin/addons', { body: { providers: [provider], addons: [addon] } });
}

describe('a form without its permission', () => {
  beforeEach(() => {
    signInAs();
    serveItems();
  });

  test.each([
    ['features/create', 'CREATE_FEATURE'],
    ['features/create#name=shop.new', 'CREATE_FEATURE'],
    ['features/copy/shop.basket', 'CREATE_FEATURE'],
    ['strategies/create', 'CREATE_STRATEGY'],
    ['context/create', 'CREATE_CONTEXT_FIELD'],
    ['projects/create', 'CREATE_PROJECT'],
    ['tag-types/create', 'CREATE_TAG_TYPE'],
    ['tags/create', 'CREATE_TAG'],
    ['segments/create', 'CREATE_SEGMENT'],
    ['addons/create/webhook', 'CREATE_ADDON'],
  ])('[S6-004] /%s shows that %s is missing, and no fields', async (path, permission) => {
    await renderConsole(`/${path}`);
    expect(main().getByText(reasonFor(permission))).toBeDefined();
    expect(main().getByRole('link', { name: 'Back' })).toBeDefined();
    expect(document.querySelector('#main :is(form, input, select, textarea)')).toBeNull();
  });

  test.each([
    ['context/edit/region', 'UPDATE_CONTEXT_FIELD'],
    ['projects/edit/web', 'UPDATE_PROJECT'],
    ['tag-types/edit/team', 'UPDATE_TAG_TYPE'],
    ['segments/edit/7', 'UPDATE_SEGMENT'],
    ['addons/edit/1', 'UPDATE_ADDON'],
  ])('%s is read-only without %s, with the reason once at the top', async (path, permission) => {
    await renderConsole(`/${path}`);
    const reason = reasonFor(permission);
    const note = main().getByText(reason);
    const form = find(document, '#main form');
    expect(form.contains(note)).toBe(true);
    const controls = [...form.querySelectorAll('input, textarea, select, button:not([type=submit])')];
    expect(controls.length).toBeGreaterThan(0);
    for (const control of controls) {
      expect(note.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
      expect(isDisabled(control), control.outerHTML).toBe(true);
    }
    const submit = within(form).getAllByRole('button').at(-1);
    if (!submit) throw new Error('no button');
    expect(isDisabled(submit)).toBe(true);
    expect(accessibleDescription(submit)).toBe(reason);
    // The note is visible, so that the tooltip does not repeat it.
    vi.spyOn(note, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 100, 200, 20));
    fireEvent.pointerOver(submit);
    expect(screen.getAllByText(reason)).toHaveLength(1);
  });

  test.each([
    ['context', 'Edit region', 'UPDATE_CONTEXT_FIELD'],
    ['projects', 'Edit web', 'UPDATE_PROJECT'],
    ['tag-types', 'Edit team', 'UPDATE_TAG_TYPE'],
    ['segments', 'Edit beta', 'UPDATE_SEGMENT'],
    ['addons', 'Edit Webhook 1', 'UPDATE_ADDON'],
  ])('is not linked from the list %s, whose button %s names %s', async (path, edit, permission) => {
    await renderConsole(`/${path}`);
    expect(accessibleDescription(main().getByRole('button', { name: edit }))).toBe(reasonFor(permission));
    expect(main().queryByRole('link', { name: edit })).toBeNull();
  });
});

describe('a list of small entities', () => {
  beforeEach(serveItems);

  test('an addon is switched with UPDATE_ADDON only', async () => {
    signInAs('CREATE_ADDON');
    await renderConsole('/addons');
    const control = main().getByRole('button', { name: /^(?:Disable|Enable) Webhook/u });
    expect(accessibleDescription(control)).toBe(reasonFor('UPDATE_ADDON'));
  });

  describe.each([
    ['[S6-011]', 'CONTEXT_FIELD', 'context', 'New context field', 'Remove region'],
    ['[S6-012]', 'PROJECT', 'projects', 'New project', 'Remove web'],
    ['[S6-013]', 'TAG_TYPE', 'tag-types', 'New tag type', 'Remove team'],
    ['[S6-014]', 'TAG', 'tags', 'New tag', 'Remove simple: winter'],
    ['segments', 'SEGMENT', 'segments', 'New segment', 'Remove beta'],
  ])('%s', (_, kind, path, create, remove) => {
    test(`with CREATE_${kind} offers creating, but not removing`, async () => {
      signInAs(`CREATE_${kind}`);
      await renderConsole(`/${path}`);
      expect(main().getByRole('link', { name: create })).toBeDefined();
      expect(accessibleDescription(main().getByRole('button', { name: remove }))).toBe(reasonFor(`DELETE_${kind}`));
    });

    test(`with DELETE_${kind} offers removing, but not creating`, async () => {
      signInAs(`DELETE_${kind}`);
      await renderConsole(`/${path}`);
      expect(main().queryByRole('link', { name: create })).toBeNull();
      expect(accessibleDescription(main().getByRole('button', { name: create }))).toBe(reasonFor(`CREATE_${kind}`));
      await click(main().getByRole('button', { name: remove }));
      expect(isDisabled(dialog().getByRole('button', { name: 'Remove' }))).toBe(false);
    });
  });

  test.each([
    ['context', 'Edit region', 'UPDATE_CONTEXT_FIELD'],
    ['projects', 'Edit web', 'UPDATE_PROJECT'],
    ['tag-types', 'Edit team', 'UPDATE_TAG_TYPE'],
    ['segments', 'Edit beta', 'UPDATE_SEGMENT'],
  ])('%s: %s opens a form that can be saved with %s', async (path, edit, permission) => {
    signInAs(permission);
    await renderConsole(`/${path}`);
    await click(main().getByRole('link', { name: edit }));
    expect(isDisabled(main().getByRole('button', { name: 'Save' }))).toBe(false);
  });
});

describe('a user', () => {
  test.each([
    ['with ADMIN', { email: 'a@example.com', permissions: ['ADMIN'] }],
    ['without a list of permissions', { email: 'a@example.com' }],
    ['of a 4.x server with ADMIN', { user: { username: 'a' }, permissions: [{ permission: 'ADMIN' }] }],
  ])('[S6-002] [S6-003] [S3-032] %s can do everything', async (_, user) => {
    server().on('GET api/admin/user', { body: user });
    const list = await renderConsole('/features');
    expect(screen.getByRole('link', { name: 'New toggle' })).toBeDefined();
    expect(isDisabled(switchOf('shop.basket'))).toBe(false);
    list.unmount();
    await renderConsole('/archive');
    expect(isDisabled(reviveButton())).toBe(false);
  });

  test('[S6-002] [S6-004] [S6-005] with one permission can do only what it allows', async () => {
    signInAs('CREATE_FEATURE');
    const list = await renderConsole('/features');
    expect(screen.getByRole('link', { name: 'New toggle' })).toBeDefined();
    expect(isDisabled(switchOf('shop.basket'))).toBe(true);
    list.unmount();
    await renderConsole('/features/strategies/no.such.toggle');
    await click(main().getByRole('link', { name: /create/i }));
    expect(main().getByLabelText<HTMLInputElement>('Name').value).toBe('no.such.toggle');
  });
});
