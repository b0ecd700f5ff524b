import { expect, test } from 'vitest';
import type { Toggle } from '@/api/generated/types';
import { createToggle } from '@/testing/flagService';
import { type PaletteEntry, type PaletteSources, searchPalette, type ToggleEntry } from './paletteSearch';

const entry = (id: string, label: string): PaletteEntry => ({
  id,
  label,
  text: label.toLowerCase(),
  command: { to: `/${id}` },
});

function toggleEntry(name: string, more: Partial<Toggle> = {}): ToggleEntry {
  const toggle = createToggle({ name, ...more });
  return { ...entry(`toggle:${name}`, name), toggle };
}

const basket = toggleEntry('shop.basket');
const sources: PaletteSources = {
  pages: [entry('archive', 'Archive'), entry('tags', 'Tags')],
  commands: [entry('dark', 'Theme: Dark')],
  toggles: [basket, toggleEntry('shop.cards', { enabled: false, stale: true }), toggleEntry('mobile.basket')],
  strategies: [entry('strategy:byBasket', 'byBasket')],
  applications: [entry('application:shop', 'shop')],
  recent: [],
  disabledReasonFor: () => undefined,
};

const list = (query: string, more: Partial<PaletteSources> = {}) =>
  searchPalette(query, { ...sources, ...more }).map(
    ({ value, items }) => `${value}: ${items.map(({ label }) => label).join(', ')}`,
  );

const onBasket = 'Disable shop.basket, Mark shop.basket as stale, Copy shop.basket, Archive shop.basket';

test.each<[string, string, Partial<PaletteSources>, string[]]>([
  ['nothing typed', '', {}, ['Pages: Archive, Tags', 'Commands: Theme: Dark']],
  [
    'recent entries first',
    ' ',
    { recent: ['dark', 'toggle:shop.cards', 'toggle:gone'] },
    ['Recent: Theme: Dark, shop.cards', 'Pages: Archive, Tags'],
  ],
  [
    'the toggle of the current page first',
    '',
    { currentToggle: basket },
    [`shop.basket: ${onBasket}`, 'Pages: Archive, Tags', 'Commands: Theme: Dark'],
  ],
  ['a toggle and its actions', 'shop basket', {}, ['Toggles: shop.basket', `shop.basket: ${onBasket}`]],
  [
    'the group with the best match first',
    'shop',
    {},
    [
      'Applications: shop',
      'Toggles: shop.cards, shop.basket',
      'shop.cards: Enable shop.cards, Mark shop.cards as active, Copy shop.cards, Archive shop.cards',
    ],
  ],
  [
    'recent entries first among equal matches',
    'basket',
    { recent: ['toggle:mobile.basket'], strategies: [] },
    [
      'Toggles: mobile.basket, shop.basket',
      'mobile.basket: Disable mobile.basket, Mark mobile.basket as stale, Copy mobile.basket, Archive mobile.basket',
    ],
  ],
  ['an action', 'disable shop', {}, ['Actions: Disable shop.cards, Disable shop.basket']],
  ['an action with filler words', 'switch off the mobile', {}, ['Actions: Disable mobile.basket']],
  ['an incomplete action', 'arch mob', {}, ['Actions: Archive mobile.basket']],
  [
    'a page before the actions of the same name',
    'archive',
    {},
    ['Pages: Archive', 'Actions: Archive shop.basket, Archive shop.cards, Archive mobile.basket'],
  ],
  [
    'the current toggle first for an action without a name',
    'stale ',
    { currentToggle: basket },
    ['Actions: Mark shop.basket as stale, Mark mobile.basket as stale'],
  ],
  [
    'recent toggles before others for an action without a name',
    'disable ',
    { recent: ['toggle:mobile.basket'] },
    ['Actions: Disable mobile.basket, Disable shop.basket'],
  ],
  ['nothing for an unknown word', 'qqq', {}, []],
])('lists %s', (_, query, more, expected) => {
  expect(list(query, more)).toEqual(expected);
});

test('an action that has no effect or is not permitted shows the reason', () => {
  const [group] = searchPalette('disable shop', sources);
  expect(group?.items.map(({ disabledReason }) => disabledReason)).toEqual(['Already disabled', undefined]);
  const disabledReasonFor = (permission: string) => `needs ${permission}`;
  const [denied] = searchPalette('archive shop.basket', { ...sources, disabledReasonFor });
  expect(denied?.items[0]?.disabledReason).toBe('needs DELETE_FEATURE');
});

test('an action that changes no toggle shows the reason at each toggle', () => {
  const off = [toggleEntry('a', { enabled: false }), toggleEntry('b', { enabled: false })];
  const [group] = searchPalette('disable ', { ...sources, toggles: off });
  expect(group?.items.map(({ label, disabledReason }) => `${label}: ${disabledReason}`)).toEqual([
    'Disable a: Already disabled',
    'Disable b: Already disabled',
  ]);
});

test('searches ten thousand toggles within 500 ms', () => {
  const toggles = Array.from({ length: 10_000 }, (_, at) => toggleEntry(`flag.${String(at).padStart(5, '0')}`));
  const started = performance.now();
  const groups = searchPalette('flag 09999', { ...sources, toggles });
  expect(performance.now() - started).toBeLessThan(500);
  expect(groups[0]?.items[0]?.label).toBe('flag.09999');
  expect(searchPalette('flag', { ...sources, toggles })[0]?.items).toHaveLength(6);
});
