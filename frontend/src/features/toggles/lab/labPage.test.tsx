// @vitest-environment happy-dom
// The panel of the activation tab that evaluates a toggle: one context, with reasons, and populations. The requests to the real
// server, the keyboard and the layout: e2e/toggle-lab.spec.ts.
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { ContextResult, Strategy, StrategyReason, ToggleResult } from '@/api/generated/types';
import { click, dialog, fill, main, strategyCard, textOf } from '@/testing/consolePage';
import { EVALUATE, refuseEvaluation, serveEvaluation } from '@/testing/evaluation';
import { installFakeServer } from '@/testing/fakeServer';
import { SETTINGS, serveOutage, serveUpstream } from '@/testing/flagService';
import { advance, cleanPageAfterEach, settlePage, withRealTimers } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { ONE_TOGGLE, toggle } from '@/testing/responses';

const server = installFakeServer();
cleanPageAfterEach();

const LIST = 'GET api/admin/features';
const PATH = 'api/admin/features/shop.basket';
const ACTIVATION = '/features/strategies/shop.basket';
const rollout = (percentage: string): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: percentage, stickiness: 'userId', groupId: 'shop.basket' },
});
const users: Strategy = { name: 'userWithId', parameters: { userIds: 'ada' } };
const variant = (name: string, weight: number, weightType: string) => ({
  name,
  weight,
  weightType,
  stickiness: 'userId',
});

beforeEach(() => {
  serveUpstream(server(), ONE_TOGGLE);
  serveEvaluation(server());
});

/** Opens the activation tab of a toggle with these strategies. */
async function openPage(
  strategies: readonly Strategy[],
  { hash = '', ...more }: { hash?: string; [key: string]: unknown } = {},
) {
  const stored = toggle('shop.basket', { strategies, ...more });
  server().on(LIST, { body: { version: 1, features: [stored] } });
  server().on(`GET ${PATH}`, { body: stored });
  server().on(`PUT ${PATH}`, ({ body }) => {
    server().on(LIST, { body: { version: 1, features: [body] } });
    server().on(`GET ${PATH}`, { body });
    return { status: 200 };
  });
  await renderConsole(`${ACTIVATION}${hash}`);
}

const panel = () => within(main().getByRole('region', { name: 'Who gets it, and why?' }));
const result = () => textOf(panel().getByRole('status', { name: 'Result of the context' }));
const side = (name: string) => textOf(panel().getByRole('region', { name }));
const summary = () => panel().getByText(/ of (this|these) /u).textContent;
const card = (name: string) => textOf(screen.getByRole('group', { name }));
const rolloutField = () => strategyCard('flexibleRollout').getByLabelText('Rollout');

async function enter(field: string, value: string) {
  fill(panel().getByLabelText(field), value);
  fireEvent.keyDown(panel().getByLabelText(field), { key: 'Enter' });
  await settlePage();
}

/** Opens the rollout for editing, and changes its percentage. */
async function editRollout(percentage: string) {
  await click(main().getByRole('button', { name: 'Edit flexibleRollout' }));
  fill(rolloutField(), percentage);
  await settlePage();
}

test('shows the results of the saved and of the unsaved strategies', async () => {
  await openPage([rollout('50'), users], { hash: '#userId=user-0' });
  expect(result()).toContain('Result: Off');
  await editRollout('100');
  expect(side('Saved')).toContain('No rule matches.');
  expect(side('Unsaved')).toContain('Rule 1 matches.');
  expect(card('flexibleRollout')).toMatch(
    /Saved: Off.*user-0 is at 90 of 100, above the rollout of 50.%.*Unsaved: On.*within the rollout of 100.%/u,
  );
  await click(screen.getByRole('button', { name: 'Save all' }));
  expect(result()).toContain('Result: On');
  expect(panel().queryByRole('region', { name: 'Saved' })).toBeNull();
});

/** Stores other strategies, as another user does, and holds their evaluation. */
async function changeElsewhere(strategies: readonly Strategy[]) {
  const stored = toggle('shop.basket', { strategies });
  server().hold(EVALUATE);
  server().on(LIST, { body: { version: 1, features: [stored] } });
  server().on(`GET ${PATH}`, { body: stored });
  await advance(5000);
}

const limited = (values: string[]) => ({
  ...rollout('10'),
  constraints: [{ contextName: 'region', operator: 'IN', values } as const],
});
const reasons = () => panel().getAllByRole('listitem').map(textOf);

test('reasons stay with their strategy while another one is removed, until the new result comes', async () => {
  await openPage([rollout('50'), limited(['eu'])], { hash: '#userId=user-0' });
  expect(reasons()).toHaveLength(2);
  await changeElsewhere([limited(['eu'])]);
  expect(card('flexibleRollout')).toContain('region is missing');
  expect(card('flexibleRollout')).not.toContain('rollout of 50');
  expect(reasons()).toEqual([expect.stringMatching(/^Strategy 1.*region is missing/u)]);
  await click(panel().getByRole('button', { name: /^Set/u }));
  expect(rolloutField()).toHaveProperty('value', '90');
});

test('a strategy that was not evaluated yet has no reason', async () => {
  await openPage([rollout('50'), users], { hash: '#userId=user-0' });
  await changeElsewhere([limited(['eu']), rollout('50'), users]);
  const [added, known] = screen.getAllByRole('group', { name: /^flexibleRollout/u }).map(textOf);
  expect(added).not.toContain('user-0 is at');
  expect(known).toContain('user-0 is at 90 of 100');
});

test('the reasons of strategies that cannot be edited belong to the version that was evaluated', async () => {
  server().on('GET api/admin/user', { body: { email: 'reader@example.com', permissions: [] } });
  await openPage([rollout('50'), users], { hash: '#userId=user-0' });
  const article = (name: string) => textOf(main().getByRole('article', { name }));
  expect(article('flexibleRollout')).toContain('user-0 is at 90');
  await changeElsewhere([rollout('95'), users]);
  expect(article('flexibleRollout')).not.toContain('user-0 is at 90');
  expect(article('userWithId')).toContain('user-0 is not listed');
});

test('names letters that client libraries hash in different ways', async () => {
  await openPage([rollout('50')], { hash: '#userId=user-0' });
  expect(result()).not.toContain('ASCII');
  await enter('userId', 'jürgen');
  expect(result()).toContain('hashes letters outside ASCII differently: jürgen');
});

test('evaluates nothing until it is used, and clearing it removes the reasons and the context', async () => {
  await openPage([rollout('50')]);
  expect(server().count(EVALUATE)).toBe(0);
  // Enter evaluates also without a value.
  await enter('userId', '');
  expect(result()).toContain('No rule matches.');
  await enter('userId', 'user-0');
  expect(card('flexibleRollout')).toContain('of 100');
  expect(server().count(EVALUATE)).toBe(2);
  await click(panel().getByRole('button', { name: 'Clear' }));
  expect(card('flexibleRollout')).not.toContain('of 100');
  expect(panel().getByLabelText<HTMLInputElement>('userId').value).toBe('');
  expect(panel().getByRole('status', { name: 'Result of the context' }).childElementCount).toBe(0);
  expect(location.hash).toBe('');
});

test('shows the variant and the share of each', async () => {
  const variants = [variant('blue', 1000, 'variable'), variant('red', 0, 'fix')];
  await openPage([users], { hash: '#userId=ada', variants });
  expect(result()).toContain('Variant blue');
  expect(result()).toMatch(/Shares: blue 100.%, red 0.%/u);
});

test.each([
  ['gradualRolloutRandom', { percentage: '25' }, /On for 25.%/u, 'selects 25 % at random'],
  ['applicationHostname', { hostNames: 'a' }, /App decides/u, 'only the application can evaluate'],
])('says who decides for %s', async (name, parameters, expected, reason) => {
  await openPage([{ name, parameters }], { hash: '#userId=ada' });
  expect(result()).toMatch(expected);
  expect(card(name).replaceAll(/\s/gu, ' ')).toContain(reason);
});

test('evaluates a toggle that is off as if it were on, keeps the context on other tabs, and shows a limit', async () => {
  await openPage([users], { hash: '#userId=ada', enabled: false });
  expect(result()).toContain('The toggle is switched off.');
  await click(main().getByRole('link', { name: 'Metrics' }));
  expect(screen.queryByRole('status', { name: 'Result of the context' })).toBeNull();
  await click(main().getByRole('link', { name: 'Activation' }));
  expect(result()).toContain('The toggle is switched off.');
  await click(panel().getByRole('checkbox', { name: 'As if the toggle were on' }));
  expect(result()).toContain('Rule 1 matches.');
  await enter('userId', 'a'.repeat(1001));
  expect(panel().getByRole('alert').textContent).toBe(
    'The request has 1001 bytes in a context value; the maximum is 1000: shorten the value',
  );
  await enter('userId', 'ada');
  expect(result()).toContain('Rule 1 matches.');
});

test('is not offered for archived toggles', async () => {
  const archived = toggle('shop.basket', { strategies: [users] });
  server().on(LIST, { body: { version: 1, features: [] } });
  server().on(`GET ${PATH}`, { status: 404 });
  server().on('GET api/admin/archive/features', { body: { features: [archived] } });
  await renderConsole('/archive/strategies/shop.basket#userId=ada');
  expect(main().getByRole('article', { name: 'userWithId' })).toBeDefined();
  expect(screen.queryByRole('region', { name: 'Who gets it, and why?' })).toBeNull();
  expect(screen.getByRole('main').textContent).not.toContain('ada is listed');
  expect(server().count(EVALUATE)).toBe(0);
});

test.each([
  ['in a read-only console', { settings: { readOnly: true } }],
  ['for users without permissions', { user: { email: 'reader@example.com', permissions: [] } }],
])('works %s', async (_, { settings, user }: { settings?: object; user?: object }) => {
  if (settings) server().on('GET -/settings', { body: { ...SETTINGS, mode: 'upstream', ...settings } });
  if (user) server().on('GET api/admin/user', { body: user });
  await openPage([rollout('50'), users], { hash: '#userId=ada' });
  expect(result()).toContain('Rule 1 matches.');
  expect(textOf(main().getByRole('article', { name: 'flexibleRollout' }))).toContain('ada is at 7 of 100');
  await evaluatePopulation('ada\nuser-0', population(1, 1));
  expect(summary()).toBe('On for 1 of these 2.');
});

test('evaluates the loaded strategies while the flag service is unreachable', async () => {
  await openPage([users]);
  serveOutage(server());
  await advance(60_000);
  expect(screen.getByText(/cannot be reached/u)).toBeDefined();
  await enter('userId', 'ada');
  expect(result()).toContain('Rule 1 matches.');
  expect(screen.getByRole('main').textContent).toContain('ada is listed');
});

// Populations.

const counts = (on: number, off: number) => ({ on, off, application: 0, random: 0 });
const population = (on: number, off: number): ToggleResult => ({
  name: 'shop.basket',
  saved: { counts: counts(on, off), variants: [] },
});

async function openDialog() {
  const compare = panel().queryByRole('button', { name: 'Compare users' });
  if (compare) await click(compare);
  // The code of the section.
  await withRealTimers(() => screen.findByRole('button', { name: /^(Add|Replace) users$/u }));
  await click(panel().getByRole('button', { name: /^(Add|Replace) users$/u }));
}

/** Waits until the contexts are read, and the evaluation of the population has been sent. */
async function settlePopulation() {
  await settlePage();
  await advance(300);
  await settlePage();
}

/** Enters the contexts, and lets the server respond with the counts. */
async function evaluatePopulation(text: string, response: ToggleResult) {
  server().on(EVALUATE, { body: { toggles: [response] } });
  await openDialog();
  fill(dialog().getByLabelText('Contexts'), text);
  await click(dialog().getByRole('button', { name: 'Evaluate' }));
  await settlePopulation();
}

/** The body of the last evaluation. */
async function lastEvaluation(): Promise<unknown> {
  const body = server().bodies(EVALUATE).at(-1);
  return JSON.parse(await (body as Blob).text());
}

test('a population is read from a CSV file with several fields, and stays for the next toggle', async () => {
  server().on(EVALUATE, { body: { toggles: [population(1, 1)] } });
  const other = toggle('shop.other', { strategies: [users] });
  server().on(LIST, {
    body: { version: 1, features: [toggle('shop.basket', { strategies: [rollout('50')] }), other] },
  });
  server().on('GET api/admin/features/shop.other', { body: other });
  await renderConsole(ACTIVATION);
  await openDialog();
  const file = new File(['\uFEFFuserId;plan\nada;"a;b"\n;\n'], 'members.csv', { type: 'text/csv' });
  fireEvent.change(dialog().getByLabelText('Or choose a file'), { target: { files: [file] } });
  await withRealTimers(() => screen.findByText(/: userId, plan/u));
  await settlePopulation();
  expect(panel().getByText(/: userId, plan/u).textContent).toBe('2 contexts: userId, plan');
  expect(await lastEvaluation()).toMatchObject({ contexts: [{ userId: 'ada', plan: 'a;b' }, {}], detail: 'reasons' });
  await click(
    within(main().getByRole('navigation', { name: 'Breadcrumb' })).getByRole('link', { name: 'Feature toggles' }),
  );
  server().on(EVALUATE, { body: { toggles: [{ ...population(1, 1), name: 'shop.other' }] } });
  await click(screen.getByRole('link', { name: 'shop.other' }));
  await settlePopulation();
  expect(await lastEvaluation()).toMatchObject({
    names: ['shop.other'],
    contexts: [{ userId: 'ada', plan: 'a;b' }, {}],
  });
  expect(summary()).toBe('On for 1 of these 2.');
  await click(panel().getByRole('button', { name: 'Remove' }));
  expect(panel().queryByText(/ of these /u)).toBeNull();
  expect(panel().getByRole('button', { name: 'Add users' })).toBeDefined();
});

test('a population that is too much work is refused with the message of the server', async () => {
  const message = 'The evaluation took too long; send fewer contexts';
  await openPage([rollout('50')]);
  server().on(EVALUATE, refuseEvaluation(message));
  await openDialog();
  fill(dialog().getByLabelText('Contexts'), 'ada');
  await click(dialog().getByRole('button', { name: 'Evaluate' }));
  await settlePopulation();
  expect(panel().getByRole('alert').textContent).toBe(message);
  server().on(EVALUATE, { body: { toggles: [population(1, 0)] } });
  await click(panel().getByRole('button', { name: 'Retry' }));
  expect(summary()).toBe('On for 1 of this 1.');
});

test('a population counts variants before and after the edits', async () => {
  const blue = (count: number) => [{ name: 'blue', count }];
  await openPage([rollout('50')], { variants: [variant('blue', 1000, 'variable')] });
  await editRollout('100');
  // The server's response for user-0 to user-99.
  await evaluatePopulation(Array.from({ length: 100 }, (_, index) => `user-${index}`).join('\n'), {
    name: 'shop.basket',
    saved: { counts: counts(44, 56), variants: blue(44) },
    edited: { counts: counts(100, 0), variants: blue(100) },
    change: {
      turnedOn: Array.from({ length: 56 }, (_, index) => index),
      turnedOff: [],
      lessCertain: [],
      otherVariant: [],
    },
  });
  expect(summary()).toBe('This edit turns it on for 56 and off for 0 of these 100.');
  const row = within(screen.getByRole('rowheader', { name: 'Variant blue' }).closest('tr') ?? document.body);
  expect(row.getAllByRole('cell').map((cell) => textOf(cell))).toEqual(['44 44 %', '100 100 %', 'Show']);
  expect(await lastEvaluation()).toMatchObject({ detail: 'counts' });
  expect(await lastEvaluation()).toMatchObject({ compare: [{ strategies: [rollout('100')] }] });
});

/** Reasons of a rollout at this percentage for users at these positions. */
function resultsOf(percentage: number, positions: Record<string, number>) {
  const contexts = Object.entries(positions).map(([value, bucket]): ContextResult => {
    const result = bucket <= percentage ? 'on' : 'off';
    const rule = { code: 'bucket', field: 'userId', value, group: 'shop.basket', bucket, percentage } as const;
    const strategy: StrategyReason = {
      name: 'flexibleRollout',
      result,
      disabled: false,
      rule,
      constraints: [],
      segments: [],
    };
    const decision = result === 'on' ? 'strategyMatches' : 'noStrategyMatches';
    return {
      result,
      ...(result === 'on' && { variant: 'blue' }),
      reasons: { decision, parents: [], strategies: [strategy], ...(result === 'on' && { strategy: 0 }) },
    };
  });
  const on = contexts.filter(({ result }) => result === 'on').length;
  return { counts: counts(on, contexts.length - on), variants: [], contexts };
}

const USERS = { 7: 74, 4711: 12 };
const userRows = () =>
  within(panel().getByRole('list', { name: 'Results of the users' }))
    .getAllByRole('listitem')
    .map((item) => textOf(item));

test('up to 20 users are rows with the result, the variant and the reason, before and after unsaved edits', async () => {
  await openPage([rollout('50')]);
  await evaluatePopulation('7\n4711', { name: 'shop.basket', saved: resultsOf(50, USERS) });
  expect(summary()).toBe('On for 1 of these 2.');
  expect(userRows()).toEqual([
    '7OffRule 1 does not match: 7 is at 74 of 100, above the rollout of 50 %.',
    '4711Onblue · Rule 1 matches: 4711 is at 12 of 100, within the rollout of 50 %.',
  ]);
  const change = { turnedOn: [0], turnedOff: [], lessCertain: [], otherVariant: [] };
  const response = { name: 'shop.basket', saved: resultsOf(50, USERS), edited: resultsOf(80, USERS), change };
  server().on(EVALUATE, { body: { toggles: [response] } });
  await editRollout('80');
  await settlePopulation();
  expect(userRows()[0]).toBe(
    '7Off→ after saving Onblue · Rule 1 matches: 7 is at 74 of 100, within the rollout of 80 %.',
  );
  expect(await lastEvaluation()).toMatchObject({ detail: 'reasons', contexts: [{ userId: '7' }, { userId: '4711' }] });
});

test('the response to an earlier question is dropped when other users are compared', async () => {
  await openPage([rollout('50')]);
  server().hold(EVALUATE);
  await openDialog();
  fill(dialog().getByLabelText('Contexts'), '7');
  await click(dialog().getByRole('button', { name: 'Evaluate' }));
  await settlePopulation();
  const late = await server().take(EVALUATE);
  server().release(EVALUATE);
  await evaluatePopulation('4711', { name: 'shop.basket', saved: resultsOf(50, { 4711: 12 }) });
  late.respond({ body: { toggles: [{ name: 'shop.basket', saved: resultsOf(50, { 7: 74 }) }] } });
  await settlePage();
  expect(userRows()).toHaveLength(1);
  expect(userRows()[0]).toMatch(/^4711On/u);
});

test('more than 20 users are counted, and those with a result are listed on request', async () => {
  await openPage([rollout('50')]);
  const users = Array.from({ length: 21 }, (_, index) => `user-${index}`);
  await evaluatePopulation(users.join('\n'), population(2, 19));
  expect(panel().queryByRole('list', { name: 'Results of the users' })).toBeNull();
  const contexts = users.map((_, index): ContextResult => ({ result: index < 2 ? 'on' : 'off' }));
  server().on(EVALUATE, {
    body: { toggles: [{ ...population(2, 19), saved: { ...population(2, 19).saved, contexts } }] },
  });
  await click(panel().getByRole('button', { name: 'Show On' }));
  await settlePage();
  expect(await lastEvaluation()).toMatchObject({ detail: 'results' });
  expect(
    within(dialog().getByRole('region', { name: 'On' }))
      .getAllByRole('listitem')
      .map(textOf),
  ).toEqual(['user-0', 'user-1']);
});
