// @vitest-environment happy-dom
// The page that evaluates all toggles for one context. The results of the server, the keyboard and phones: e2e/evaluation.spec.ts.
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Toggle } from '@/api/generated/types';
import { choose, click, fill, main, row, rowNames, textOf } from '@/testing/consolePage';
import { EVALUATE, refuseEvaluation, serveEvaluation } from '@/testing/evaluation';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, SETTINGS, serveConsole, serveUpstream } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { application, toggle } from '@/testing/responses';

const server = installFakeServer();
cleanPageAfterEach();

const FOR_ADA = createToggle({
  name: 'shop.ada',
  strategies: [{ name: 'userWithId', parameters: { userIds: 'ada,grace' } }],
});
const FOR_ALL = createToggle({ name: 'shop.all', description: 'A larger basket' });
const SWITCHED_OFF = createToggle({ name: 'shop.off', enabled: false });

/** Declares the responses of an embedded service with these toggles, which evaluates them itself. */
function serveToggles(...toggles: Toggle[]) {
  serveConsole(server(), toggles);
  serveEvaluation(server(), { stored: toggles });
}

const cells = (name: string) => textOf(row(name));
const field = (name: string) => main().getByLabelText<HTMLInputElement>(name);
const summary = () => main().getByText(/ on · /u).textContent;
const address = () => location.pathname + location.search + location.hash;

async function enter(name: string, value: string) {
  fill(field(name), value);
  fireEvent.keyDown(field(name), { key: 'Enter' });
  await settlePage();
}

async function select(name: string, option: string) {
  const list = main().getByRole<HTMLSelectElement>('combobox', { name });
  const { value } = within(list).getByRole<HTMLOptionElement>('option', { name: option });
  fireEvent.change(list, { target: { value } });
  await settlePage();
}

test('sends the context in no URL', async () => {
  serveToggles(FOR_ADA);
  await renderConsole('/evaluation?result=on#userId=grace');
  expect(cells('shop.ada')).toContain('grace is listed');
  await click(main().getByRole('link', { name: 'shop.ada' }));
  expect(address()).toBe('/features/strategies/shop.ada#userId=grace');
  expect(server().count(EVALUATE)).toBeGreaterThan(1);
  expect(server().requests.filter(({ line }) => line.includes('grace'))).toEqual([]);
});

test('filters by result, text and tag, and keeps the filters in the URL', async () => {
  serveToggles(FOR_ADA, FOR_ALL, SWITCHED_OFF);
  const tags = [{ type: 'simple', value: 'winter' }];
  server().on('GET api/admin/tags', { body: { version: 1, tags } });
  server().on('GET api/admin/features?tag=simple%3Awinter', { body: { version: 1, features: [SWITCHED_OFF] } });
  await renderConsole('/evaluation?result=on#userId=ada');
  expect(rowNames()).toEqual(['shop.ada', 'shop.all']);
  expect(screen.getByText('2 of 3 shown')).toBeDefined();
  const search = main().getByRole('searchbox');
  fill(search, 'basket');
  fireEvent.keyDown(search, { key: 'Enter' });
  await settlePage();
  expect(rowNames()).toEqual(['shop.all']);
  expect(address()).toBe('/evaluation?result=on&filter=basket#userId=ada');
  await enter('userId', 'bob');
  expect(address()).toBe('/evaluation?result=on&filter=basket#userId=bob');
  await select('Tag', 'simple: winter');
  expect(screen.getByRole('heading', { name: 'No toggle matches these filters' })).toBeDefined();
  await click(main().getByRole('button', { name: 'Clear filters' }));
  expect(rowNames()).toEqual(['shop.ada', 'shop.all', 'shop.off']);
  await select('Tag', 'simple: winter');
  expect(rowNames()).toEqual(['shop.off']);
});

test('evaluates the context fields of the server, with their legal values as suggestions', async () => {
  const constraints = [{ contextName: 'region', operator: 'IN', values: ['eu'] }];
  serveToggles(createToggle({ name: 'shop.eu', strategies: [{ name: 'default', parameters: {}, constraints }] }));
  server().on('GET api/admin/context', {
    body: [{ name: 'region', description: '', legalValues: ['eu', 'us'], sortOrder: 9 }],
  });
  await renderConsole('/evaluation');
  expect(cells('shop.eu')).toContain('Rule 1 does not match: region is missing.');
  const suggestions = field('region').list?.options ?? document.querySelectorAll('datalist option');
  expect([...suggestions].map((option) => option.getAttribute('value'))).toEqual(['eu', 'us']);
  await enter('region', 'eu');
  expect(cells('shop.eu')).toContain('Rule 1 matches: region is eu.');
  await enter('region', '');
  expect(cells('shop.eu')).toContain('region is missing');
  expect(address()).toBe('/evaluation');
});

test('says which results only the application or chance decides', async () => {
  serveToggles(
    createToggle({ name: 'shop.custom', strategies: [{ name: 'byMoon', parameters: {} }] }),
    createToggle({
      name: 'shop.random',
      strategies: [{ name: 'gradualRolloutRandom', parameters: { percentage: '25' } }],
    }),
  );
  await renderConsole('/evaluation');
  expect(cells('shop.custom')).toContain(
    'App decidesOnly the application can evaluate rule 1: users selected by byMoon.',
  );
  expect(cells('shop.random')).toMatch(/On for 25.%Rule 1 selects at random: 25.% of requests, at random\./u);
  expect(summary()).toBe('0 on · 0 off · 1 app decides · 1 on for some requests');
});

describe('variants', () => {
  const COLOURS = createToggle({
    name: 'shop.colours',
    variants: ['blue', 'green', 'red', 'white'].map((name) => ({ name, weight: 250, weightType: 'variable' })),
  });

  /** Serves an application with this client library, and recorded variants of user-0. */
  function serveColours(sdkVersion: string) {
    serveConsole(server(), [COLOURS]);
    serveEvaluation(server(), {
      stored: [COLOURS],
      selectVariant: ({ variantSeed }, { name: group }) => {
        const [variant, bucket] = variantSeed === 0 ? ['white', 751] : ['red', 686];
        const selection = { code: 'bucket', field: 'userId', value: 'user-0', group, bucket, buckets: 1000 } as const;
        return { variant, reason: { ofStrategy: false, certain: true, selection } };
      },
    });
    const inventory = application('inventory', { instances: [{ instanceId: 'a', sdkVersion }] });
    server().on('GET api/admin/metrics/applications', { body: { applications: [inventory] } });
    server().on('GET api/admin/metrics/applications/inventory', { body: inventory });
  }

  test('of old client libraries are shown beside the current ones, with a warning', async () => {
    serveColours('unleash-client-node:4.2.1');
    await renderConsole('/evaluation#userId=user-0');
    expect(cells('shop.colours')).toContain('redwhite in old libraries');
    expect(main().getByRole('note').textContent).toContain('inventory (unleash-client-node:4.2.1)');
  });

  test('cause no warning if all client libraries are current', async () => {
    serveColours('unleash-client-node:5.0.0');
    await renderConsole('/evaluation#userId=user-0');
    expect(server().count('GET api/admin/metrics/applications/inventory')).toBe(1);
    expect(within(row('shop.colours')).getAllByRole('cell')[1]?.textContent).toBe('Variant red');
    expect(main().queryByRole('note')).toBeNull();
    expect(server().bodies(EVALUATE)).toHaveLength(1);
  });
});

test('copies the shown results', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  serveToggles(FOR_ADA, FOR_ALL);
  await renderConsole('/evaluation?filter=ada#userId=ada');
  expect(rowNames()).toEqual(['shop.ada']);
  await choose('Actions for the results', 'Copy as JSON');
  await vi.dynamicImportSettled();
  expect(JSON.parse(copied.mock.calls[0]?.[0] ?? '')).toMatchObject([{ name: 'shop.ada', result: 'on' }]);
});

test('names the toggle that is above a limit alone, and evaluates the others', async () => {
  const message = 'The request has 1001 regular expressions; the maximum is 1000: send fewer toggles at once';
  const features = [toggle('shop.many'), toggle('shop.too-many')];
  serveUpstream(server(), { 'GET api/admin/features': { body: { version: 1, features } } });
  const evaluated = {
    counts: { on: 1, off: 0, application: 0, random: 0 },
    variants: [],
    contexts: [{ result: 'on' }],
  };
  server().on(EVALUATE, ({ body }) => {
    const { names } = body as { names: string[] };
    if (names.includes('shop.too-many')) return refuseEvaluation(message);
    return { body: { toggles: names.map((name) => ({ name, saved: evaluated })) } };
  });
  await renderConsole('/evaluation#userId=ada');
  expect(summary()).toBe('1 on · 0 off');
  expect(cells('shop.many')).toContain('On');
  expect(cells('shop.too-many')).toContain(`Not evaluated. ${message}`);
});

test('evaluates in a read-only console, for a user without permissions', async () => {
  serveUpstream(server(), {
    'GET -/settings': { body: { ...SETTINGS, mode: 'upstream', readOnly: true } },
    'GET api/admin/user': { body: { email: 'reader@example.com', permissions: [] } },
    'GET api/admin/features': { body: { version: 1, features: [FOR_ADA] } },
  });
  serveEvaluation(server());
  await renderConsole('/evaluation#userId=ada');
  expect(cells('shop.ada')).toContain('OnRule 1 matches: ada is listed.');
  await enter('userId', 'bob');
  expect(cells('shop.ada')).toContain('OffRule 1 does not match: bob is not listed.');
});

describe('a comparison of two contexts', () => {
  const FOR_GRACE = createToggle({
    name: 'shop.grace',
    strategies: [{ name: 'userWithId', parameters: { userIds: 'grace' } }],
  });
  const compared = () => within(main().getByRole('region', { name: 'Compare with' }));
  const headers = () =>
    main()
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent);

  async function compare(value: string) {
    fill(compared().getByLabelText('userId'), value);
    fireEvent.keyDown(compared().getByLabelText('userId'), { key: 'Enter' });
    await settlePage();
  }

  test('lists the toggles that differ first, with both results and reasons, and is in the URL', async () => {
    serveToggles(FOR_ALL, FOR_ADA, FOR_GRACE);
    await renderConsole('/evaluation#userId=ada');
    expect(rowNames()).toEqual(['shop.ada', 'shop.all', 'shop.grace']);
    await click(main().getByRole('button', { name: 'Compare with…' }));
    expect(document.activeElement).toBe(compared().getByLabelText('userId'));
    expect(main().getByText('0 toggles differ')).toBeDefined();
    await compare('bob');
    expect(address()).toBe('/evaluation#userId=ada&&userId=bob');
    expect(headers()).toEqual(['Toggle', 'ada', 'bob', 'Reason']);
    expect(rowNames()).toEqual(['shop.ada', 'shop.all', 'shop.grace']);
    expect(cells('shop.ada')).toContain(
      'adaOnbobOffada: Rule 1 matches: ada is listed.bob: Rule 1 does not match: bob is not listed.',
    );
    const first = main().getAllByLabelText('userId')[0] as HTMLElement;
    fill(first, 'eve');
    fireEvent.keyDown(first, { key: 'Enter' });
    await settlePage();
    expect(rowNames()).toEqual(['shop.ada', 'shop.all', 'shop.grace']);
    await compare('grace');
    expect(rowNames()).toEqual(['shop.ada', 'shop.grace', 'shop.all']);
    expect(main().getByText('2 toggles differ')).toBeDefined();
    await click(compared().getByRole('button', { name: 'Stop comparing' }));
    expect(address()).toBe('/evaluation#userId=eve');
    expect(headers()).toEqual(['Toggle', 'Result', 'Reason']);
    expect(document.activeElement).toBe(main().getByRole('button', { name: 'Compare with…' }));
  });

  test('keeps the results under the contexts that were asked, and drops the response to an earlier question', async () => {
    serveToggles(FOR_ADA);
    await renderConsole('/evaluation#userId=ada&&userId=bob');
    expect(cells('shop.ada')).toContain('adaOnbobOff');
    server().hold(EVALUATE);
    await compare('eve');
    const late = await server().take(EVALUATE);
    expect(headers()).toEqual(['Toggle', 'ada', 'bob', 'Reason']);
    server().release(EVALUATE);
    await compare('grace');
    expect(headers()).toEqual(['Toggle', 'ada', 'grace', 'Reason']);
    expect(cells('shop.ada')).toContain('adaOngraceOn');
    late.respond({ body: { toggles: [] } });
    await settlePage();
    expect(headers()).toEqual(['Toggle', 'ada', 'grace', 'Reason']);
    expect(cells('shop.ada')).toContain('adaOngraceOn');
  });
});
