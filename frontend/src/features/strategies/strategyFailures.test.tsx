// @vitest-environment happy-dom
// Strategy definitions: loading, failures and links. A journey in the browser: e2e/strategies.spec.ts.
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { click, dialog, main, row, snackbarText } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { serveUpstream } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { toggle } from '@/testing/responses';

const server = installFakeServer();
cleanPageAfterEach();

const LIST = 'GET api/admin/strategies';
const definition = {
  name: 'byRegion',
  description: null,
  editable: true,
  deprecated: false,
  parameters: [{ name: 'regions', type: 'list', description: 'Codes of two letters', required: true }],
};
const listed = { body: { version: 1, strategies: [definition] } };
const text = () => screen.getByRole('main').textContent;

beforeEach(() => serveUpstream(server(), { 'GET api/admin/metrics/applications': { body: { applications: [] } } }));

test('[S2-077] [S2-078] [S8-034] a definition shows that it is loading', async () => {
  server().on(LIST, listed);
  server().hold(LIST);
  await renderConsole('/strategies/view/byRegion');
  expect(text()).toContain('Loading definition...');
  expect(main().getByRole('progressbar')).toBeDefined();
  server().respondToAll(LIST);
  await settlePage();
  expect(row('regions')).toBeDefined();
  expect(text()).toContain('Unknown');
  expect(text()).not.toContain('Loading definition...');
});

test('[S2-077] the card of a toggle shows that its definition is loading, and its values if that fails', async () => {
  const basket = toggle('shop.basket', { strategies: [{ name: 'byRegion', parameters: { regions: 'no,se' } }] });
  server().on('GET api/admin/features', { body: { version: 1, features: [basket] } });
  server().on('GET api/admin/features/shop.basket/tags', { body: { version: 1, tags: [] } });
  server().on(LIST, { status: 418, body: { message: 'Short and stout' } });
  server().hold(LIST);
  const card = () => screen.getByRole('group', { name: 'byRegion' });
  const page = await renderConsole('/features/strategies/shop.basket');
  await click(within(card()).getByRole('button', { name: 'Edit byRegion' }));
  expect(card().textContent).toContain('Loading definition...');
  server().respondToAll(LIST);
  await settlePage();
  expect(card().textContent).toContain('The strategy definition could not be loaded');
  expect(card().textContent).not.toContain('Loading definition...');
  expect(card().textContent).toContain('no,se');
  page.unmount();
  server().on(LIST, listed);
  await renderConsole('/features/strategies/shop.basket');
  await click(within(card()).getByRole('button', { name: 'Edit byRegion' }));
  expect(within(card()).getByRole('button', { name: 'Remove no' })).toBeDefined();
  expect(card().textContent).not.toContain('definition');
});

test.each([
  ['reactivated', [definition]],
  ['deleted', []],
])('the undo of a deprecation changes nothing if another user has %s the definition', async (change, strategies) => {
  server().on(LIST, listed);
  for (const action of ['deprecate', 'reactivate']) server().on(`POST api/admin/strategies/byRegion/${action}`, {});
  await renderConsole('/strategies');
  await click(main().getByRole('button', { name: 'Deprecate byRegion' }));
  await click(dialog().getByRole('button', { name: 'Deprecate' }));
  server().on(LIST, { body: { version: 1, strategies } });
  await click(screen.getByRole('button', { name: 'Undo' }));
  expect(snackbarText()).toContain(`Nothing to undo: byRegion was ${change} in the meantime.`);
  expect(server().count('POST api/admin/strategies/byRegion/reactivate')).toBe(0);
});

test.each([
  ['Deprecate', 'POST api/admin/strategies/byRegion/deprecate', false],
  ['Reactivate', 'POST api/admin/strategies/byRegion/reactivate', true],
  ['Delete', 'DELETE api/admin/strategies/byRegion', false],
])('[S8-018] a failure of %s is shown in the dialog, which stays open', async (action, call, deprecated) => {
  server().on(LIST, { body: { version: 1, strategies: [{ ...definition, deprecated }] } });
  server().on(call, { status: 403 });
  await renderConsole('/strategies');
  await click(within(row('byRegion')).getByRole('button', { name: `${action} byRegion` }));
  await click(dialog().getByRole('button', { name: action }));
  expect(server().count(call)).toBe(1);
  expect(dialog().getByRole('alert').textContent).toContain('You cannot perform this action');
  await click(dialog().getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(row('byRegion')).toBeDefined();
});

describe('definitions and toggles', () => {
  const TOGGLES = 'GET api/admin/features';
  const using = () =>
    within(main().getByRole('region', { name: /^Toggles using it/u }))
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]);
  const usingIt = (name: string, strategy: string) =>
    toggle(name, { strategies: [{ name: strategy, parameters: {} }] });

  test('[S2-076] archived toggles that use a definition are listed after the others', async () => {
    server().on(LIST, listed);
    server().on(TOGGLES, { body: { version: 1, features: [usingIt('shop.basket', 'byRegion')] } });
    server().on('GET api/admin/archive/features', { body: { features: [usingIt('shop.Aged', 'byRegion')] } });
    await renderConsole('/strategies/view/byRegion');
    expect(using()).toEqual([
      ['shop.basket', '/features/strategies/shop.basket'],
      ['shop.Aged', '/archive/strategies/shop.Aged'],
    ]);
  });

  test('[S6-007] a missing definition shows its usage and can be created', async () => {
    server().on(LIST, listed);
    server().on(TOGGLES, { body: { version: 1, features: [usingIt('shop.basket', 'byMoon')] } });
    await renderConsole('/strategies/view/byMoon');
    expect(text()).toContain('Strategy not found');
    expect(using()).toEqual([['shop.basket', '/features/strategies/shop.basket']]);
    await click(main().getByRole('link', { name: 'Create byMoon' }));
    expect(location.pathname + location.search).toBe('/strategies/create?name=byMoon');
    expect(main().getByLabelText<HTMLInputElement>('Name').value).toBe('byMoon');
  });

  test.each([
    ['byRegion', 'byRegion', '/strategies/view/byRegion'],
    ['byMoon', 'Want to create it now?', '/strategies/create'],
  ])(
    '[S2-079] [S6-007] a toggle links to the definition of its strategy %s, or to its form',
    async (name, label, path) => {
      const stored = usingIt('shop.basket', name);
      serveUpstream(server(), {
        [LIST]: listed,
        [TOGGLES]: { body: { version: 1, features: [stored] } },
        'GET api/admin/features/shop.basket': { body: stored },
        'GET api/admin/features/shop.basket/tags': { body: { version: 1, tags: [] } },
        'GET api/admin/events/shop.basket': { body: { toggleName: 'shop.basket', events: [] } },
      });
      await renderConsole('/features/strategies/shop.basket');
      await click(main().getByRole('button', { name: `Edit ${name}` }));
      const card = screen.getByRole('group', { name });
      expect(card.textContent?.includes(`The strategy "${name}" does not exist on this server.`)).toBe(
        name === 'byMoon',
      );
      await click(within(card).getByRole('link', { name: label }));
      expect(location.pathname).toBe(path);
      if (name === 'byMoon') expect(main().getByLabelText<HTMLInputElement>('Name').value).toBe('byMoon');
    },
  );
});
