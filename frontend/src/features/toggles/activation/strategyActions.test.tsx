// @vitest-environment happy-dom
// Actions on strategies while the list changes, in the complete console with a controlled order of responses.
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Strategy } from '@/api/generated/types';
import { addStrategy, choose, click, dialog, fill, main, snackbarText, strategyCard } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createDefinition, createParameter, createToggle, serveConsole } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const PATH = 'api/admin/features/shop.basket';
const [GET, PUT] = [`GET ${PATH}`, `PUT ${PATH}`];
const POLL_MS = 5000;

const always: Strategy = { name: 'default', parameters: {} };
const rollout = (percent: string): Strategy => ({ name: 'flexibleRollout', parameters: { rollout: percent } });
const users = (userIds: string): Strategy => ({ name: 'userWithId', parameters: { userIds } });

/** Stores strategies, as another user does. */
function store(strategies: Strategy[]) {
  const toggle = createToggle({ name: 'shop.basket', strategies });
  server().on(GET, { body: toggle });
  server().on('GET api/admin/features', { body: { version: 1, features: [toggle] } });
}

async function openPage(strategies: Strategy[]) {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  store(strategies);
  const definitions = [
    createDefinition('default'),
    createDefinition('flexibleRollout', createParameter('rollout', 'percentage')),
    createDefinition('userWithId', createParameter('userIds', 'list')),
  ];
  server().on('GET api/admin/strategies', { body: { version: 1, strategies: definitions } });
  server().on(PUT, ({ body }) => {
    store((body as { strategies: Strategy[] }).strategies);
    return {};
  });
  await renderConsole('/features/strategies/shop.basket');
}

const changeElsewhere = async (strategies: Strategy[]) => {
  store(strategies);
  await advance(POLL_MS);
};
const sent = () =>
  server()
    .bodies(PUT)
    .map((body) => (body as { strategies: Strategy[] }).strategies);
const rolloutField = () => strategyCard('flexibleRollout').getByLabelText<HTMLInputElement>('Rollout');
const names = () =>
  main()
    .getAllByRole('listitem')
    .flatMap((item) => item.querySelector('fieldset')?.getAttribute('aria-label') ?? []);
const unsavedText = () => unsaved()?.textContent.replaceAll(/\s+/gu, ' ');
const unsaved = () => screen.queryByRole('region', { name: 'Unsaved changes' });

/** Starts to save a rollout of 50 %, and holds the request. */
async function startSave() {
  await openPage([rollout('25'), always]);
  await click(main().getByRole('button', { name: 'Edit flexibleRollout' }));
  fill(rolloutField(), '50');
  server().hold(PUT);
  await click(main().getByRole('button', { name: 'Save flexibleRollout' }));
  return server().take(PUT);
}

test('the removal of a strategy removes this one, although the list changed while its dialog was open', async () => {
  await openPage([always, rollout('25'), users('ada')]);
  await choose('Actions for flexibleRollout', 'Remove');
  await changeElsewhere([rollout('25'), users('ada')]);
  await click(dialog().getByRole('button', { name: 'Remove' }));
  expect(sent()).toEqual([[users('ada')]]);
});

test('a strategy that another user has removed meanwhile needs no removal', async () => {
  await openPage([always, rollout('25'), users('ada')]);
  await choose('Actions for flexibleRollout', 'Remove');
  await changeElsewhere([always, users('ada')]);
  await click(dialog().getByRole('button', { name: 'Remove' }));
  expect(sent()).toEqual([]);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(snackbarText()).toContain('Another user has already removed the strategy.');
});

test('the removal of a strategy that another user changed meanwhile asks', async () => {
  await openPage([always, rollout('25')]);
  await choose('Actions for flexibleRollout', 'Remove');
  await changeElsewhere([always, rollout('75')]);
  await click(dialog().getByRole('button', { name: 'Remove' }));
  expect(sent()).toEqual([]);
  expect(screen.getAllByRole('radio').length).toBe(2);
});

test('a change of the list ends a drag, so that no other strategy is moved', async () => {
  HTMLElement.prototype.setPointerCapture = () => {};
  await openPage([always, rollout('25'), users('ada')]);
  const drag = async (whileDragging: () => Promise<void>) => {
    const handle = screen.getByTestId('handle 1');
    fireEvent.pointerDown(handle, { button: 0, clientY: 100 });
    fireEvent.pointerMove(handle, { clientY: 200 });
    await whileDragging();
    fireEvent.pointerUp(handle, { clientY: 200 });
    await settlePage();
  };
  await drag(() => changeElsewhere([users('eve'), always, rollout('25'), users('ada')]));
  expect(sent()).toEqual([]);
  await drag(async () => {});
  expect(sent()).toEqual([[always, rollout('25'), users('ada'), users('eve')]]);
});

const ruleNumber = (name: RegExp) => main().getByRole('button', { name });
const positions = () =>
  main()
    .getAllByRole('status')
    .map(({ textContent }) => textContent);

test('the arrow keys move a rule from its number, which keeps the focus, and its position is announced', async () => {
  await openPage([always, rollout('25'), users('ada')]);
  const number = ruleNumber(/^Rule 1 of 3, default: move with the arrow keys$/);
  number.focus();
  fireEvent.keyDown(number, { key: 'ArrowUp' });
  await settlePage();
  expect(sent()).toEqual([]);
  fireEvent.keyDown(number, { key: 'ArrowDown' });
  await settlePage();
  expect(sent()).toEqual([[rollout('25'), always, users('ada')]]);
  expect(document.activeElement).toBe(ruleNumber(/^Rule 2 of 3, default/));
  expect(positions()).toContain('default is rule 2 of 3.');
  fireEvent.keyDown(number, { key: 'ArrowDown' });
  await settlePage();
  expect(names()).toEqual(['flexibleRollout', 'userWithId', 'default']);
  fireEvent.keyDown(number, { key: 'ArrowDown' });
  fireEvent.keyDown(number, { key: 'Enter' });
  await settlePage();
  expect(sent()).toHaveLength(2);
  expect(document.activeElement).toBe(ruleNumber(/^Rule 3 of 3, default/));
  expect(positions()).toContain('default is rule 3 of 3.');
});

test('a rule can be moved again while its last move is saved', async () => {
  await openPage([always, rollout('25'), users('ada')]);
  const number = ruleNumber(/^Rule 1 of 3, default/);
  server().hold(PUT);
  fireEvent.keyDown(number, { key: 'ArrowDown' });
  const save = await server().take(PUT);
  await settlePage();
  fireEvent.keyDown(number, { key: 'ArrowDown' });
  server().release(PUT);
  store([rollout('25'), always, users('ada')]);
  save.respond();
  await settlePage();
  expect(sent()).toEqual([
    [rollout('25'), always, users('ada')],
    [rollout('25'), users('ada'), always],
  ]);
  expect(names()).toEqual(['flexibleRollout', 'userWithId', 'default']);
});

test('each press of an arrow key moves the rule by one position, also while an earlier move is saved', async () => {
  await openPage([always, rollout('25'), users('ada'), users('eve')]);
  const number = ruleNumber(/^Rule 1 of 4, default/);
  const press = async (key: string) => {
    fireEvent.keyDown(number, { key });
    await settlePage();
  };
  server().hold(PUT);
  await press('ArrowDown');
  const save = await server().take(PUT);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) await press(key);
  server().release(PUT);
  store([rollout('25'), always, users('ada'), users('eve')]);
  save.respond();
  await settlePage();
  // At the end of the list, a press changes nothing.
  expect(sent()).toEqual([
    [rollout('25'), always, users('ada'), users('eve')],
    [rollout('25'), users('ada'), always, users('eve')],
    [rollout('25'), users('ada'), users('eve'), always],
    [rollout('25'), users('ada'), always, users('eve')],
  ]);
});

test('a rule whose new position cannot be saved moves back, and its position is announced', async () => {
  await openPage([always, rollout('25')]);
  server().on(PUT, { status: 500 });
  fireEvent.keyDown(ruleNumber(/^Rule 1 of 2, default/), { key: 'ArrowDown' });
  await settlePage();
  expect(names()).toEqual(['default', 'flexibleRollout']);
  expect(positions()).toContain('default is rule 1 of 2.');
});

test('[S2-083] rules cannot be moved while one is unsaved', async () => {
  await openPage([always, rollout('25')]);
  await click(main().getByRole('button', { name: 'Edit flexibleRollout' }));
  fill(rolloutField(), '50');
  const number = ruleNumber(/^Rule 1 of 2, default/);
  expect(number.getAttribute('aria-description')).toContain('unsaved');
  fireEvent.keyDown(number, { key: 'ArrowDown' });
  await settlePage();
  expect(sent()).toEqual([]);
});

test('what is typed during a save stays, and is saved next', async () => {
  const save = await startSave();
  fill(rolloutField(), '60');
  save.respond();
  await settlePage();
  expect(rolloutField().value).toBe('60');
  expect(unsavedText()).toContain('rollout 50 → 60 %');
  server().release(PUT);
  await click(main().getByRole('button', { name: 'Save flexibleRollout' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent()).toEqual([
    [rollout('50'), always],
    [rollout('60'), always],
  ]);
  expect(unsaved()).toBeNull();
});

test('what is typed while the strategies are saved before leaving is asked about again', async () => {
  await openPage([rollout('25'), always]);
  await click(main().getByRole('button', { name: 'Edit flexibleRollout' }));
  fill(rolloutField(), '50');
  server().hold(PUT);
  await click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: /^Archive/ }));
  await click(dialog().getByRole('button', { name: 'Save all' }));
  const save = await server().take(PUT);
  fill(rolloutField(), '60');
  store([rollout('50'), always]);
  save.respond();
  await settlePage();
  expect(location.pathname).toBe('/features/strategies/shop.basket');
  expect(screen.getByRole('dialog', { name: 'Unsaved changes' })).toBeDefined();
  server().release(PUT);
  await click(dialog().getByRole('button', { name: 'Save all' }));
  expect(location.pathname).toBe('/archive');
  expect(sent()).toEqual([
    [rollout('50'), always],
    [rollout('60'), always],
  ]);
});

test('a save waits for the one that runs, so that it is no conflict with it', async () => {
  const save = await startSave();
  fill(rolloutField(), '60');
  // A poll shows what the first save stored, before its response.
  await changeElsewhere([rollout('50'), always]);
  expect(rolloutField().value).toBe('60');
  save.respond();
  await settlePage();
  expect(rolloutField().value).toBe('60');
  expect(unsavedText()).toContain('rollout 50 → 60 %');
});

test('the editor of a constraint closes after a save, unless it was opened during the save', async () => {
  const limited: Strategy = {
    ...rollout('25'),
    constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
  };
  await openPage([limited, always]);
  const word = () => strategyCard('flexibleRollout').getByRole('button', { name: /^region is/ });
  const editor = () => screen.queryByRole('group', { name: 'Constraint 1' });
  await click(word());
  fill(within(screen.getByRole('group', { name: 'Constraint 1' })).getByLabelText('Values'), 'us,');
  server().hold(PUT);
  await click(main().getByRole('button', { name: 'Save flexibleRollout' }));
  (await server().take(PUT)).respond();
  await settlePage();
  expect(editor()).toBeNull();
  fill(rolloutField(), '50');
  await click(main().getByRole('button', { name: 'Save flexibleRollout' }));
  const save = await server().take(PUT);
  await click(word());
  expect(editor()).not.toBeNull();
  save.respond();
  await settlePage();
  expect(editor()).not.toBeNull();
});

test('"Clear all" during a save leaves an unsaved change, because it does not stop the save', async () => {
  const save = await startSave();
  await click(screen.getByRole('button', { name: 'Clear all' }));
  expect(rolloutField().value).toBe('25');
  save.respond();
  await settlePage();
  expect(rolloutField().value).toBe('25');
  expect(unsavedText()).toContain('rollout 50 → 25 %');
});

test('a new strategy that is discarded during its save is stored, and its removal is an unsaved change', async () => {
  await openPage([always]);
  await addStrategy('userWithId');
  fill(strategyCard('userWithId').getByLabelText('userIds'), 'ada,');
  server().hold(PUT);
  await click(main().getByRole('button', { name: 'Save userWithId' }));
  const save = await server().take(PUT);
  await click(screen.getByRole('button', { name: 'Clear all' }));
  save.respond();
  await settlePage();
  expect(names()).toEqual(['default', 'userWithId, removed']);
  expect(unsaved()).not.toBeNull();
});

test('"Clear all" can be undone, which keeps what was edited since', async () => {
  await openPage([rollout('25'), users('ada')]);
  await click(main().getByRole('button', { name: 'Edit flexibleRollout' }));
  await click(main().getByRole('button', { name: 'Edit userWithId' }));
  fill(rolloutField(), '50');
  fill(strategyCard('userWithId').getByLabelText('userIds'), 'bob,');
  await click(screen.getByRole('button', { name: 'Clear all' }));
  expect(unsaved()).toBeNull();
  fill(rolloutField(), '30');
  await click(screen.getByRole('button', { name: 'Undo' }));
  expect(rolloutField().value).toBe('30');
  expect(unsavedText()).toContain('rollout 25 → 30 %');
  expect(unsavedText()).toContain('userWithId');
});

test('after a failed save, the edits stay unsaved', async () => {
  const save = await startSave();
  fill(rolloutField(), '60');
  save.respond({ status: 500, body: { message: 'Out of order' } });
  await settlePage();
  expect(rolloutField().value).toBe('60');
  expect(unsavedText()).toContain('rollout 25 → 60 %');
});
