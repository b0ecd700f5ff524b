// @vitest-environment happy-dom
// The activation page in the complete console: rules as sentences, their review, the impact, and the reasons of a result.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import { addStrategy, click, dialog, fill, main, strategyCard } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createDefinition, createParameter, createToggle, serveConsole } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const PATH = 'api/admin/features/shop.basket';
const definitions = [
  createDefinition('default'),
  createDefinition('userWithId', createParameter('userIds', 'list')),
  createDefinition(
    'flexibleRollout',
    createParameter('rollout', 'percentage'),
    createParameter('stickiness', 'string'),
    createParameter('groupId', 'string'),
  ),
];
const rollout: Strategy = {
  name: 'flexibleRollout',
  parameters: { rollout: '50', stickiness: 'userId', groupId: 'shop.basket' },
  constraints: [{ contextName: 'region', operator: 'IN', values: ['eu', 'us'] }],
};
const users: Strategy = { name: 'userWithId', parameters: { userIds: 'ada,bob' } };

async function openPage(
  strategies: Strategy[],
  { hash = '', counts = {}, enabled = true, events = {}, seen = {} } = {},
) {
  const toggle = createToggle({ name: 'shop.basket', strategies, enabled });
  serveConsole(server(), [toggle]);
  server().on('GET api/admin/strategies', { body: { version: 1, strategies: definitions } });
  server().on('GET api/admin/context', {
    body: Object.entries({ userId: [], region: [], plan: ['free', 'team'] }).map(([name, legalValues], sortOrder) => ({
      name,
      description: '',
      sortOrder,
      legalValues,
    })),
  });
  server().on('GET api/admin/metrics/feature-toggles', { body: { lastHour: counts, lastMinute: {} } });
  server().on('GET api/admin/metrics/seen-apps', { body: seen });
  if ('body' in events) server().on('GET api/admin/events/shop.basket', events);
  server().on(`PUT ${PATH}`, ({ body }) => {
    server().on(`GET ${PATH}`, { body });
    server().on('GET api/admin/features', { body: { version: 1, features: [body] } });
    return { status: 200 };
  });
  await renderConsole(`/features/strategies/shop.basket${hash}`);
}

const text = (element: HTMLElement) => element.textContent.replaceAll(/\s+/gu, ' ');
const impact = () => text(main().getByRole('region', { name: 'Impact' }));
const rest = () => text(screen.getByTestId('rest'));
const rolloutField = () => strategyCard('flexibleRollout').getByLabelText<HTMLInputElement>('Rollout');
const open = (name: string) => click(main().getByRole('button', { name: `Edit ${name}` }));
const bar = () => within(screen.getByRole('region', { name: 'Unsaved changes' }));
const lastSaved = () => {
  const { body } = server().requests.findLast(({ line }) => line === `PUT ${PATH}`) ?? {};
  return (body as { strategies?: Strategy[] } | undefined)?.strategies;
};

test('states each rule as a sentence, and the result of everyone else', async () => {
  await openPage([rollout, users]);
  const sentence = (name: string) => text(screen.getByRole('group', { name }));
  expect(sentence('flexibleRollout')).toContain('50 % of users where region is one of eu us');
  expect(sentence('flexibleRollout')).toContain('flexibleRollout · sticky on userId');
  expect(sentence('userWithId')).toContain('2 users: ada, bob');
  expect(rest()).toBe('–Everyone else: off');
  expect(impact()).toContain(
    'On for 50 % of users where region is one of eu, us, sticky on userId, and for 2 users: ada, bob.',
  );
});

test.each<[string, Strategy[]]>([
  ['–No one else: strategy 1 is on for everyone', [{ name: 'default', parameters: {} }, users]],
  ['–Everyone: off (all strategies are disabled)', [{ ...users, disabled: true }]],
])('the last row is "%s"', async (expected, strategies) => {
  await openPage(strategies);
  expect(rest()).toBe(expected);
});

test('an only strategy is not repeated: there is a bar, but no sentence and no last row', async () => {
  await openPage([users], { counts: { 'shop.basket': { yes: 1, no: 1 } } });
  expect(impact()).not.toContain('2 users');
  expect(impact()).toContain('1 of 2 checks per hour');
  expect(screen.queryByTestId('rest')).toBeNull();
});

test('a toggle says once that it is off: its switch', async () => {
  await openPage([rollout, users], { enabled: false, counts: { 'shop.basket': { yes: 0, no: 2 } } });
  expect(impact()).toMatch(/^When enabled, on for 50\s% .*, and for 2 users: ada, bob\.$/u);
  expect(within(main().getByRole('region', { name: 'Impact' })).queryByRole('img')).toBeNull();
  expect(screen.queryByTestId('rest')).toBeNull();
});

test('a word opens its field, and Escape closes the rule again', async () => {
  await openPage([rollout]);
  const card = strategyCard('flexibleRollout');
  expect(card.queryByLabelText('Rollout')).toBeNull();
  await click(card.getByRole('button', { name: '50 %' }));
  expect(document.activeElement).toBe(rolloutField());
  fireEvent.keyDown(rolloutField(), { key: 'Escape' });
  expect(card.queryByLabelText('Rollout')).toBeNull();
  expect(document.activeElement).toBe(card.getByRole('button', { name: 'Edit flexibleRollout' }));
  fireEvent.keyDown(card.getByRole('button', { name: /^region is/ }), { key: 'Enter' });
  expect(document.activeElement).toBe(card.getByLabelText('Values'));
});

test('Ctrl+S saves, the rule stays open, and its field keeps the focus', async () => {
  await openPage([rollout]);
  await open('flexibleRollout');
  fill(rolloutField(), '65');
  const key = new KeyboardEvent('keydown', { key: 's', ctrlKey: true, bubbles: true, cancelable: true });
  await act(async () => rolloutField().dispatchEvent(key));
  await settlePage();
  expect(key.defaultPrevented).toBe(true);
  expect(lastSaved()).toEqual([{ ...rollout, parameters: { ...rollout.parameters, rollout: '65' } }]);
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull();
  expect(document.activeElement).toBe(rolloutField());
  // The save closes the editor of a constraint, and the focus moves to the word that opens it.
  await click(screen.getByRole('button', { name: /^region/ }));
  const values = within(screen.getByRole('group', { name: 'Constraint 1' })).getByLabelText('Values');
  fill(values, 'no,');
  await act(async () => {
    values.focus();
    fireEvent.keyDown(values, { key: 's', ctrlKey: true });
  });
  await settlePage();
  expect(screen.queryByRole('group', { name: 'Constraint 1' })).toBeNull();
  expect(document.activeElement?.textContent).toBe('region is one of eu us no');
});

test('e opens the first rollout with its number selected', async () => {
  await openPage([users, rollout]);
  fireEvent.keyDown(document.body, { key: 'e' });
  await settlePage();
  expect(document.activeElement).toBe(rolloutField());
  // In the field, the key is text.
  expect(fireEvent.keyDown(rolloutField(), { key: 'e' })).toBe(true);
});

test('F6 moves to the bar, and back to the field', async () => {
  await openPage([rollout]);
  await open('flexibleRollout');
  fill(rolloutField(), '65');
  fireEvent.keyDown(rolloutField(), { key: 'F6' });
  expect(document.activeElement).toBe(bar().getByRole('button', { name: 'Save all' }));
  fireEvent.keyDown(bar().getByRole('button', { name: 'Save all' }), { key: 'F6' });
  expect(document.activeElement).toBe(rolloutField());
});

const addConstraint = async (item: string) => {
  await click(main().getByRole('button', { name: 'Add constraint' }));
  await click(screen.getByRole('gridcell', { name: item }));
};

/** Opens the list of values of a constraint, and returns the values. */
async function offeredIn(constraint: string) {
  const editor = within(screen.getByRole('group', { name: constraint }));
  await click(editor.getByRole('button', { name: 'Show suggestions' }));
  return within(screen.getByRole('listbox', { name: 'Suggestions' }))
    .getAllByRole('option')
    .map((option) => option.textContent);
}

test('a field and its values are one click each, and Ctrl+S shows what is missing', async () => {
  await openPage([rollout]);
  await open('flexibleRollout');
  const add = main().getByRole('button', { name: 'Add constraint' });
  await click(add);
  const names = screen.getAllByRole('gridcell').map((item) => item.getAttribute('aria-label') ?? item.textContent);
  // The field that already has a constraint is last.
  expect(names).toEqual([
    'userId',
    'plan',
    'plan is free',
    'plan is team',
    'region',
    'From / until…',
    'New context field…',
    'New segment…',
  ]);
  await click(screen.getByRole('gridcell', { name: 'plan is team' }));
  const sentence = () => text(screen.getByRole('group', { name: 'flexibleRollout' }));
  expect(sentence()).toContain('where region is one of eu us and plan is team');
  expect(await offeredIn('Constraint 2')).toEqual(['free']);
  await addConstraint('userId');
  const editor = within(screen.getByRole('group', { name: 'Constraint 3' }));
  expect(document.activeElement).toBe(editor.getByLabelText('Values'));
  const note = document.querySelector('[data-reason-note]');
  expect(note?.getAttribute('data-reason-note')).toBe('');
  fireEvent.keyDown(editor.getByLabelText('Values'), { key: 's', ctrlKey: true });
  expect(note?.getAttribute('data-reason-note')).toBe('tried');
  expect(note?.textContent).toBe('flexibleRollout: Constraint 3 (userId): Add a value, or remove the constraint.');
  expect(lastSaved()).toBeUndefined();
});

test('a context field can be created in the list of fields, without leaving unsaved edits', async () => {
  await openPage([rollout]);
  await open('flexibleRollout');
  fill(rolloutField(), '65');
  const editor = () => screen.queryByRole('group', { name: 'Constraint 2', hidden: true });
  const POST = 'POST api/admin/context';
  server().on('POST api/admin/context/validate', { status: 200 });
  await addConstraint('New context field…');
  await click(dialog().getByRole('button', { name: 'Cancel' }));
  expect(editor()).toBeNull();
  await addConstraint('New context field…');
  await click(dialog().getByRole('button', { name: 'Create' }));
  expect(dialog().getByText('Enter a name.')).toBeDefined();
  fill(dialog().getByLabelText('Name'), 'country');
  fill(dialog().getByLabelText('Legal values'), 'no,se,');
  server().on(POST, { status: 500 });
  await click(dialog().getByRole('button', { name: 'Create' }));
  expect(dialog().getByRole('alert').textContent).toContain('500');
  server().on(POST, { status: 409, body: { message: 'A context field called country already exists' } });
  await click(dialog().getByRole('button', { name: 'Create' }));
  // At the field alone, and the next attempt is possible with another name.
  expect(dialog().getAllByText('A context field called country already exists')).toHaveLength(1);
  expect(dialog().getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  fill(dialog().getByLabelText('Name'), 'land');
  fill(dialog().getByLabelText('Name'), 'country');
  server().on(POST, { status: 201 });
  server().on('GET api/admin/context', { body: [{ name: 'country', description: '', legalValues: ['no', 'se'] }] });
  await click(dialog().getByRole('button', { name: 'Create' }));
  await settlePage();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(server().requests.findLast(({ line }) => line === POST)?.body).toMatchObject({
    name: 'country',
    legalValues: ['no', 'se'],
  });
  const created = within(editor() ?? document.body);
  expect(created.getByLabelText<HTMLSelectElement>('Context field').value).toBe('country');
  expect(await offeredIn('Constraint 2')).toEqual(['no', 'se']);
  expect(rolloutField().value).toBe('65');
});

test('a strategy of the menu gets the focus', async () => {
  await openPage([rollout]);
  await click(main().getByRole('button', { name: 'Add strategy' }));
  await click(screen.getByRole('option', { name: 'Named users userWithId' }));
  expect(document.activeElement).toBe(main().getByLabelText('userIds'));
});

test('a context field that no filter found can be created with the typed name', async () => {
  await openPage([rollout]);
  await open('flexibleRollout');
  await click(main().getByRole('button', { name: 'Add constraint' }));
  fill(screen.getByRole('combobox', { name: 'Filter fields and values' }), 'country');
  expect(text(screen.getByRole('dialog'))).toContain('No field or value contains “country”.');
  expect(screen.queryByRole('button', { name: 'Clear filter' })).toBeNull();
  await click(screen.getByRole('gridcell', { name: 'New context field country…' }));
  expect(dialog().getByLabelText<HTMLInputElement>('Name').value).toBe('country');
});

test('a change of another user while a context field is created is kept', async () => {
  await openPage([rollout]);
  await open('flexibleRollout');
  await addConstraint('New context field…');
  const theirs = { ...rollout, parameters: { ...rollout.parameters, rollout: '40' } };
  const changed = createToggle({ name: 'shop.basket', strategies: [theirs] });
  server().on(`GET ${PATH}`, { body: changed });
  server().on('GET api/admin/features', { body: { version: 1, features: [changed] } });
  await advance(5_000);
  fill(dialog().getByLabelText('Name'), 'country');
  server().on('POST api/admin/context/validate', { status: 200 });
  server().on('POST api/admin/context', { status: 201 });
  await click(dialog().getByRole('button', { name: 'Create' }));
  await settlePage();
  fill(within(screen.getByRole('group', { name: 'Constraint 2' })).getByLabelText('Values'), 'no,');
  await click(bar().getByRole('button', { name: 'Save all' }));
  await settlePage();
  const added = { contextName: 'country', operator: 'IN', values: ['no'] };
  expect(lastSaved()).toEqual([{ ...theirs, constraints: [...(rollout.constraints ?? []), added] }]);
});

test('shows the newest changes of a toggle that is used, and reads no log of others', async () => {
  const event = (id: number, more: object) => ({
    id,
    type: 'feature-updated',
    createdBy: 'ines',
    createdAt: new Date(Date.now() - 90_000_000).toISOString(),
    tags: [],
    diffs: [],
    ...more,
  });
  const data = (percent: string) =>
    createToggle({
      name: 'shop.basket',
      strategies: [{ ...rollout, parameters: { ...rollout.parameters, rollout: percent } }],
    });
  const log = {
    body: {
      version: 1,
      totalEvents: 2,
      events: [
        event(3, { data: data('50'), diffs: [{ kind: 'E', path: ['strategies'], lhs: 0, rhs: 1 }] }),
        event(2, { type: 'feature-created', data: data('25'), diffs: null }),
      ],
    },
  };
  await openPage([rollout], { counts: { 'shop.basket': { yes: 1, no: 1 } }, events: log });
  const changes = text(main().getByRole('region', { name: 'Recent changes' }));
  expect(changes).toContain('ines: flexibleRollout 25 → 50 %');
  expect(changes).toContain('ines: created');
});

test('counts the pending changes, and the review describes complete rules', async () => {
  await openPage([users]);
  await addStrategy('flexibleRollout');
  fill(rolloutField(), '25');
  await addConstraint('region');
  fill(within(screen.getByRole('group', { name: 'Constraint 1' })).getByLabelText('Values'), 'Nordics,');
  expect(bar().queryByRole('button', { name: 'Review changes' }), 'the bar describes one change').toBeNull();
  await open('userWithId');
  await click(strategyCard('userWithId').getByRole('button', { name: 'Remove ada' }));
  expect(text(bar().getByRole('region', { name: 'Pending changes' }))).toContain(
    'flexibleRollout: added: 25 % of users where region is Nordics',
  );
  expect(text(screen.getByRole('region', { name: 'Unsaved changes' }))).toContain('2 unsaved changes');
  await click(bar().getByRole('button', { name: 'Review changes' }));
  const changes = within(screen.getByRole('dialog')).getByRole('region', { name: 'Changes' });
  expect(text(changes)).toContain('added: 25 % of users where region is Nordics');
});

test('the impact after a save is not the measurement of the hour before', async () => {
  await openPage([rollout, users], { counts: { 'shop.basket': { yes: 4_000, no: 6_000 } } });
  expect(impact()).toContain('4,000 of 10,000 checks per hour are yes (40 %). Measured in the last hour.');
  expect(rest()).toContain('≈ 6,000 checks per hour');
  await open('flexibleRollout');
  fill(rolloutField(), '65');
  expect(impact()).toContain('On for 50 → 65 % of users');
  expect(impact()).toContain('after saving ≈ 5,200 (52 %). Estimated from the last hour.');
  await click(bar().getByRole('button', { name: 'Save all' }));
  await advance(50);
  expect(impact()).not.toContain('are yes');
  expect(impact()).toContain('Measured when the change is an hour old.');
});

const withShare = (percent: string): Strategy => ({
  ...rollout,
  parameters: { ...rollout.parameters, rollout: percent },
});

/** The log after a change of the rollout from 50 % just now. */
const logOfChange = (percent: string) => ({
  body: {
    version: 1,
    totalEvents: 1,
    events: [
      {
        id: 3,
        type: 'feature-updated',
        createdBy: 'ines',
        createdAt: new Date().toISOString(),
        tags: [],
        data: createToggle({ name: 'shop.basket', strategies: [withShare(percent), users] }),
        diffs: [{ kind: 'E', path: ['strategies', 0, 'parameters', 'rollout'], lhs: '50', rhs: percent }],
      },
    ],
  },
});

/** The estimate of 65 %, from 40 % with 50 %. */
const ESTIMATE =
  /≈ 5,200 \(52 %\) of 10,000 checks per hour, estimated at [\d:]+( [AP]M)?; measured from [\d:]+( [AP]M)? on\./;

test('the estimate of a save stays, and the next edit starts from it', async () => {
  await openPage([rollout, users], { counts: { 'shop.basket': { yes: 4_000, no: 6_000 } } });
  await open('flexibleRollout');
  fill(rolloutField(), '65');
  server().on('GET api/admin/events/shop.basket', logOfChange('65'));
  await click(bar().getByRole('button', { name: 'Save all' }));
  await settlePage();
  expect(impact()).toMatch(ESTIMATE);
  fill(rolloutField(), '50');
  expect(impact()).toContain('after saving ≈ 4,000 (40 %)');
});

test.each([
  ['an estimate', '65', ESTIMATE],
  ['no estimate of another version', '80', /^((?!≈).)*Measured when the change is an hour old\.$/],
])('a page that is opened after a change has %s', async (_, percent, expected) => {
  const counts = { 'shop.basket': { yes: 4_000, no: 6_000 } };
  await openPage([withShare(percent), users], { counts, events: logOfChange('65') });
  expect(impact()).toMatch(expected);
});

test('a change that narrows is drawn within the calls of today', async () => {
  await openPage([rollout, users], { counts: { 'shop.basket': { yes: 4_000, no: 6_000 } } });
  await open('flexibleRollout');
  await addConstraint('plan');
  expect(impact()).toContain(
    'after saving at most 4,000 (40 %). The effects of userWithId and constraints are unknown.',
  );
  const picture = within(main().getByRole('region', { name: 'Impact' })).getByRole('img');
  const ends = [...picture.querySelectorAll<HTMLElement>('span')].map(
    ({ style }) => Number.parseFloat(style.left || '0') + Number.parseFloat(style.width),
  );
  expect(Math.max(...ends)).toBe(40);
});

test('a toggle without calls has no bar', async () => {
  await openPage([rollout]);
  expect(impact()).toContain('No calls yet');
  expect(within(main().getByRole('region', { name: 'Impact' })).queryByRole('img')).toBeNull();
});

test('the review states who is new and who is gone, and the calls before and after', async () => {
  await openPage([withShare('50'), users], { counts: { 'shop.basket': { yes: 4_000, no: 6_000 } } });
  await open('userWithId');
  await click(strategyCard('userWithId').getByRole('button', { name: 'Remove ada' }));
  fill(strategyCard('userWithId').getByLabelText(/userIds/), '7,');
  await open('flexibleRollout');
  fill(rolloutField(), '45');
  await click(bar().getByRole('button', { name: 'Review changes' }));
  const review = text(within(screen.getByRole('dialog')).getByRole('region', { name: 'Impact' }));
  expect(review).toContain('Changes who gets the feature or a variant');
  expect(review).toContain('New: 7. No longer: ada.');
  expect(review).toContain('4,000 → ');
  expect(review).not.toContain('opulation');
});

const bucket = (percentage: number) => ({
  name: 'flexibleRollout',
  result: percentage >= 74 ? 'on' : 'off',
  disabled: false,
  rule: { code: 'bucket', field: 'userId', value: '4711', group: 'shop.basket', bucket: 74, percentage },
  constraints: [{ field: 'region', value: 'eu', matches: true }],
  segments: [],
});
const notListed = {
  name: 'userWithId',
  result: 'off',
  disabled: false,
  rule: { code: 'notListed', value: '4711' },
  constraints: [],
  segments: [],
};

/** Evaluates rollouts of the request as if the id were at 74. */
function serveEvaluation() {
  server().on('POST -/evaluate', ({ body }) => {
    const { toggles, compare } = body as { toggles: { strategies: Strategy[] }[]; compare?: typeof toggles };
    const evaluate = (toggle: (typeof toggles)[number] | undefined) => {
      const percentage = Number(toggle?.strategies[0]?.parameters?.['rollout']);
      const strategies = [bucket(percentage), notListed];
      const isOn = percentage >= 74;
      const decision = isOn ? 'strategyMatches' : 'noStrategyMatches';
      const reasons = { decision, ...(isOn && { strategy: 0 }), parents: [], strategies };
      return { contexts: [{ result: isOn ? 'on' : 'off', reasons }] };
    };
    const [changed] = compare ?? [];
    return {
      body: {
        toggles: [{ name: 'shop.basket', saved: evaluate(toggles[0]), ...(changed && { edited: evaluate(changed) }) }],
      },
    };
  });
}

test('evaluates nothing before a value is entered, and shows the deciding fields first', async () => {
  await openPage([rollout, users]);
  const panel = within(main().getByRole('region', { name: 'Who gets it, and why?' }));
  const [first, second] = panel.getAllByRole('textbox');
  expect([first, second]).toEqual([panel.getByLabelText('userId'), panel.getByLabelText('region')]);
  expect(server().count('POST -/evaluate')).toBe(0);
});

test.each(['', '#userId=ada'])(
  'the first typed character stays, and the field keeps the focus, at %j',
  async (hash) => {
    serveEvaluation();
    await openPage([rollout, users], { hash });
    const panel = within(main().getByRole('region', { name: 'Who gets it, and why?' }));
    const field = panel.getByLabelText<HTMLInputElement>('userId');
    field.focus();
    for (const value of ['g', 'gr', 'grace']) {
      fireEvent.input(field, { target: { value } });
      await settlePage();
      expect(field.value).toBe(value);
      expect(document.activeElement).toBe(field);
    }
    fireEvent.keyDown(field, { key: 'Enter' });
    await settlePage();
    expect(location.hash).toBe('#userId=grace');
    expect(document.activeElement).toBe(field);
  },
);

test('a remedy edits the open rule, unsaved, and the result follows', async () => {
  serveEvaluation();
  await openPage([rollout, users], { hash: '#userId=4711&region=eu' });
  const panel = within(main().getByRole('region', { name: 'Who gets it, and why?' }));
  const reasons = () => text(panel.getByRole('list', { name: 'Reasons' }));
  expect(reasons()).toContain('Strategy 1Nearest miss');
  expect(reasons()).toContain('Matches: region is eu');
  expect(reasons()).toContain('Does not match: 4711 is at 74 of 100, above the rollout of 50 % Set 74 %');
  expect(reasons()).toContain('4711 is not listed Add 4711');
  expect(panel.getByRole('img', { name: '4711 is at 74 of 100; saved 50 %' })).toBeDefined();
  await click(panel.getByRole('button', { name: 'Set 74 %' }));
  await advance(500);
  expect(rolloutField().value).toBe('74');
  expect(lastSaved()).toBeUndefined();
  expect(panel.getByRole('img', { name: '4711 is at 74 of 100; saved 50 %, unsaved 74 %' })).toBeDefined();
  expect(text(panel.getByRole('region', { name: 'Unsaved' }))).toContain('Rule 1 matches.');
  expect(panel.queryByText('Nearest miss')).toBeNull();
  // The button is gone, and the focus is on the result.
  expect(document.activeElement).toBe(panel.getByRole('status', { name: 'Result of the context' }));
  await click(panel.getByRole('button', { name: 'Add 4711' }));
  expect(text(screen.getByRole('group', { name: 'userWithId' }))).toContain('2 users 3 users');
});

test('warns about an application whose client library does not evaluate the operator of a constraint', async () => {
  const regex = { contextName: 'plan', operator: 'REGEX', value: '^pro', values: [] };
  const seen = { 'shop.basket': [{ appName: 'shop' }] };
  const instance = { instanceId: 'a', sdkVersion: 'unleash-client-node:6.9.6' };
  await openPage([{ ...rollout, constraints: [regex] }], { seen });
  server().on('GET api/admin/metrics/applications/shop', { body: { appName: 'shop', instances: [instance] } });
  await click(strategyCard('flexibleRollout').getByRole('button', { name: /^plan matches/ }));
  expect(text(screen.getByRole('group', { name: 'flexibleRollout' }))).toContain(
    'shop (unleash-client-node:6.9.6): this client library is too old for this operator. Results can differ there.',
  );
});

test('segments are entries of the menu that adds constraints, and words of the sentence that open them', async () => {
  server().hold('GET api/admin/segments');
  await openPage([{ ...rollout, segments: [8] }]);
  await open('flexibleRollout');
  const rule = () => text(screen.getByRole('group', { name: 'flexibleRollout' }));
  const openMenu = () => click(main().getByRole('button', { name: 'Add constraint' }));
  expect(rule()).toContain('in segment 8');
  await openMenu();
  expect(screen.queryByRole('gridcell', { name: /^Segment/u })).toBeNull();
  const segment = (id: number, name: string) => ({ id, name, description: null, constraints: [] });
  (await server().take('GET api/admin/segments')).respond({
    body: { segments: [segment(7, 'beta'), segment(8, 'office')] },
  });
  await settlePage();
  // The strategy is already in the other segment.
  expect(screen.getAllByRole('gridcell', { name: /^Segment/u }).map(text)).toEqual(['Segment beta']);
  await click(screen.getByRole('gridcell', { name: 'Segment beta' }));
  expect(rule()).toContain('in segments office and beta');
  await click(strategyCard('flexibleRollout').getByRole('button', { name: 'office and beta' }));
  expect(document.activeElement).toBe(main().getByRole('button', { name: 'Remove segment office' }));
  await click(main().getByRole('button', { name: 'Remove segment office' }));
  expect(rule()).toContain('in segment beta');
  expect(document.activeElement).toBe(main().getByRole('button', { name: 'Add constraint' }));
  await click(bar().getByRole('button', { name: 'Save all' }));
  await settlePage();
  expect(lastSaved()).toEqual([{ ...rollout, segments: [7] }]);
});

test('the menu opens the form for a new segment in a new tab, which keeps unsaved edits', async () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  await openPage([rollout]);
  await open('flexibleRollout');
  fill(rolloutField(), '65');
  await addConstraint('New segment…');
  expect(opened).toHaveBeenCalledWith('/segments/create', '_blank', 'noopener');
  expect(rolloutField().value).toBe('65');
});

test('the menu says that the segments could not be loaded', async () => {
  await openPage([rollout]);
  server().on('GET api/admin/segments', { status: 403, body: { message: 'Not for you' } });
  await open('flexibleRollout');
  await click(main().getByRole('button', { name: 'Add constraint' }));
  expect(text(screen.getByRole('dialog'))).toContain('The segments could not be loaded.');
});
