// @vitest-environment happy-dom
// Copying as JSON and YAML. The clipboard of a browser, and a plan of a copied file: e2e/copy-as.spec.ts.
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { choose, chooseForToggle, click, rowNames, snackbarText } from './consolePage';
import { installFakeServer } from './fakeServer';
import { createDefinition, createToggle, serveConsole } from './flagService';
import { advance, cleanPageAfterEach, settlePage, withRealTimers } from './page';
import { renderConsole } from './renderConsole';
import { application, pager, pagerAddon, toggle } from './responses';

const server = installFakeServer();
cleanPageAfterEach();

let copied: string[] = [];

beforeEach(() => {
  copied = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    copied.push(text);
  });
});

const chooseCopy = (subject: string | RegExp, format: string) =>
  choose(typeof subject === 'string' ? `Actions for ${subject}` : subject, `Copy as ${format}`);

/** Copies from the menu of a list or an item, and returns the text. */
async function copy(subject: string | RegExp, format: string): Promise<string> {
  const before = copied.length;
  await chooseCopy(subject, format);
  // The code of the formats.
  await withRealTimers(() => vi.waitFor(() => expect(copied).toHaveLength(before + 1)));
  await settlePage();
  return copied.at(-1) ?? '';
}

test('copies the filtered list', async () => {
  serveConsole(server(), [
    createToggle({ name: 'shop.basket' }),
    createToggle({ name: 'shop.cards' }),
    createToggle({ name: 'mobile' }),
  ]);
  await renderConsole('/features?filter=shop');
  expect(rowNames()).toEqual(['shop.basket', 'shop.cards']);
  expect(JSON.parse(await copy('the list', 'JSON'))).toMatchObject([{ name: 'shop.basket' }, { name: 'shop.cards' }]);
  expect(snackbarText()).toContain('Copied');
  const FILE = 'POST -/files';
  server().on(FILE, { body: { yaml: 'version: 1' } });
  expect(await copy('the list', 'YAML')).toBe('version: 1');
  expect(server().bodies(FILE)).toMatchObject([{ toggles: [{ name: 'shop.basket' }, { name: 'shop.cards' }] }]);
});

test('copies a toggle from its row', async () => {
  serveConsole(server(), [createToggle({ name: 'shop.basket', description: 'Large' })]);
  await renderConsole('/features');
  // The entries are named; no row has a button for copying alone.
  expect(screen.queryByRole('button', { name: /copy/iu })).toBeNull();
  await click(screen.getByRole('button', { name: 'Actions for shop.basket' }));
  await click(screen.getByRole('menuitem', { name: 'Copy as…' }));
  const formats = within(screen.getByRole('group', { name: 'Copy as…' })).getAllByRole('menuitem');
  expect(formats.map(({ textContent }) => textContent)).toEqual(['JSON', 'YAML']);
  await click(screen.getByRole('menuitem', { name: 'JSON' }));
  await vi.dynamicImportSettled();
  expect(JSON.parse(copied[0] ?? '')).toMatchObject({ name: 'shop.basket', description: 'Large', enabled: true });
});

test('copies one event and the filtered events', async () => {
  serveConsole(server());
  const event = (id: number, type: string) => ({
    id,
    type,
    createdBy: 'ada@example.com',
    createdAt: `2026-01-05T10:00:0${id}.000Z`,
    data: toggle('shop.basket'),
    tags: [],
  });
  const events = [event(2, 'feature-updated'), event(1, 'feature-created')];
  server().on('GET api/admin/events', { body: { version: 1, events } });
  await renderConsole('/history');
  expect(await copy(/^Actions for the event of .*:02/u, 'JSON')).toContain('"type": "feature-updated"');
  expect(JSON.parse(await copy('the events', 'JSON'))).toMatchObject([{ id: 2 }, { id: 1 }]);
});

/** The pages of the other lists, with their request and a response. */
const LISTS: readonly [path: string, api: string, body: unknown][] = [
  ['archive', 'archive/features', { features: [toggle('gone')] }],
  ['strategies', 'strategies', { strategies: [createDefinition('default')] }],
  ['applications', 'metrics/applications', { applications: [application('shop')] }],
  ['context', 'context', [{ name: 'userId', description: '', sortOrder: 1, legalValues: [] }]],
  ['projects', 'projects', { projects: [{ id: 'default', name: 'Default', description: '' }] }],
  ['tag-types', 'tag-types', { tagTypes: [{ name: 'simple', description: '', icon: '#' }] }],
  ['tags', 'tags', { tags: [{ type: 'simple', value: 'two words' }] }],
  ['addons', 'addons', { providers: [pager], addons: [{ ...pagerAddon, parameters: { key: '*****' } }] }],
];

test.each(LISTS)('copies the list of /%s as JSON', async (path, api, body) => {
  serveConsole(server());
  server().on(`GET api/admin/${api}`, { body });
  await renderConsole(`/${path}`);
  expect(JSON.parse(await copy('the list', 'JSON'))).toHaveLength(1);
});

test('reports that the browser refuses to copy', async () => {
  vi.mocked(navigator.clipboard.writeText).mockRejectedValue(new DOMException('refused', 'NotAllowedError'));
  Object.assign(document, { execCommand: () => false });
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  await renderConsole('/features/strategies/shop.basket');
  await chooseForToggle('shop.basket', 'Copy as…', 'JSON');
  expect(snackbarText()).toContain('Could not copy');
});

afterEach(() => {
  Reflect.deleteProperty(document, 'execCommand');
});

test('a message without an action starts to fade after 2750 ms and is removed 250 ms later [S9-025] [S8-011]', async () => {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  await renderConsole('/features');
  await chooseForToggle('shop.basket', 'Copy as…', 'JSON');
  // The message appears while the entry is chosen, which takes 40 ms: see `settlePage`.
  const isFading = () => screen.getByTestId('snackbar').classList.contains('opacity-0');
  expect(snackbarText()).toContain('Copied');
  await advance(2_700);
  expect(isFading()).toBe(false);
  await advance(50);
  expect(isFading()).toBe(true);
  await advance(190);
  expect(screen.queryByTestId('snackbar')).not.toBeNull();
  await advance(60);
  expect(screen.queryByTestId('snackbar')).toBeNull();
});
