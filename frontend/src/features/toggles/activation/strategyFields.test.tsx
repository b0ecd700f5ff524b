// @vitest-environment happy-dom
// The editors of strategy parameters, fixes of warnings, constraints, and the menu that adds strategies. Clicks, the keyboard and
// the layout: e2e/toggle-parameters.spec.ts, e2e/toggle-warnings.spec.ts, e2e/toggle-constraints.spec.ts, e2e/toggle-rollout.spec.ts.
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { EMBEDDED_CAPABILITIES } from '@/api/generated/capabilities';
import type { Capabilities, Strategy, StrategyDefinition } from '@/api/generated/types';
import {
  accessibleDescription,
  addStrategy,
  button,
  choose,
  click,
  dialog,
  fill,
  find,
  isDisabled,
  main,
  strategyCard,
  strategyItem,
  textOf,
} from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import {
  createDefinition,
  createParameter,
  createToggle,
  SETTINGS,
  serveConsole,
  serveUpstream,
} from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { toggle } from '@/testing/responses';

const server = installFakeServer();
cleanPageAfterEach();

const PATH = 'api/admin/features/shop.basket';
const STRATEGIES = 'GET api/admin/strategies';
/** The built-in strategies of 3.17.6, with a part of their parameters. */
const BUILT_IN: readonly StrategyDefinition[] = [
  createDefinition('default'),
  createDefinition('userWithId', createParameter('userIds', 'list')),
  createDefinition('applicationHostname', createParameter('hostNames', 'list')),
  createDefinition('remoteAddress', createParameter('IPs', 'list')),
  createDefinition(
    'flexibleRollout',
    createParameter('rollout', 'percentage'),
    createParameter('stickiness', 'string'),
    createParameter('groupId', 'string'),
  ),
  createDefinition('gradualRolloutRandom', createParameter('percentage', 'percentage')),
  createDefinition('gradualRolloutSessionId', createParameter('percentage', 'percentage')),
  createDefinition('gradualRolloutUserId', createParameter('percentage', 'percentage')),
];
const PARAMETERS = [
  createParameter('city', 'string'),
  createParameter('share', 'percentage'),
  createParameter('shops', 'list'),
  { ...createParameter('limit', 'number'), description: 'Most orders a day' },
  createParameter('strict', 'boolean'),
];
const always: Strategy = { name: 'default', parameters: {} };
const users = (userIds: string): Strategy => ({ name: 'userWithId', parameters: { userIds } });
const rollout = (percentage: string): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percentage, stickiness: 'default', groupId: 'shop.basket' },
});

/** Serves the built-in and these strategies, sorted as servers send them. */
function serveDefinitions(...definitions: StrategyDefinition[]) {
  const strategies = [...BUILT_IN, ...definitions].sort((one, other) => (one.name < other.name ? -1 : 1));
  server().on(STRATEGIES, { body: { version: 1, strategies } });
}

/** Serves a toggle with these strategies, which saves change. */
function serveToggle(...strategies: Strategy[]) {
  const toggle = createToggle({ name: 'shop.basket', strategies });
  serveConsole(server(), [toggle]);
  serveDefinitions();
  server().on(`PUT ${PATH}`, ({ body }) => {
    server().on(`GET ${PATH}`, { body });
    server().on('GET api/admin/features', { body: { version: 1, features: [body] } });
    return { status: 200 };
  });
}

/** Opens the activation tab, with the fields of all strategies. */
async function openPage() {
  await renderConsole('/features/strategies/shop.basket');
  for (const one of main().queryAllByRole('button', { name: /^Edit /u }))
    if (one.getAttribute('aria-expanded') === 'false') await click(one);
}

const card = (name: string) => textOf(screen.getByRole('group', { name }));
const titles = () =>
  main()
    .getAllByRole('heading', { level: 3 })
    .filter((heading) => heading.closest('li'))
    .map((heading) => heading.textContent);
const saved = () => (server().bodies(`PUT ${PATH}`).at(-1) as { strategies?: Strategy[] } | undefined)?.strategies;
const nothingUnsaved = () => expect(screen.queryAllByText('Unsaved')).toEqual([]);

describe('parameters', () => {
  test('each type has its editor [S2-086] [S3-006] [S5-016] [S5-017] [S5-018] [S9-016]', async () => {
    serveToggle({ name: 'ofAllKinds', parameters: {} });
    serveDefinitions({ ...createDefinition('ofAllKinds', ...PARAMETERS), editable: true });
    await openPage();
    const fields = strategyCard('ofAllKinds');
    const share = () => fields.getByLabelText('Share');
    fill(fields.getByLabelText('City'), ' Oslo ');
    fill(share(), '150');
    expect(fields.getByRole<HTMLInputElement>('slider').value).toBe('100');
    fill(share(), '30');
    fill(fields.getByLabelText('Shops'), 'a, b,,a,c,');
    expect(fields.getAllByRole('button', { name: /^Remove [abc]$/u })).toHaveLength(3);
    await click(fields.getByRole('button', { name: 'Remove c' }));
    await click(fields.getByRole('switch', { name: 'Strict' }));
    fill(fields.getByLabelText('Limit'), '12,5');
    fireEvent.blur(fields.getByLabelText('Limit'));
    await settlePage();
    expect(card('ofAllKinds')).toContain('limit is not a number!');
    expect(isDisabled(button('Save ofAllKinds'))).toBe(true);
    fill(fields.getByLabelText('Limit'), '-12.5');
    await settlePage();
    expect(card('ofAllKinds')).not.toContain('limit is not a number!');
    await click(button('Save ofAllKinds'));
    nothingUnsaved();
    expect(saved()).toEqual([
      { name: 'ofAllKinds', parameters: { city: 'Oslo', share: '30', shops: 'a,b', limit: '-12.5', strict: 'true' } },
    ]);
  });

  test('that are required are marked and cause a warning while they are empty, but can be saved', async () => {
    const parameters = PARAMETERS.map((parameter) => ({ ...parameter, required: parameter.type !== 'boolean' }));
    serveToggle({ name: 'ofAllKinds', parameters: { limit: '1' } });
    serveDefinitions(createDefinition('ofAllKinds', ...parameters));
    await openPage();
    const fields = strategyCard('ofAllKinds');
    const warning = () =>
      within(main().getByRole('region', { name: 'Warnings' })).queryByText(/requires a value for City/u);
    for (const label of ['City', 'Shops', 'Limit'])
      expect(fields.getByLabelText(label).getAttribute('aria-required'), label).toBe('true');
    expect(fields.getByLabelText('Share').getAttribute('aria-required')).toBe('true');
    expect(fields.getByRole('switch', { name: 'Strict' }).getAttribute('aria-required')).not.toBe('true');
    expect(warning()).not.toBeNull();
    fill(fields.getByLabelText('Share'), '5');
    await click(button('Save ofAllKinds'));
    nothingUnsaved();
    expect(saved()?.[0]?.parameters).toMatchObject({ share: '5' });
    fill(fields.getByLabelText('City'), 'Oslo');
    await settlePage();
    expect(main().queryByText(/requires a value for City/u)).toBeNull();
    await choose('Actions for ofAllKinds', 'Discard changes');
    expect(warning()).not.toBeNull();
  });

  test('that are required are marked in the form for a new toggle', async () => {
    serveToggle();
    serveDefinitions(createDefinition('byCity', { ...createParameter('city', 'string'), required: true }));
    await renderConsole('/features/create#name=shop.new');
    await addStrategy('byCity');
    expect(strategyCard('byCity').getByLabelText('City').getAttribute('aria-required')).toBe('true');
  });

  test('are absent from the default strategy, which shows an explanation', async () => {
    serveToggle(always);
    await openPage();
    expect(card('default')).toContain('On for everyone while the toggle is enabled.');
    expect(strategyCard('default').queryByRole('textbox')).toBeNull();
  });

  test('of a rollout offer the stickiness fields of the service [S9-009]', async () => {
    serveToggle({ ...rollout('10'), parameters: { ...rollout('10').parameters, stickiness: 'sessionId' } });
    const fields = [
      { name: 'userId', stickiness: true },
      { name: 'region', stickiness: false },
      { name: 'sessionId', stickiness: true },
      { name: 'tenant', stickiness: true },
    ];
    const body = fields.map((field, sortOrder) => ({ ...field, description: '', sortOrder, legalValues: [] }));
    server().on('GET api/admin/context', { body });
    await openPage();
    await click(main().getByRole('button', { name: /^Change stickiness and group$/u }));
    const stickiness = strategyCard('flexibleRollout').getByLabelText<HTMLSelectElement>('Stickiness');
    expect(stickiness.value).toBe('sessionId');
    expect([...stickiness.options].map(({ textContent }) => textContent)).toEqual([
      'default',
      'userId',
      'sessionId',
      'random',
      'tenant',
    ]);
  });

  test('of a strategy that the service does not have are shown and kept', async () => {
    const gone = { name: 'gone', parameters: { level: '5' } };
    serveToggle(gone, always);
    await openPage();
    expect(card('gone')).toContain('The strategy "gone" does not exist on this server.');
    expect(strategyCard('gone').getByRole('term').textContent).toContain('level');
    expect(strategyCard('gone').getByRole('definition').textContent).toBe('5');
    await addStrategy('userWithId');
    await click(button('Save userWithId'));
    nothingUnsaved();
    expect(saved()?.[0]).toEqual(gone);
  });
});

describe('the menu that adds strategies', () => {
  const open = () => click(main().getByRole('button', { name: 'Add strategy' }));
  const menu = () => within(screen.getByRole('dialog', { name: 'Add strategy' }));
  const option = (name: string) => menu().getByRole('option', { name: strategyItem(name) });
  const add = async (name: string) => {
    await open();
    await click(option(name));
  };

  const replaces = () => menu().queryByRole<HTMLInputElement>('switch', { name: 'Replace the rules' });

  test('replaces a default that is on for everyone, unless that is switched off', async () => {
    serveToggle(always);
    await openPage();
    await open();
    expect(replaces()?.checked).toBe(true);
    await click(option('flexibleRollout'));
    expect(titles()).toEqual(['flexibleRollout']);
    await click(screen.getByRole('button', { name: 'Clear all' }));
    await open();
    await click(replaces() as HTMLElement);
    await click(option('flexibleRollout'));
    expect(titles()).toEqual(['default', 'flexibleRollout']);
  });

  test('adds a strategy beside others, and replaces them on request, once', async () => {
    const constraints = [{ contextName: 'environment', operator: 'IN', values: ['dev'] }];
    serveToggle({ ...always, constraints });
    await openPage();
    await add('userWithId');
    expect(titles()).toEqual(['default', 'userWithId']);
    await open();
    expect(replaces()?.checked).toBe(false);
    await click(replaces() as HTMLElement);
    await click(option('flexibleRollout'));
    expect(titles()).toEqual(['flexibleRollout']);
    await open();
    expect(replaces()?.checked).toBe(false);
  });

  test('replaces rules in a way that can be discarded, and that the card alone saves', async () => {
    serveToggle(always, users('ada'));
    await openPage();
    const replaceWith = async (name: string) => {
      await open();
      await click(replaces() as HTMLElement);
      await click(option(name));
    };
    await replaceWith('flexibleRollout');
    expect(titles()).toEqual(['flexibleRollout']);
    await click(screen.getByRole('button', { name: 'Clear all' }));
    expect(titles()).toEqual(['default', 'userWithId']);
    await replaceWith('userWithId');
    expect(titles()).toEqual(['userWithId']);
    await click(screen.getByRole('button', { name: 'Clear all' }));
    await replaceWith('flexibleRollout');
    await click(button('Save flexibleRollout'));
    await click(screen.getByRole('button', { name: 'Save all' }));
    nothingUnsaved();
    expect(saved()).toEqual([rollout('100')]);
  });

  test('limits to users with a constraint if the server has deprecated the list of users', async () => {
    serveToggle(always);
    const strategies = BUILT_IN.map((one) => ({ ...one, deprecated: one.name === 'userWithId' }));
    server().on(STRATEGIES, { body: { version: 1, strategies } });
    server().on('GET api/admin/context', {
      body: [{ name: 'userId', description: '', sortOrder: 1, legalValues: [] }],
    });
    await openPage();
    await open();
    await click(menu().getByRole('option', { name: /^Named users/ }));
    fill(strategyCard('default').getByLabelText('Values'), 'ada,grace,');
    await settlePage();
    await click(screen.getByRole('button', { name: 'Save all' }));
    nothingUnsaved();
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['ada', 'grace'] }];
    expect(saved()).toEqual([{ ...always, constraints }]);
  });

  test('shows strategies with their technical names and descriptions, and filters them', async () => {
    serveToggle(always);
    serveDefinitions({ ...createDefinition('byRegion'), description: 'In some regions' });
    await openPage();
    await open();
    const names = () =>
      menu()
        .queryAllByRole('option')
        .map((one) => one.textContent);
    expect(accessibleDescription(option('byRegion'))).toBe('In some regions');
    expect(names().slice(0, 6)).toEqual([
      'Gradual rollout flexibleRollout',
      'Named users userWithId',
      'Everyone default',
      'Addresses remoteAddress',
      'Hosts applicationHostname',
      'byRegion',
    ]);
    expect(names()).toHaveLength(9);
    const filter = menu().getByRole('combobox', { name: 'Filter strategies' });
    fill(filter, 'REGION');
    await settlePage();
    expect(names()).toHaveLength(1);
    fill(filter, 'xyz');
    await settlePage();
    expect(menu().getByRole('status').textContent).toBe('No strategy contains “xyz”.');
    fill(filter, '');
    await settlePage();
    expect(names()).toHaveLength(9);
  });

  test('shows the reason if the strategies cannot be loaded, and loads them again', async () => {
    serveToggle(always);
    server().on(STRATEGIES, { status: 403, body: { message: 'Not for you' } });
    await renderConsole('/features/strategies/shop.basket');
    await open();
    expect(menu().getByRole('alert').textContent).toContain('You cannot perform this action');
    serveDefinitions();
    await click(menu().getByRole('button', { name: 'Retry' }));
    expect(option('default')).toBeDefined();
  });
});

/** Opens the page of the toggle as an archived one, with these strategies. */
async function openArchived(...strategies: Strategy[]) {
  serveConsole(server());
  serveDefinitions();
  server().on(`GET ${PATH}`, { status: 404 });
  server().on('GET api/admin/events/shop.basket', { body: { toggleName: 'shop.basket', events: [] } });
  const features = [createToggle({ name: 'shop.basket', strategies })];
  server().on('GET api/admin/archive/features', { body: { version: 1, features } });
  await renderConsole('/archive/strategies/shop.basket');
}

describe('warnings', () => {
  const warnings = () => main().queryByRole('region', { name: 'Warnings' });
  const fix = (name: string) => click(within(warnings() as HTMLElement).getByRole('button', { name }));

  test('about a missing list of users move the focus to it', async () => {
    serveToggle(users(''));
    await openPage();
    await fix('Add values');
    expect(document.activeElement).toBe(strategyCard('userWithId').getByLabelText('userIds'));
  });

  test('about a rollout of 0 % move the focus to the percentage, and disappear with another one', async () => {
    serveToggle(rollout('0'));
    await openPage();
    await fix('Set a percentage');
    expect(document.activeElement).toBe(strategyCard('flexibleRollout').getByLabelText('Rollout'));
    fill(strategyCard('flexibleRollout').getByLabelText('Rollout'), '30');
    await settlePage();
    expect(warnings()).toBeNull();
  });

  test('about a constraint without values move the focus to them', async () => {
    const constraints = [{ contextName: 'environment', operator: 'IN', values: [] }];
    serveToggle(rollout('25'), { ...always, constraints });
    await openPage();
    await fix('Add values');
    const values = strategyCard('default').getByLabelText('Values');
    expect(document.activeElement).toBe(values);
    fill(values, 'dev,');
    await settlePage();
    expect(warnings()).toBeNull();
    expect(card('default')).toContain('dev');
  });

  test('about a missing parameter move the focus to it', async () => {
    serveToggle({ name: 'byCity', parameters: {} });
    const city = { ...createParameter('city', 'string'), required: true };
    serveDefinitions(createDefinition('byCity', createParameter('note', 'string'), city));
    await openPage();
    await fix('Add a value');
    expect(document.activeElement).toBe(strategyCard('byCity').getByLabelText('City'));
  });

  test('have no fixes for an archived toggle', async () => {
    await openArchived(always, rollout('25'));
    expect(warnings()?.textContent).toContain('flexibleRollout has no effect: default is on for everyone.');
    expect(within(warnings() as HTMLElement).queryByRole('button')).toBeNull();
    expect(screen.getByRole('main').textContent).toContain('An archived toggle cannot be edited.');
  });
});

describe('constraints', () => {
  test('of an archived toggle are sentences with all values on demand', async () => {
    const values = ['ada', 'bob', 'eve', 'grace', 'linus', 'mallory', 'trent'];
    const constraints = [
      { contextName: 'userId', operator: 'NOT_IN', values },
      { contextName: 'environment', operator: 'IN', values: [] },
    ];
    await openArchived({ ...always, constraints });
    const article = () => main().getByRole('article', { name: 'default' });
    expect(textOf(article())).toMatch(
      /userId is not one of ada,? ?bob,? ?eve,? ?grace,? ?linus and 2 more and environment is one of no values/u,
    );
    expect(textOf(article())).toContain('Without values, this constraint never matches.');
    await click(within(article()).getByRole('button', { name: 'and 2 more' }));
    expect(article().textContent).toContain('trent');
    await click(within(article()).getByRole('button', { name: 'Show fewer' }));
    expect(article().textContent).not.toContain('trent');
  });

  test('with unknown operators and fields, and unknown properties of strategies, are shown, kept and sent back', async () => {
    const constraints = [
      { contextName: 'userId', operator: 'STR_STARTS_WITH', values: ['a'], caseInsensitive: true },
      { contextName: 'planet', operator: 'IN', values: ['mars'] },
      { contextName: 'age', operator: 'NUM_GT', value: '18', inverted: false },
    ];
    const unknown = { name: 'default', id: '7', parameters: {}, constraints, segments: [3], title: 'Mine' };
    const stored = toggle('shop.basket', { strategies: [unknown, { ...users('ada'), id: '8' }], impressionData: true });
    serveUpstream(server(), {
      'GET api/admin/features': { body: { version: 1, features: [stored] } },
      [`GET ${PATH}`]: { body: stored },
      [`GET ${PATH}/tags`]: { body: { version: 1, tags: [] } },
      'GET api/admin/events/shop.basket': { body: { toggleName: 'shop.basket', events: [] } },
      'GET api/admin/context': { body: [{ name: 'userId', description: '', sortOrder: 1 }] },
      [STRATEGIES]: { body: { version: 1, strategies: BUILT_IN } },
      [`PUT ${PATH}`]: { status: 200 },
    });
    const capabilities: Capabilities = { ...EMBEDDED_CAPABILITIES, operators: 'basic' };
    server().on('GET -/settings', { body: { ...SETTINGS, mode: 'upstream', capabilities } });
    await openPage();
    const sentence = (number: number) =>
      find(screen.getByRole('group', { name: 'default' }), `[data-constraint="${number}"]`);
    expect(card('default')).toContain('userId starts with a (ignoring case)');
    expect(card('default')).toContain('It stays unchanged.');
    expect(document.querySelector('[data-constraint="1"]')).toBeNull();
    expect(card('default')).toContain('age is greater than 18');
    expect(card('default')).toContain('This server has no context field planet.');
    await click(sentence(2));
    const editor = within(strategyCard('default').getByRole('group', { name: 'Constraint 2' }));
    const field = editor.getByLabelText<HTMLInputElement>('Context field');
    expect(field.value).toBe('planet');
    expect(accessibleDescription(field)).toContain('no context field planet');
    await click(editor.getByRole('button', { name: 'Done' }));
    await click(strategyCard('default').getByRole('button', { name: 'Add constraint' }));
    await click(screen.getByRole('gridcell', { name: 'userId' }));
    fill(strategyCard('default').getByRole('textbox', { name: 'Values' }), 'ada,');
    await click(button('Save default'));
    const added = { contextName: 'userId', operator: 'IN', values: ['ada'] };
    const strategies = [
      { ...unknown, constraints: [...constraints, added] },
      { ...users('ada'), id: '8' },
    ];
    expect(server().bodies(`PUT ${PATH}`)).toEqual([{ ...stored, strategies }]);
    expect(document.body.textContent).toContain('successfully updated!');
  });
});

describe('leaving unsaved strategies', () => {
  const leave = () =>
    click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Addons', hidden: true }));
  const leaveDialog = () => within(screen.getByRole('dialog', { name: 'Unsaved changes' }));
  const editRollout = async () => {
    serveToggle(rollout('25'), users('ada'));
    server().on('GET api/admin/addons', { body: { addons: [], providers: [] } });
    server().on('GET api/admin/context', { body: [{ name: 'environment', description: '', sortOrder: 1 }] });
    await openPage();
    fill(strategyCard('flexibleRollout').getByLabelText('Rollout'), '50');
    await settlePage();
  };

  test('stays if a conflict has to be decided first', async () => {
    await editRollout();
    const theirs = createToggle({ name: 'shop.basket', strategies: [rollout('75'), users('ada')] });
    server().on(`GET ${PATH}`, { body: theirs });
    server().on('GET api/admin/features', { body: { version: 1, features: [theirs] } });
    await leave();
    await click(leaveDialog().getByRole('button', { name: 'Save all' }));
    await click(dialog().getByRole('radio', { name: /^Your version/u }));
    await click(dialog().getByRole('button', { name: 'Save merged' }));
    nothingUnsaved();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(location.pathname).toBe('/features/strategies/shop.basket');
    expect(saved()?.[0]).toEqual(rollout('50'));
  });

  test('cannot save while one is invalid, and shows the reason', async () => {
    await editRollout();
    await click(strategyCard('userWithId').getByRole('button', { name: 'Add constraint' }));
    await click(screen.getByRole('gridcell', { name: 'environment' }));
    await leave();
    const saveAll = leaveDialog().getByRole('button', { name: 'Save all' });
    expect(isDisabled(saveAll)).toBe(true);
    expect(accessibleDescription(saveAll)).toContain('Add a value');
    expect(screen.getByRole('dialog').textContent).toContain('Add a value');
    await click(leaveDialog().getByRole('button', { name: 'Stay' }));
    expect(screen.getAllByText('Unsaved')).toHaveLength(2);
    expect(location.pathname).toBe('/features/strategies/shop.basket');
  });
});
