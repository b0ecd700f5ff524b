// @vitest-environment happy-dom
// The form for a new toggle and for a copy, with the editor of the activation tab. Server errors: testing/requestErrors.test.tsx.
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Strategy, Toggle } from '@/api/generated/types';
import {
  accessibleDescription,
  addStrategy,
  button,
  choose,
  click,
  dialog,
  fill,
  main,
  strategyCard,
  textOf,
} from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createDefinition, createParameter, createToggle, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const CREATE = 'POST api/admin/features';
const FIELDS = [{ name: 'country', description: '', legalValues: ['NO', 'SE'], stickiness: false, sortOrder: 1 }];
const rollout = (percent: string, groupId: string): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId },
});
const inNorway = [{ contextName: 'country', operator: 'IN', values: ['NO'] }];

beforeEach(() => serve());

function serve(...toggles: Toggle[]) {
  serveConsole(server(), toggles);
  const parameters = [
    createParameter('rollout', 'percentage'),
    createParameter('stickiness', 'string'),
    createParameter('groupId', 'string'),
  ];
  const definitions = [
    { ...createDefinition('flexibleRollout'), parameters },
    createDefinition('userWithId', createParameter('userIds', 'list')),
    createDefinition('default'),
  ];
  server().on('GET api/admin/strategies', { body: { version: 1, strategies: definitions } });
  server().on('GET api/admin/context', { body: FIELDS });
  server().on('POST api/admin/features/validate', { status: 200 });
  server().on(CREATE, ({ body }) => ({ status: 201, body }));
}

const created = () => server().bodies(CREATE).at(-1);
const effect = () => accessibleDescription(button('Create'));
const share = () => strategyCard('flexibleRollout').getByLabelText('Rollout');

/** Adds a rollout to 10 %. */
async function addRollout() {
  await addStrategy('flexibleRollout');
  expect(document.activeElement).toBe(share());
  fill(share(), '10');
  await settlePage();
}

async function addConstraint(item: string) {
  await click(main().getByRole('button', { name: 'Add constraint' }));
  await click(screen.getByRole('gridcell', { name: item }));
}

test('[S2-042] [S9-008] 10 % of one country is possible before anything is live, and the form says so', async () => {
  await renderConsole('/features/create#name=shop.new');
  expect(effect()).toMatch(/^On for everyone as soon as it is created\./u);
  await addStrategy('flexibleRollout');
  expect(effect()).toMatch(/^On for 100\s% of users as soon as it is created\./u);
  fill(share(), '10');
  await addConstraint('country is NO');
  expect(effect()).toMatch(
    /^On for 10\s% of users where country is NO as soon as it is created\. ?At most 10\s% of all users\. No application/u,
  );
  await click(button('Create'));
  expect(created()).toMatchObject({
    enabled: true,
    strategies: [{ ...rollout('10', 'shop.new'), constraints: inNorway }],
  });
});

test('the toggle can always be created switched off, whatever its strategies and switch say', async () => {
  await renderConsole('/features/create#name=shop.new');
  await addRollout();
  expect(button('Create switched off')).toBeDefined();
  await click(main().getByRole('switch', { name: 'Enabled' }));
  expect(effect()).toMatch(/^When enabled, on for 10\s% of users\.$/u);
  await click(main().getByRole('switch', { name: 'Enabled' }));
  await click(button('Create switched off'));
  expect(created()).toMatchObject({ enabled: false, strategies: [rollout('10', 'shop.new')] });
});

test('the calls of applications that already ask for the toggle are part of the estimate', async () => {
  const lastHour = { 'shop.new': { yes: 0, no: 1000 } };
  server().on('GET api/admin/metrics/feature-toggles', { body: { lastMinute: {}, lastHour } });
  await renderConsole('/features/create#name=shop.new');
  await addRollout();
  expect(effect()).toContain('0 → 100 of 1,000 checks per hour');
});

test('rules are moved, removed and replaced before they exist', async () => {
  await renderConsole('/features/create#name=shop.new');
  await addRollout();
  await addStrategy('userWithId');
  fireEvent.keyDown(main().getByRole('button', { name: /^Rule 2 of 2/u }), { key: 'ArrowUp' });
  await settlePage();
  const names = () =>
    main()
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent);
  expect(names()).toEqual(['userWithId', 'flexibleRollout']);
  expect(main().queryByText('Unsaved')).toBeNull();
  await choose('Actions for userWithId', 'Remove');
  expect(dialog().getByText('Are you sure you want to remove this activation strategy?')).toBeDefined();
  await click(dialog().getByRole('button', { name: 'Remove' }));
  expect(names()).toEqual(['flexibleRollout']);
  await click(button('Add strategy'));
  await click(screen.getByRole('switch', { name: 'Replace the rules' }));
  await click(screen.getByRole('option', { name: /userWithId$/u }));
  expect(names()).toEqual(['userWithId']);
});

test('a constraint without values causes no warning until the toggle is created', async () => {
  await renderConsole('/features/create#name=shop.new');
  await addRollout();
  await addConstraint('country');
  const values = main().getByLabelText('Values');
  expect(document.activeElement).toBe(values);
  expect(textOf(screen.getByRole('group', { name: 'flexibleRollout' }))).not.toContain('no values');
  expect(main().queryByRole('alert')).toBeNull();
  fireEvent.submit(values.closest('form') ?? document);
  await settlePage();
  expect(server().count(CREATE)).toBe(0);
  expect(main().getAllByRole('alert').at(-1)?.textContent).toBe(
    'flexibleRollout: Constraint 1 (country): Add a value, or remove the constraint.',
  );
});

test('creating a context field does not submit the form, and leaves the focus in the new values', async () => {
  server().on('POST api/admin/context/validate', { status: 200 });
  server().on('POST api/admin/context', { status: 201 });
  await renderConsole('/features/create#name=shop.new');
  await addRollout();
  await click(main().getByRole('button', { name: 'Add constraint' }));
  fill(screen.getByRole('combobox', { name: 'Filter fields and values' }), 'plan');
  await settlePage();
  await click(screen.getByRole('gridcell', { name: 'New context field plan…' }));
  fireEvent.submit(dialog().getByLabelText('Name').closest('form') ?? document);
  await settlePage();
  expect(server().count('POST api/admin/context')).toBe(1);
  expect(server().count(CREATE)).toBe(0);
  const editor = within(screen.getByRole('group', { name: 'Constraint 1' }));
  expect(document.activeElement).toBe(editor.getByLabelText('Values'));
  expect(editor.queryByRole('alert')).toBeNull();
});

test('[S2-045] a copy starts with the rules of the original, closed, and is edited with the same form', async () => {
  const original = createToggle({
    name: 'shop.basket',
    description: 'Large',
    enabled: true,
    strategies: [{ ...rollout('25', 'shop.basket'), constraints: inNorway }],
    variants: [{ name: 'green', weight: 1000, weightType: 'variable' }],
  });
  serve(original);
  await renderConsole('/features/copy/shop.basket');
  expect(main().queryByLabelText('Rollout')).toBeNull();
  fill(main().getByLabelText('Name'), 'shop.copy');
  await click(strategyCard('flexibleRollout').getByRole('button', { name: /^25\s%$/u }));
  fill(share(), '50');
  await settlePage();
  await click(button('Copy switched off'));
  expect(created()).toMatchObject({
    name: 'shop.copy',
    description: 'Large',
    enabled: false,
    strategies: [{ ...rollout('50', 'shop.copy'), constraints: inNorway }],
    variants: original.variants,
  });
});
