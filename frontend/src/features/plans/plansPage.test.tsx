// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { EMBEDDED_CAPABILITIES } from '@/api/generated/capabilities';
import type { ChangeStatus, PlanReview, ReviewedChange, Settings } from '@/api/generated/types';
import { accessibleDescription, click, dialog, fill, isDisabled, main, snackbarText } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createDefinition, createToggle, SETTINGS, serveConsole } from '@/testing/flagService';
import { changeSessionInOtherTab, cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { describeProgress } from './describePlan';

const server = installFakeServer();
cleanPageAfterEach();
afterEach(() => vi.restoreAllMocks());

const NAMES = ['a1', 'b1', 'c1'] as const;
const PUT = (name: string) => `PUT api/admin/features/${name}`;
const DELETE = (name: string) => `DELETE api/admin/features/${name}`;
const REVIEW = 'POST -/plans';

function change(name: string, status: ChangeStatus): ReviewedChange {
  const before = createToggle({ name });
  const after = { ...before, description: 'new' };
  const effect = 'neither' as const;
  const tags = { tags: null, managedBy: null, hasOnlyTags: false };
  return { name, status, outdatedEffect: null, action: 'change', effect, before, after, body: after, ...tags };
}

/** A response of the server without changes. */
const EMPTY_REVIEW: PlanReview = {
  missing: [],
  missingTags: [],
  missingManaged: [],
  missingItems: [],
  problems: [],
  warnings: [],
  isStored: false,
  plan: null,
  target: 'prod',
  changes: [],
};

const EVENT = {
  id: 1,
  type: 'feature-updated',
  createdBy: 'grace',
  createdAt: '2026-01-05T08:00:00Z',
  data: {},
  diffs: [],
};

interface Edits {
  [name: string]: Partial<ReviewedChange>;
}

interface Options {
  settings?: Partial<Settings>;
  permissions?: readonly string[];
  /** Replaces parts of changes, by the name of the toggle. */
  edits?: Edits;
  /** Replaces parts of reviews. */
  review?: Partial<PlanReview>;
}

/** Serves toggles, and reviews with these statuses. A successful save changes its status. */
async function openReview(
  statuses: { [name: string]: ChangeStatus } = {},
  { settings = {}, permissions = ['ADMIN'], edits = {}, review = {} }: Options = {},
) {
  serveConsole(
    server(),
    NAMES.map((name) => createToggle({ name })),
  );
  server().on('GET -/settings', { body: { ...SETTINGS, ...settings } });
  server().on('GET api/admin/user', { body: { username: 'operator', permissions } });
  const current = new Map<string, ChangeStatus>(NAMES.map((name) => [name, statuses[name] ?? 'ready']));
  server().on(REVIEW, (request) => {
    const { toggles } = request.body as { toggles: readonly { name: string }[] };
    const missing = NAMES.filter((name) => !toggles.some((toggle) => toggle.name === name));
    const body: PlanReview = {
      ...EMPTY_REVIEW,
      missing,
      isStored: true,
      plan: { changes: [] },
      ...review,
      changes:
        missing.length > 0
          ? []
          : NAMES.map((name) => ({ ...change(name, current.get(name) ?? 'ready'), ...edits[name] })),
    };
    return { body };
  });
  for (const name of NAMES) {
    server().on(`GET api/admin/events/${name}`, { body: { toggleName: name, events: [EVENT] } });
    server().on(PUT(name), () => {
      current.set(name, 'applied');
      return { body: { ...createToggle({ name }), description: 'new' } };
    });
    server().on(DELETE(name), () => {
      current.set(name, 'applied');
      return { status: 200 };
    });
  }
  await renderConsole('/plans');
  fill(screen.getByLabelText('Or paste the text'), 'version: 1');
  await click(screen.getByRole('button', { name: 'Review' }));
  return current;
}

const applyButton = () => main().getByRole('button', { name: /^Apply/ });
const item = (name: string) => main().getByRole('listitem', { name });
const saves = () => server().requests.flatMap(({ line }) => (line.startsWith('GET') || line === REVIEW ? [] : [line]));

test('sends each change once, in order, and compares what is stored', async () => {
  await openReview();
  server().hold(PUT('a1'));
  await click(applyButton());
  expect(saves()).toEqual([PUT('a1')]);
  expect(within(item('a1')).getByText('Applying…')).toBeTruthy();
  expect(isDisabled(applyButton())).toBe(true);
  (await server().take(PUT('a1'))).respond();
  await settlePage();
  expect(saves()).toEqual(NAMES.map(PUT));
  expect(main().getByText('3 of 3 changes applied.')).toBeTruthy();
  expect(accessibleDescription(applyButton())).toBe('There is nothing left to apply.');
});

test.each([true, false])(
  'reads single toggles before the first save, and for a comparison only if the list is incomplete; complete: %s',
  async (isComplete) => {
    const capabilities = { ...EMBEDDED_CAPABILITIES, listsOrderedStrategies: isComplete };
    const reads = () => server().requests.filter(({ line }) => line === 'GET api/admin/features/a1').length;
    await openReview({}, { settings: { capabilities } });
    expect(reads()).toBe(isComplete ? 0 : 1);
    server().hold(PUT('a1'));
    await click(applyButton());
    expect(reads()).toBe(isComplete ? 1 : 2);
    (await server().take(PUT('a1'))).respond();
    await settlePage();
    expect(main().getByText('3 of 3 changes applied.')).toBeTruthy();
    expect(reads()).toBe(isComplete ? 1 : 3);
  },
);

test('a review before the page has the settings reads only lists that the server has', async () => {
  serveConsole(server(), []);
  const capabilities = { ...EMBEDDED_CAPABILITIES, managesSegments: false };
  server().on('GET -/settings', { body: { ...SETTINGS, capabilities } });
  server().on('GET api/admin/segments', { status: 404 });
  server().on(REVIEW, { body: EMPTY_REVIEW });
  server().hold('GET -/settings');
  await renderConsole('/plans');
  fill(screen.getByLabelText('Or paste the text'), 'version: 1');
  await click(screen.getByRole('button', { name: 'Review' }));
  server().respondToAll('GET -/settings');
  await settlePage();
  expect(main().getByRole('heading', { name: 'Nothing to do' })).toBeTruthy();
  expect(server().requests.map(({ line }) => line)).not.toContain('GET api/admin/segments');
});

const isCloseGuarded = () => {
  const unload = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(unload);
  return unload.defaultPrevented;
};

test('says that it compares before the first save, and the browser asks before the tab is closed', async () => {
  await openReview();
  expect(isCloseGuarded()).toBe(false);
  server().hold('GET api/admin/features/a1');
  await click(applyButton());
  expect(main().getByText('Comparing with the toggles…')).toBeTruthy();
  expect(isCloseGuarded()).toBe(true);
  (await server().take('GET api/admin/features/a1')).respond();
  await settlePage();
  expect(main().queryByText('Comparing with the toggles…')).toBeNull();
  expect(main().getByText('3 of 3 changes applied.')).toBeTruthy();
  expect(isCloseGuarded()).toBe(false);
});

test('stops at a failure, says what was written, and applies the rest later', async () => {
  const current = await openReview();
  server().on(PUT('b1'), { status: 400, body: { message: 'Too long' } });
  await click(applyButton());
  expect(saves()).toEqual([PUT('a1'), PUT('b1')]);
  expect(item('b1').textContent).toContain('Too long');
  expect(main().getByText('1 of 3 changes applied, 1 failed, 1 left.')).toBeTruthy();
  expect(main().getByText('b1 could not be changed. The changes after it were not tried.')).toBeTruthy();
  server().on(PUT('b1'), () => {
    current.set('b1', 'applied');
    return { body: createToggle({ name: 'b1' }) };
  });
  await click(main().getByRole('button', { name: 'Apply 2 changes' }));
  expect(saves().slice(2)).toEqual([PUT('b1'), PUT('c1')]);
  expect(main().getByText('3 of 3 changes applied.')).toBeTruthy();
});

test('a save that the server stores in another way is a failure', async () => {
  await openReview();
  server().on(PUT('b1'), { body: createToggle({ name: 'b1' }) });
  await click(applyButton());
  expect(item('b1').textContent).toContain('Saved, but the server does not store it as planned.');
});

test.each([
  [false, ['a1', 'b1'], '1 of 3 changes applied, 1 failed, 1 left.'],
  [true, ['b1', 'c1'], '1 of 3 changes applied, 1 failed, 1 outdated.'],
] as const)(
  'a toggle that changes before its save is not overwritten; apply the others: %s',
  async (isPartial, names, progress) => {
    await openReview(isPartial ? { a1: 'outdated' } : {});
    server().on(PUT('b1'), { status: 412, body: { message: 'changed' } });
    if (isPartial) await click(screen.getByLabelText('Apply only the other 2 changes'));
    await click(applyButton());
    expect(saves()).toEqual(names.map(PUT));
    expect(item('b1').textContent).toContain('It changed while the plan was applied.');
    expect(main().getByText(progress)).toBeTruthy();
  },
);

test('outdated toggles are refused by author, and the others are applied only if the user says so', async () => {
  await openReview({ b1: 'outdated' });
  expect(item('b1').textContent).toContain('It has changed since the plan was made, last by grace, ');
  expect(isDisabled(applyButton())).toBe(true);
  expect(accessibleDescription(applyButton())).toMatch(/^Toggles have changed since the plan was made/u);
  await click(screen.getByLabelText('Apply only the other 2 changes'));
  await click(applyButton());
  expect(saves()).toEqual([PUT('a1'), PUT('c1')]);
  expect(main().getByText('2 of 3 changes applied, 1 outdated.')).toBeTruthy();
});

test('a toggle that changed after the review stops the plan before its first save', async () => {
  const current = await openReview();
  current.set('c1', 'outdated');
  await click(applyButton());
  expect(saves()).toEqual([]);
  expect(main().getByText('Nothing was changed: toggles have changed since the review.')).toBeTruthy();
});

const TAGS = 'api/admin/features/a1/tags';
const TYPE = 'POST api/admin/tag-types';
/** `a1` gets a tag of a new type, and `c1` has no tags and keeps none. */
const TAGGED: Edits = {
  a1: { tags: [{ type: 'team', value: 'pay' }], hasOnlyTags: true },
  c1: { tags: [] },
};

test('creates tag types, and adds and removes tags; a toggle with only other tags is not saved', async () => {
  await openReview({}, { edits: TAGGED });
  server().on(`GET ${TAGS}`, { body: { version: 1, tags: [{ type: 'simple', value: 'old' }] } });
  for (const line of [TYPE, `POST ${TAGS}`, `DELETE ${TAGS}/simple/old`]) server().on(line, { status: 201, body: {} });
  expect(main().getByText('Applying it also creates the tag type team.')).toBeTruthy();
  await click(applyButton());
  expect(saves()).toEqual([TYPE, `POST ${TAGS}`, `DELETE ${TAGS}/simple/old`, PUT('b1'), PUT('c1')]);
  expect(server().requests.find(({ line }) => line === TYPE)?.body).toMatchObject({ name: 'team' });
});

test('changes no toggle if a tag type cannot be created', async () => {
  await openReview({}, { edits: TAGGED });
  server().on(TYPE, { status: 400, body: { message: 'Too long' } });
  await click(applyButton());
  expect(saves()).toEqual([TYPE]);
  expect(main().getByText(/^The tag type team could not be created, so that no toggle was changed:/u)).toBeTruthy();
  expect(snackbarText()).toBe('');
});

const ARCHIVED: Edits = { c1: { action: 'archive', effect: 'narrows', before: createToggle({ name: 'c1' }) } };

test('archives toggles after a question that shows their use', async () => {
  await openReview({}, { edits: ARCHIVED });
  server().on('GET api/admin/metrics/feature-toggles', {
    body: { lastHour: { c1: { yes: 1200, no: 5 } }, lastMinute: {} },
  });
  expect(within(item('c1')).getByText('Archive')).toBeTruthy();
  await click(applyButton());
  expect(dialog().getByText('Archive 1 toggle')).toBeTruthy();
  expect(within(dialog().getByRole('region', { name: 'Toggles to archive' })).getByText('c1')).toBeTruthy();
  await click(dialog().getByRole('button', { name: 'Cancel' }));
  expect(saves()).toEqual([]);
  await click(applyButton());
  await click(dialog().getByRole('button', { name: 'Apply 3 changes' }));
  expect(saves()).toEqual([PUT('a1'), PUT('b1'), DELETE('c1')]);
  expect(main().getByText('3 of 3 changes applied.')).toBeTruthy();
});

test.each([false, true])(
  'a toggle that changes before it is archived stays; on a server with environments: %s',
  async (hasEnvironments) => {
    const capabilities = { ...EMBEDDED_CAPABILITIES, hasEnvironments };
    const current = await openReview({}, { settings: { capabilities }, edits: ARCHIVED });
    const serve = (tag: string) =>
      server().on('GET api/admin/features/c1', { body: createToggle({ name: 'c1' }), headers: { etag: tag } });
    serve('"1"');
    server().on(DELETE('c1'), ({ headers }) => ({ status: headers.get('if-match') === '"1"' ? 412 : 200, body: {} }));
    server().on(PUT('b1'), () => {
      serve('"2"');
      current.set('b1', 'applied');
      return { body: createToggle({ name: 'b1' }) };
    });
    await click(applyButton());
    await click(dialog().getByRole('button', { name: 'Apply 3 changes' }));
    expect(saves()).toEqual([PUT('a1'), PUT('b1'), ...(hasEnvironments ? [] : [DELETE('c1')])]);
    expect(item('c1').textContent).toContain('It changed while the plan was applied.');
  },
);

test.each([
  ['DELETE_FEATURE', ARCHIVED],
  ['CREATE_TAG_TYPE', TAGGED],
])('needs the permission %s', async (permission, edits) => {
  const all = ['UPDATE_FEATURE', 'CREATE_FEATURE', 'DELETE_FEATURE', 'CREATE_TAG_TYPE'];
  await openReview({}, { permissions: all.filter((one) => one !== permission), edits });
  expect(accessibleDescription(applyButton())).toBe(`You need the permission ${permission} for this.`);
});

test('can be stopped between two changes', async () => {
  await openReview();
  server().hold(PUT('a1'));
  await click(applyButton());
  await click(main().getByRole('button', { name: 'Stop' }));
  (await server().take(PUT('a1'))).respond();
  await settlePage();
  expect(saves()).toEqual([PUT('a1')]);
  expect(main().getByText('1 of 3 changes applied, 2 left.')).toBeTruthy();
  expect(main().getByText('You stopped it.')).toBeTruthy();
});

test('a stop before the first change sends no request', async () => {
  await openReview({}, { edits: TAGGED });
  server().hold('GET api/admin/features/a1');
  await click(applyButton());
  await click(main().getByRole('button', { name: 'Stop' }));
  (await server().take('GET api/admin/features/a1')).respond();
  await settlePage();
  expect(saves()).toEqual([]);
  expect(main().getByText('You stopped it.')).toBeTruthy();
  expect(isDisabled(applyButton())).toBe(false);
});

async function openPage(path: string) {
  history.pushState(null, '', path);
  await act(() => window.dispatchEvent(new PopStateEvent('popstate')));
  await settlePage();
}

test('a review that the user has started before another one does not open its plan', async () => {
  serveConsole(server(), []);
  server().on(REVIEW, ({ body }) => {
    const [file] = (body as { files: readonly { text: string }[] }).files;
    return { body: { ...EMPTY_REVIEW, changes: [change(`${file?.text}`, 'ready')] } };
  });
  server().hold(REVIEW);
  await renderConsole('/plans');
  const start = async (text: string) => {
    fill(screen.getByLabelText('Or paste the text'), text);
    await click(screen.getByRole('button', { name: 'Review' }));
    return server().take(REVIEW);
  };
  const first = await start('one');
  await openPage('/projects');
  await openPage('/plans');
  const second = await start('two');
  first.respond();
  await settlePage();
  expect(main().queryByText('one')).toBeNull();
  second.respond();
  await settlePage();
  expect(main().getByText('two')).toBeTruthy();
});

test('another user neither continues a plan nor sees it', async () => {
  await openReview();
  server().hold(PUT('a1'));
  await click(applyButton());
  server().on('GET api/admin/user', { body: { username: 'grace', permissions: ['ADMIN'] } });
  await changeSessionInOtherTab();
  (await server().take(PUT('a1'))).respond();
  await settlePage();
  expect(saves()).toEqual([PUT('a1')]);
  expect(main().queryByRole('listitem', { name: 'a1' })).toBeNull();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Or paste the text').value).toBe('');
});

test('a read-only console only reviews', async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob);
    return 'blob:plan';
  });
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  await openReview({}, { settings: { readOnly: true }, review: { plan: { version: 1 } } });
  expect(isDisabled(applyButton())).toBe(true);
  expect(accessibleDescription(applyButton())).toContain('read-only');
  await click(main().getByRole('button', { name: 'Download plan' }));
  expect(names).toEqual(['plan.json']);
  expect(JSON.parse((await files[0]?.text()) ?? '')).toEqual({ version: 1 });
});

test('the text of a fault names its place, until the text is correct', async () => {
  // A recorded response.
  const message =
    'The text, line 3, column 17: yes is a boolean in YAML 1.1 and a text in YAML 1.2; write true or false, or a text in quotes';
  serveConsole(server(), []);
  server().on(REVIEW, { status: 400, body: { code: 'invalid_files', message } });
  await renderConsole('/features');
  await click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Plans' }));
  expect(document.title).toBe('Plans - Flagdeck');
  fill(screen.getByLabelText('Or paste the text'), 'version: 1\ntoggles:\n  a: { enabled: yes }\n');
  await click(main().getByRole('button', { name: 'Review' }));
  expect(main().getByRole('alert').textContent).toBe(message);
  server().on(REVIEW, { body: { ...EMPTY_REVIEW, plan: { version: 1 }, changes: [change('a1', 'ready')] } });
  fill(screen.getByLabelText('Or paste the text'), 'version: 1\ntoggles:\n  aa: {}\n');
  await click(main().getByRole('button', { name: 'Review' }));
  expect(applyButton().textContent).toBe('Apply 1 change');
  expect(main().getByText('1 change, none of which widens who gets the feature')).toBeDefined();
});

test.each([
  ['embedded', {}, { projects: ['default'], strategies: ['default'], contextFields: ['userId'] }],
  ['upstream', { contextFields: 404, projects: 403 }, { projects: null, strategies: ['default'], contextFields: null }],
] as const)(
  'the lists of items are read once if the files need them, and their problems are shown; %s, without %j',
  async (mode, failures: { [list: string]: number }, items) => {
    serveConsole(server());
    server().on('GET -/settings', { body: { ...SETTINGS, mode, upstream: mode === 'upstream' ? 'flags' : null } });
    const lists = {
      projects: ['projects', { version: 1, projects: [{ id: 'default', name: 'Default' }] }],
      strategies: ['strategies', { version: 1, strategies: [createDefinition('default')] }],
      contextFields: ['context', [{ name: 'userId' }]],
    } as const;
    for (const [list, [path, body]] of Object.entries(lists)) {
      const status = failures[list];
      server().on(`GET api/admin/${path}`, status ? { status, body: { message: 'No' } } : { body });
    }
    const problem = { file: 'shop.yaml', line: 4, column: 14, message: 'toggle shop.pay: the project shop' };
    const warning = { file: 'shop.yaml', line: null, column: null, message: 'rollout is "150"' };
    server().on(REVIEW, (request) => {
      const { items: sent } = request.body as { items: object };
      const missingItems = (['projects', 'strategies', 'contextFields'] as const).filter((list) => !(list in sent));
      const found = { problems: [problem], warnings: [warning] };
      return { body: { ...EMPTY_REVIEW, missingItems, ...(missingItems.length > 0 ? {} : found) } };
    });
    await renderConsole('/plans');
    fill(screen.getByLabelText('Or paste the text'), 'version: 1');
    await click(screen.getByRole('button', { name: 'Review' }));
    const reviews = server().requests.filter(({ line }) => line === REVIEW);
    expect(reviews.map(({ body }) => body)).toEqual([
      expect.objectContaining({ items: {} }),
      expect.objectContaining({
        items,
        server: { isEmbedded: mode === 'embedded', hasEnvironments: false, version: '3.17.6' },
      }),
    ]);
    const item = (region: string) => main().getByRole('region', { name: region }).textContent;
    expect(item('1 problem')).toContain('shop.yaml, line 4, column 14Toggle shop.pay: the project shop');
    expect(item('1 warning')).toContain('shop.yamlRollout is "150"');
    expect(main().getByRole('alert').textContent).toContain('Correct the files, and review them again.');
  },
);

test.each([true, false])(
  'a plan that the flag service would refuse is not applied; known before: %s',
  async (isKnown) => {
    const problem = {
      file: 'plan.json',
      line: null,
      column: null,
      message: 'toggle a1: the project shop does not exist',
    };
    const review: Partial<PlanReview> = isKnown ? { problems: [problem] } : {};
    await openReview({}, { review });
    if (isKnown) {
      expect(main().getByRole('alert').textContent).toMatch(/^The plan cannot be applied, .* make a new plan\.$/u);
      expect(main().getByRole('region', { name: '1 problem' }).textContent).toContain(
        'plan.jsonToggle a1: the project',
      );
    } else {
      review.problems = [problem, problem];
      await click(applyButton());
      const said = `Nothing was changed. The flag service would refuse the changes: ${problem.message}, and 1 more.`;
      expect(main().getByText(said)).toBeTruthy();
    }
    expect(saves()).toEqual([]);
  },
);

test('a change whose effect may be another one names the segment or toggle that has changed', async () => {
  const outdatedEffect = 'the segment EU has changed since the plan, and the effect depends on it';
  await openReview({ b1: 'outdated' }, { edits: { b1: { outdatedEffect } } });
  expect(item('b1').textContent).toContain('The segment EU has changed since the plan, and the effect depends on it.');
  expect(isDisabled(applyButton())).toBe(true);
  expect(server().requests.some(({ line }) => line === 'GET api/admin/events/b1')).toBe(false);
});

test('the toggles that the files manage are read to archive those that they name no more', async () => {
  serveConsole(server(), [createToggle({ name: 'a1' }), createToggle({ name: 'b1' })]);
  server().on('GET api/admin/features?tag=managed-by%3Aacme%2Fflags', {
    body: { version: 1, features: [createToggle({ name: 'b1' })] },
  });
  server().on(REVIEW, (request) => {
    const { managed } = request.body as { managed: { [files: string]: string[] } };
    const missingManaged = 'acme/flags' in managed ? [] : ['acme/flags'];
    return { body: { ...EMPTY_REVIEW, missingManaged } };
  });
  await renderConsole('/plans');
  await click(screen.getByLabelText('Archive toggles that the files name no more'));
  fill(screen.getByLabelText('Or paste the text'), 'version: 1');
  await click(screen.getByRole('button', { name: 'Review' }));
  const reviews = server().requests.filter(({ line }) => line === REVIEW);
  expect(reviews.map(({ body }) => body)).toEqual([
    expect.objectContaining({ prune: true, managed: {} }),
    expect.objectContaining({ prune: true, managed: { 'acme/flags': ['b1'] } }),
  ]);
});

test('a plan shows the warnings of its files', async () => {
  await openReview();
  const warning = { file: 'shop.yaml', line: 4, column: 14, message: 'rollout is "150"' };
  server().on(REVIEW, {
    body: { ...EMPTY_REVIEW, warnings: [warning], changes: [change('a1', 'ready')] },
  });
  await click(main().getByRole('button', { name: 'Close' }));
  fill(screen.getByLabelText('Or paste the text'), 'version: 1');
  await click(screen.getByRole('button', { name: 'Review' }));
  expect(main().getByRole('region', { name: '1 warning' }).textContent).toContain('line 4, column 14Rollout is "150"');
  expect(isDisabled(applyButton())).toBe(false);
});

test.each([
  [[], {}, ''],
  [['applied', 'ready'], { a1: 'applied' }, '1 of 2 changes applied, 1 left'],
  [['applied', 'ready', 'outdated'], { b1: { failure: 'No' } }, '1 of 3 changes applied, 1 failed, 1 outdated'],
] as const)('describes the progress of %j with %j', (statuses, results, expected) => {
  const changes = statuses.map((status, index) => change(NAMES[index] ?? '', status));
  expect(describeProgress({ changes }, new Map(Object.entries(results)))).toBe(expected);
});

const drop = async (...files: File[]) => {
  const area = main().getByRole('heading', { name: 'Plans' }).closest('main')?.querySelector('[class*="rounded-card"]');
  fireEvent.drop(area ?? document.body, { dataTransfer: { types: ['Files'], files } });
  await settlePage();
};

test('files that cannot be reviewed do not discard the review on which they are dropped', async () => {
  await openReview();
  server().on(REVIEW, { status: 400, body: { code: 'bad_request', message: 'The file is no plan' } });
  await drop(new File(['\u0000'], 'photo.png'));
  expect(main().getByRole('alert').textContent).toContain('The file is no plan');
  expect(item('a1')).toBeTruthy();
  expect(isDisabled(applyButton())).toBe(false);
});

test('a failed comparison after an apply keeps the reason why it stopped', async () => {
  await openReview();
  server().on(PUT('a1'), () => {
    server().on(REVIEW, { status: 500, body: { code: 'internal', message: 'Internal error in Flagdeck' } });
    return { status: 403, body: { message: 'no' } };
  });
  await click(applyButton());
  await settlePage();
  const text = screen.getByRole('main').textContent;
  expect(text).toContain('a1 could not be changed. The changes after it were not tried.');
  expect(text).toContain('The result could not be compared:');
});

test('a pasted text stays while files are reviewed that were dropped instead', async () => {
  await openReview();
  await click(main().getByRole('button', { name: 'Close' }));
  const field = () => screen.getByLabelText('Or paste the text');
  // The reviewed text itself is done.
  expect(field()).toHaveProperty('value', '');
  fill(field(), 'toggles: typed by hand');
  await drop(new File(['version: 1'], 'a.yaml'));
  expect(item('a1')).toBeTruthy();
  await click(main().getByRole('button', { name: 'Close' }));
  expect(field()).toHaveProperty('value', 'toggles: typed by hand');
});

test.each(['outdated', 'applied'] as const)('a change that was %s in the review is not applied', async (status) => {
  const current = await openReview({ b1: status });
  if (status === 'outdated') await click(screen.getByLabelText('Apply only the other 2 changes'));
  current.set('b1', 'ready');
  await click(applyButton());
  await settlePage();
  expect(saves()).toEqual([]);
  expect(screen.getByRole('main').textContent).toContain('there are other changes to apply');
  // It is part of the new review.
  await click(applyButton());
  await settlePage();
  expect(saves()).toEqual([PUT('a1'), PUT('b1'), PUT('c1')]);
});

test('a link asks before a pasted text is lost', async () => {
  serveConsole(server());
  await renderConsole('/plans');
  fill(screen.getByLabelText('Or paste the text'), 'version: 1');
  await click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: /^Archive/ }));
  expect(screen.getByRole('dialog', { name: 'Unsaved changes' })).toBeTruthy();
});
