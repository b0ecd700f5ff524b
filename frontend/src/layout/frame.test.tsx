// @vitest-environment happy-dom
// The page frame: sections, titles, unknown URLs, locale and outages. Layout, themes and the start of the page: e2e/frame.spec.ts.
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { browserLocale, chooseLocale } from '@/lib/locale';
import { click, find, isDisabled, main, row, switchOf } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS, serveConsole } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { application } from '@/testing/responses';

const server = installFakeServer();
cleanPageAfterEach();

beforeEach(() => {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  const projects = [
    { id: 'default', name: 'Default', description: '' },
    { id: 'web', name: 'Web shop', description: '' },
  ];
  server().on('GET api/admin/projects', { body: { version: 1, projects } });
  server().on('GET api/admin/events', { body: { version: 1, events: [] } });
  server().on('GET api/admin/metrics/applications', { body: { applications: [application('shop')] } });
});

/** The side menu and the menu of the footer. */
const menus = () => [
  screen.getByRole('navigation', { name: 'Main' }),
  within(screen.getByRole('contentinfo')).getByRole('navigation'),
];
const currentIn = (menu: HTMLElement) => find(menu, '[aria-current]');

describe('pages without a menu entry [S2-017] [S2-019] [S2-023]', () => {
  test.each([
    ['Feature toggles', 'Projects', 'projects', 'menuitem'],
    ['Strategies', 'Context fields', 'context', 'link'],
    ['Tag types', 'All tags', 'tags', 'link'],
  ])('are reached from their section, which stays marked as current: %s, %s', async (section, link, path, role) => {
    await renderConsole('/history');
    const [menu = document.body] = menus();
    await click(within(menu).getByRole('link', { name: new RegExp(`^${section}`, 'u') }));
    if (role === 'menuitem') await click(main().getByRole('button', { name: 'Actions for the list' }));
    await click(screen.getByRole(role, { name: link }));
    expect(location.pathname).toBe(`/${path}`);
    for (const one of menus()) {
      expect(within(one).queryByRole('link', { name: link })).toBeNull();
      expect(currentIn(one).textContent).toMatch(new RegExp(`^${section}`, 'u'));
      expect(currentIn(one).getAttribute('aria-current')).toBe('true');
    }
    const breadcrumb = main().getByRole('navigation', { name: 'Breadcrumb' });
    await click(within(breadcrumb).getByRole('link', { name: section }));
    expect(main().getByRole('heading', { level: 1, name: new RegExp(section, 'u') })).toBeDefined();
  });

  test.each([
    ['/features/strategies/shop.basket', 'Feature toggles'],
    ['/projects/edit/default', 'Feature toggles'],
    ['/context/create', 'Strategies'],
    ['/tags/create', 'Tag types'],
  ])('mark their section too: %s', async (path, section) => {
    await renderConsole(path);
    expect(menus().map((menu) => currentIn(menu).textContent?.startsWith(section))).toEqual([true, true]);
  });
});

describe('the groups of the side menu', () => {
  const menu = () => within(screen.getByRole('navigation', { name: 'Main' }));
  const setUp = () => menu().getByRole('button', { name: 'Set up' });
  const names = () =>
    menu()
      .getAllByRole('link')
      .map(({ textContent }) => textContent?.replace(/\d+$/u, ''))
      .filter((name) => name !== 'Sign out');
  const WORK = ['Feature toggles', 'Evaluation', 'Event history', 'Applications', 'Archive'];
  const SET_UP = ['Strategies', 'Segments', 'Tag types', 'Addons', 'Plans', 'API tokens'];

  test('are both open at first; closing the second one is remembered, and keeps its current section', async () => {
    const page = await renderConsole('/features');
    expect(setUp().getAttribute('aria-expanded')).toBe('true');
    expect(names()).toEqual([...WORK, ...SET_UP]);
    await click(setUp());
    expect(names()).toEqual(WORK);
    expect(localStorage.getItem('/:settings:menu')).toBe('{"setUp":false}');
    page.unmount();
    await renderConsole('/context');
    expect(names()).toEqual([...WORK, 'Strategies']);
    await click(setUp());
    expect(names()).toEqual([...WORK, ...SET_UP]);
  });
});

test('missing toggles are a view of the applications, which stay marked as current', async () => {
  await renderConsole('/applications');
  const views = () => within(main().getByRole('navigation', { name: 'Views' }));
  await click(views().getByRole('link', { name: /^Missing toggles/u }));
  expect(location.pathname).toBe('/missing-toggles');
  expect(main().getByRole('heading', { level: 1, name: 'Missing toggles' })).toBeDefined();
  expect(menus().map((menu) => currentIn(menu).textContent)).toEqual(['Applications', 'Applications']);
  await click(views().getByRole('link', { name: 'Applications' }));
  expect(location.pathname).toBe('/applications');
});

test('the project menu of a toggle leads to the projects', async () => {
  await renderConsole('/features/strategies/shop.basket');
  await click(main().getByRole('button', { name: /^Project:/u }));
  await click(screen.getByRole('menuitem', { name: 'Show all projects' }));
  expect(location.pathname).toBe('/projects');
  expect(main().getByRole('heading', { level: 1, name: 'Projects' })).toBeDefined();
});

test.each([
  ['/features', 'Feature toggles - Flagdeck'],
  ['/features/create', 'Create - Feature toggles - Flagdeck'],
  ['/features/strategies/shop.basket', 'shop.basket - Feature toggles - Flagdeck'],
  ['/history', 'Event history - Flagdeck'],
  ['/history/shop.basket', 'shop.basket - Event history - Flagdeck'],
  ['/archive', 'Archive - Flagdeck'],
])('titles are ordered from item to product [S2-001]: %s', async (path, title) => {
  await renderConsole(path);
  expect(document.title).toBe(title);
});

test('an unknown URL shows a not-found page with a link back', async () => {
  await renderConsole('/no/such/page');
  expect(main().getByRole('heading', { level: 1 }).textContent).toMatch(/not found|no page/iu);
  await click(main().getAllByRole('link')[0] as HTMLElement);
  expect(location.pathname).toBe('/features');
});

describe('the locale picker [S2-112]', () => {
  const open = () => click(screen.getByRole('button', { name: 'Date and number format' }));
  const items = () => screen.getAllByRole('menuitemradio');
  const created = () => find(row('shop.basket'), 'time');

  afterEach(() => chooseLocale(browserLocale));

  test('lists languages by name, and changes the format of dates but not the language of the page', async () => {
    const page = await renderConsole('/features');
    const english = created().dataset['tip'];
    await open();
    expect(items()).toHaveLength(10);
    await click(screen.getByRole('menuitemradio', { name: /^Deutsch/u }));
    for (const isRead of [false, true]) {
      if (isRead) {
        page.unmount();
        await renderConsole('/features');
      }
      expect(created().dataset['tip']).not.toBe(english);
      expect(created().dataset['tip']).toMatch(/^\d\d\.\d\d\.\d{4}, /u);
      // The text keeps the language of the page.
      expect(created().textContent).toMatch(/^\d+ \w+ ago$/u);
    }
    expect(localStorage.getItem('flagdeck:locale')).toBe('"de"');
  });
});

test('an HTML error page of a proxy has its own message', async () => {
  await renderConsole('/features');
  server().onAny('api/', { status: 502, body: '<h1>502 Bad Gateway</h1>' });
  await advance(60_000);
  expect(document.body.textContent).toContain('A proxy in front of Flagdeck');
  expect(isDisabled(switchOf('shop.basket'))).toBe(true);
  server().onAny('api/', undefined);
  await advance(60_000);
  await settlePage();
  expect(document.body.textContent).not.toContain('A proxy in front of Flagdeck');
  expect(isDisabled(switchOf('shop.basket'))).toBe(false);
});

test('overridden results of a file are named on every page', async () => {
  const definitions = { file: 'features.json', overrides: ['shop.basket=off', 'shop.pay=blue'] };
  server().on('GET -/settings', { body: { ...SETTINGS, readOnly: true, definitions } });
  await renderConsole('/features');
  const text = 'SDKs get other results than those of features.json: shop.basket=off, shop.pay=blue';
  expect(screen.getByRole('main').textContent).toContain(text);
  expect(isDisabled(switchOf('shop.basket'))).toBe(true);
  await click(within(menus()[0] ?? document.body).getByRole('link', { name: /^Event history/u }));
  expect(screen.getByRole('main').textContent).toContain(text);
});
