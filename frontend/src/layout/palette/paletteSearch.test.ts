import { expect, test } from 'vitest';
import type { Strategy, Toggle } from '@/api/generated/types';
import { createToggle } from '@/testing/flagService';
import { parseCommand } from './paletteCommands';
import {
  describeNothing,
  type PaletteEntry,
  type PaletteSources,
  searchPalette,
  type ToggleEntry,
} from './paletteSearch';

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
  pages: [entry('archive', 'Archive'), { ...entry('tags', 'Tags'), synonyms: ['labels', 'mark items'] }],
  commands: [entry('dark', 'Theme: Dark'), { ...entry('new', 'New toggle'), isSuggested: true }],
  toggles: [basket, toggleEntry('shop.cards', { enabled: false, stale: true }), toggleEntry('mobile.basket')],
  strategies: [entry('strategy:byBasket', 'byBasket')],
  applications: [entry('application:shop', 'shop')],
  recent: [],
  now: Date.parse('2026-03-18T14:30:00Z'),
  complete: (toggle) => toggle,
  saving: new Set(),
  disabledReasonFor: () => undefined,
};

const noHolds = { held: [], disabledReason: undefined };
const basketHeld = { held: ['shop.basket'], disabledReason: undefined };

const list = (query: string, more: Partial<PaletteSources> = {}) =>
  searchPalette(query, { ...sources, ...more }).map(
    ({ value, items }) => `${value}: ${items.map(({ label }) => label).join(', ')}`,
  );

const onBasket = 'Disable shop.basket, Mark shop.basket as stale, Copy shop.basket, Archive shop.basket';

test.each<[string, string, Partial<PaletteSources>, string[]]>([
  ['nothing typed: a few commands', '', {}, ['Commands: New toggle']],
  [
    'nothing typed: recent toggles first',
    ' ',
    { recent: ['dark', 'toggle:shop.cards', 'toggle:gone', 'toggle:shop.basket'] },
    ['Recent toggles: shop.cards, shop.basket', 'Commands: New toggle'],
  ],
  [
    'the toggle of the current page first',
    '',
    { currentToggle: basket },
    [`shop.basket: ${onBasket}`, 'Commands: New toggle'],
  ],
  ['a toggle and its actions', 'shop basket', {}, ['Toggles: shop.basket', `shop.basket: ${onBasket}`]],
  [
    'toggles before an application of that name',
    'shop',
    {},
    [
      'Toggles: shop.cards, shop.basket',
      'Applications: shop',
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
  [
    'a page that is named completely before toggles',
    'archive',
    { toggles: [toggleEntry('archive.old', { enabled: false, stale: true })] },
    ['Pages: Archive', 'Toggles: archive.old', 'Actions: Archive archive.old'],
  ],
  [
    'a hold, if the deployment offers it',
    'hold off the mobile',
    { holds: noHolds },
    ['Actions: Hold mobile.basket off for SDKs…'],
  ],
  [
    'an action before toggles that only contain its letters',
    'hold',
    { holds: noHolds, toggles: [toggleEntry('search.old-index')] },
    ['Actions: Hold search.old-index off for SDKs…', 'Toggles: search.old-index'],
  ],
  ['held toggles first to release', 'release', { holds: basketHeld }, ['Actions: Release shop.basket…']],
  ['no release without a hold', 'release', { holds: noHolds }, []],
  ['no hold, if the deployment does not offer it', 'hold', {}, []],
  [
    'the release of a held toggle instead of a hold',
    'shop basket',
    { holds: basketHeld },
    ['Toggles: shop.basket', `shop.basket: ${onBasket.replace('Archive', 'Release shop.basket…, Archive')}`],
  ],
  ['a page by a synonym', 'label', {}, ['Pages: Tags']],
  ['no page by letters of a synonym', 'lbls', {}, []],
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

test('a hold shows why it is not possible', () => {
  const reasons = (query: string, disabledReason?: string) => {
    const holds = { held: ['shop.basket'], disabledReason };
    return searchPalette(query, { ...sources, disabledReasonFor: () => 'outage', holds })[0]?.items[0]?.disabledReason;
  };
  expect(reasons('hold shop.basket')).toBe('Already held');
  expect(reasons('hold shop.cards'), 'in an outage').toBeUndefined();
  expect(reasons('hold shop.cards', 'needs UPDATE_FEATURE')).toBe('needs UPDATE_FEATURE');
});

test('an action that changes no toggle shows the reason at each toggle', () => {
  const off = [toggleEntry('a', { enabled: false }), toggleEntry('b', { enabled: false })];
  const [group] = searchPalette('disable ', { ...sources, toggles: off });
  expect(group?.items.map(({ label, disabledReason }) => `${label}: ${disabledReason}`)).toEqual([
    'Disable a: Already disabled',
    'Disable b: Already disabled',
  ]);
});

test('finds one of ten thousand toggles', () => {
  const toggles = Array.from({ length: 10_000 }, (_, at) => toggleEntry(`flag.${String(at).padStart(5, '0')}`));
  const groups = searchPalette('flag 09999', { ...sources, toggles });
  expect(groups[0]?.items[0]?.label).toBe('flag.09999');
  expect(searchPalette('flag', { ...sources, toggles })[0]?.items).toHaveLength(6);
});

const rollout = (percentage: string, more: Partial<Strategy> = {}): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percentage, stickiness: 'default', groupId: 'shop.basket' },
  ...more,
});
const region = [{ contextName: 'region', operator: 'IN' as const, values: ['Nordics'] }];
const everyone: Strategy = { name: 'default', parameters: {} };

test.each<[string, ReturnType<typeof parseCommand>]>([
  ['set one-page 25', { kind: 'set', words: ['one-page'], percent: 25, problem: undefined }],
  ['Set one page to 25 %', { kind: 'set', words: ['one', 'page'], percent: 25, problem: undefined }],
  ['set one-page 0%', { kind: 'set', words: ['one-page'], percent: 0, problem: undefined }],
  ['set 100', { kind: 'set', words: [], percent: 100, problem: undefined }],
  ['set one 101', { kind: 'set', words: ['one'], percent: undefined, problem: 'Enter a whole number from 0 to 100.' }],
  ['set one -5', { kind: 'set', words: ['one'], percent: undefined, problem: 'Enter a whole number from 0 to 100.' }],
  ['set one 2.5', { kind: 'set', words: ['one'], percent: undefined, problem: 'Enter a whole number from 0 to 100.' }],
  ['set one', { kind: 'set', words: ['one'], percent: undefined, problem: 'Add a percentage, such as 25.' }],
  ['set stale basket', undefined],
  ['why one-page Ada', { kind: 'why', words: ['one-page'], userId: 'Ada' }],
  ['WHY one page 4711', { kind: 'why', words: ['one', 'page'], userId: '4711' }],
  ['why one', { kind: 'why', words: ['one'], userId: undefined }],
  ['ines yesterday', { kind: 'events', words: ['ines'], period: 'yesterday' }],
  ['changes by ines in the last week', { kind: 'events', words: ['ines'], period: 'week' }],
  ['today', { kind: 'events', words: [], period: 'today' }],
  ['shop basket', undefined],
  ['', undefined],
])('parses "%s"', (query, expected) => {
  expect(parseCommand(query)).toEqual(expected);
});

const actions = (query: string, strategies: Strategy[], more: Partial<PaletteSources> = {}) => {
  const toggles = [toggleEntry('shop.basket', { strategies })];
  const group = searchPalette(query, { ...sources, toggles, ...more }).find(({ value }) => value === 'Actions');
  return group?.items.map(({ label, detail, disabledReason }) =>
    [label, detail, disabledReason].filter(Boolean).join(' | ').replaceAll('\u00a0', ' '),
  );
};

test.each<[string, Strategy[], Partial<PaletteSources>, string[]]>([
  ['set basket 25', [everyone, rollout('50')], {}, ['Set shop.basket to 25 % | Now 50 % of users']],
  [
    'set basket 25',
    [rollout('50', { constraints: region }), { name: 'gradualRolloutSessionId', parameters: { percentage: '25' } }],
    {},
    [
      'Set shop.basket to 25 % | Strategy 1, now 50 % of users where region is Nordics',
      'Set shop.basket to 25 % | Strategy 2, now 25 % of sessions | Already at 25 %.',
    ],
  ],
  ['set basket 25', [everyone], {}, ['Set shop.basket to 25 % | It has no gradual rollout.']],
  [
    'set basket',
    [rollout('50')],
    {},
    ['Set the rollout of shop.basket | Now 50 % of users | Add a percentage, such as 25.'],
  ],
  [
    'set basket 250',
    [rollout('50')],
    {},
    ['Set the rollout of shop.basket | Now 50 % of users | Enter a whole number from 0 to 100.'],
  ],
  [
    'set basket 25',
    [rollout('50')],
    { disabledReasonFor: (permission) => `needs ${permission}` },
    ['Set shop.basket to 25 % | Now 50 % of users | needs UPDATE_FEATURE_STRATEGY'],
  ],
  [
    'set basket 25',
    [rollout('50')],
    { saving: new Set(['shop.basket']) },
    ['Set shop.basket to 25 % | Now 50 % of users | The last change is still being saved.'],
  ],
  [
    'set basket 25',
    [],
    { complete: () => 'Its strategies are loading…' },
    ['Set shop.basket to 25 % | Its strategies are loading…'],
  ],
  ['why basket 4711', [everyone], {}, ['Why is shop.basket on or off for 4711?']],
  ['why basket', [everyone], {}, ['Why is shop.basket on or off for a user? | Add a user ID, such as 4711.']],
])('the command "%s" with %j', (query, strategies, more, expected) => {
  expect(actions(query, strategies, more)).toEqual(expected);
});

test('a command without a name uses the toggle of the page first', () => {
  const toggles = ['shop.basket', 'shop.cards'].map((name) => toggleEntry(name, { strategies: [rollout('50')] }));
  const [group] = searchPalette('set 25', { ...sources, toggles, currentToggle: toggles[1] });
  expect(group?.items.map(({ label }) => label)).toEqual([
    'Set shop.cards to 25\u00a0%',
    'Set shop.basket to 25\u00a0%',
  ]);
});

test('commands lead to the evaluation of the user, and to the history of an author', () => {
  const first = (query: string, more: Partial<PaletteSources> = {}) =>
    searchPalette(query, { ...sources, ...more })[0]?.items[0];
  expect(first('why basket Ada&b')?.command).toEqual({ to: '/features/strategies/shop.basket#userId=Ada%26b' });
  const ines = first('ines today', { authors: ['operator', 'ines.berg'] });
  expect(ines?.label).toBe('Changes by ines.berg today');
  expect(ines?.command).toEqual({ to: expect.stringMatching(/^\/history\?user=ines\.berg&from=[^&]+$/u) });
});

test.each([
  ['set nope 25', 'No toggle matches “nope”.'],
  ['why nope 4711', 'No toggle matches “nope”.'],
  ['nope yesterday', 'No recent change by “nope”.'],
  ['nope', undefined],
])('explains that "%s" finds nothing', (query, expected) => {
  const some = { ...sources, authors: ['ines'] };
  expect(searchPalette(query, some)).toEqual([]);
  expect(describeNothing(query, some)).toBe(expected);
});
