// Toggles in files on the command line, through the binary: `flagdeck pull`, `plan`, `apply` and `drift`.

import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { type CommandResult, runCommand } from './support/binary';
import { EvaluationCases } from './support/evaluationCases';
import { expect, test as base } from './support/fixtures';
import type { StoredStrategy } from './support/flags';
import { runUntilWrite } from './support/interruption';
import { importToggles } from './support/serverImport';
import { ENVIRONMENT, hasEnvironments } from './support/versions';

/** `FLAGDECK_FILES_TOGGLES` is the number of toggles whose pulled file has an empty plan. 2,000 take a few minutes on each server. */
const TOGGLES = Number(process.env['FLAGDECK_FILES_TOGGLES'] ?? 20);

interface FilesFixtures {
  /** Options of a command for the flag service of the test, without its URL. */
  target: string[];
  /** Runs a command on the flag service of the test, with the session of the page. */
  cli: (command: string, ...args: string[]) => Promise<CommandResult>;
  /** Writes a file with toggles, and returns its path. */
  write: (name: string, ...lines: string[]) => Promise<string>;
}

const test = base.extend<FilesFixtures>({
  target: async ({ context, flagdeck, version, backend }, use, testInfo) => {
    const cookies = await context.cookies(flagdeck.url);
    const target: string[] = [];
    if (cookies.length > 0) {
      const file = testInfo.outputPath('cookie');
      await writeFile(file, cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
      target.push('--upstream-header', `Cookie=@${file}`);
    }
    if (backend === 'upstream' && hasEnvironments(version)) target.push('--upstream-environment', ENVIRONMENT);
    await use(target);
  },
  cli: async ({ target, flagdeck }, use) => {
    await use((name, ...args) => {
      const to = { pull: ['--from', flagdeck.url], drift: [flagdeck.url] }[name] ?? ['--to', flagdeck.url];
      return runCommand(name, ...args, ...to, ...target);
    });
  },
  write: async ({ context: _ }, use, testInfo) => {
    await use(async (name, ...lines) => {
      const path = testInfo.outputPath(name);
      await writeFile(path, `${lines.join('\n')}\n`);
      return path;
    });
  },
});

const STRATEGY = [
  '    strategies:',
  '      - name: flexibleRollout',
  '        parameters: { rollout: "25", stickiness: default, groupId: shop }',
  '        constraints:',
  '          - { contextName: userId, operator: IN, values: ["010", "on"] }',
  '      - name: default',
];

test('the plan of pulled toggles is empty', { tag: ['@smoke', '@ci'] }, async ({ cli, write, flags, realServer }) => {
  test.setTimeout(60_000 + TOGGLES * 500);
  if (realServer) {
    const cases = new EvaluationCases(1, 'host');
    const segments = [1, 2].map((id) => ({ id, name: `segment-${id}`, constraints: cases.constraints() }));
    const toggles = Array.from({ length: TOGGLES }, (_, index) => cases.toggle(index, [1, 2]));
    await importToggles(realServer, flags, toggles, segments);
  } else {
    await flags.createMany('shop.', TOGGLES);
  }
  const pulled = await cli('pull', '--state');
  expect(pulled.code, pulled.errors).toBe(0);
  expect(pulled.output.match(/^ {2}[^ ].*:$/gm)).toHaveLength(TOGGLES);
  const file = await write('all.yaml', pulled.output);
  const planned = await cli('plan', file);
  expect(planned).toMatchObject({ code: 0, output: expect.stringContaining('nothing to do, it is as in the files') });
  const equal = await cli('drift', file);
  expect(equal).toMatchObject({ code: 0, output: expect.stringContaining('no differences') });
});

test('a file is applied once, and the second time changes nothing', { tag: ['@smoke', '@upstream'] }, async ({
  cli,
  write,
  flags,
}) => {
  // Eleven commands, with many requests to servers with environments.
  test.setTimeout(90_000);
  await flags.create({ name: 'shop.basket', enabled: false }, { name: 'shop.gone' }, { name: 'shop.other' });
  await flags.archive('shop.gone');
  const file = await write(
    'all.yaml',
    'version: 1',
    'toggles:',
    '  shop.basket:',
    '    description: One page',
    '    enabled: true',
    '    tags: [{ type: simple, value: "yes" }]',
    ...STRATEGY,
    '  shop.gone: { description: again }',
    '  shop.new:',
    '    type: experiment',
    ...STRATEGY,
  );
  const planned = await cli('plan', file);
  expect(planned.code, planned.errors).toBe(2);
  expect(planned.output).toContain('~ change shop.basket: widens who gets the feature');
  expect(planned.output).toContain('+ revive shop.gone');
  expect(planned.output).toContain('+ create shop.new');
  const differing = await cli('drift', file);
  expect(differing.code, differing.errors).toBe(2);
  expect(differing.output).toMatch(/\nshop\.basket +enabled +true +false/);
  const applied = await cli('apply', file, '--yes');
  expect(applied.code, applied.errors).toBe(0);
  expect(await flags.find('shop.basket')).toMatchObject({
    description: 'One page',
    enabled: true,
    strategies: [
      { name: 'flexibleRollout', constraints: [{ contextName: 'userId', values: ['010', 'on'] }] },
      { name: 'default' },
    ],
  });
  expect(await flags.tagsOf('shop.basket')).toEqual(['simple:yes']);
  expect(await flags.find('shop.gone')).toMatchObject({ description: 'again' });
  expect(await flags.find('shop.new')).toMatchObject({ type: 'experiment', enabled: false });
  expect(await cli('plan', file)).toMatchObject({ code: 0 });
  const again = await cli('apply', file, '--yes');
  expect(again).toEqual({ code: 0, output: expect.stringContaining('nothing to do'), errors: '' });

  // Only toggles that the same files managed are archived.
  const other = await write('other.yaml', 'version: 1', 'toggles:', '  shop.other: {}');
  expect(await cli('apply', other, '--yes', '--managed-by', 'acme/flags')).toMatchObject({ code: 0, errors: '' });
  const pruned = await cli('apply', file, '--prune', '--yes', '--managed-by', 'acme/flags');
  expect(pruned.errors).toBe('');
  expect(pruned).toMatchObject({ code: 0, output: expect.stringContaining('shop.other is archived') });
  expect(await flags.findArchived('shop.other')).toBeDefined();
  expect(await cli('plan', file, '--prune', '--managed-by', 'acme/flags')).toMatchObject({ code: 0 });
});

test('a client token suffices for drift, also if client libraries get strategies in another order', {
  tag: ['@upstream', '@smoke', '@ci'],
}, async ({ cli, write, flagdeck, realServer, version }) => {
  test.setTimeout(90_000);
  const writeToggle = (...groups: string[]) =>
    write(
      'all.yaml',
      'version: 1',
      'toggles:',
      '  shop.order:',
      '    strategies:',
      ...groups.map(
        (group) =>
          `      - { name: flexibleRollout, parameters: { rollout: "25", stickiness: default, groupId: ${group} } }`,
      ),
    );
  // Some servers send them to client libraries in the order of their creation.
  for (const groups of [
    ['a', 'b', 'c'],
    ['c', 'b', 'a'],
  ]) {
    const applied = await cli('apply', await writeToggle(...groups), '--yes');
    expect(applied.code, applied.errors).toBe(0);
  }
  const token = realServer?.clientToken;
  const credential = token ? ['--upstream-header', `Authorization=@${await write('token', token)}`] : [];
  if (hasEnvironments(version)) credential.push('--upstream-environment', ENVIRONMENT);
  const driftAsClient = async (...groups: string[]) =>
    runCommand('drift', await writeToggle(...groups), flagdeck.url, ...credential);
  const equal = await driftAsClient('c', 'b', 'a');
  expect(equal, equal.errors).toMatchObject({ code: 0, output: expect.stringContaining('no differences') });
  const differing = await driftAsClient('c', 'b');
  expect(differing.output).toMatch(/\nshop\.order +strategies/);
});

test('an edit between plan and apply is refused with its author', { tag: ['@smoke', '@upstream'] }, async ({
  cli,
  write,
  flags,
}) => {
  await flags.create({ name: 'shop.basket', enabled: false }, { name: 'shop.gift-cards' });
  const file = await write(
    'all.yaml',
    'version: 1',
    'toggles:',
    '  shop.basket: { stale: true }',
    '  shop.gift-cards: { description: Vouchers }',
  );
  const plan = await write('plan.json');
  expect(await cli('plan', file, '-o', plan)).toMatchObject({ code: 2 });
  await flags.update('shop.basket', { description: 'A larger basket' });
  const refused = await cli('apply', plan);
  expect(refused.code).toBe(1);
  expect(refused.errors).toMatch(/shop\.basket has changed since the plan \(by \S+, \S+\)/);
  expect(refused.errors).toContain('nothing was changed; make a new plan');
  expect((await flags.find('shop.gift-cards'))?.description).not.toBe('Vouchers');
  const partial = await cli('apply', plan, '--partial');
  expect(partial).toMatchObject({ code: 1, output: expect.stringContaining('shop.gift-cards is changed') });
  expect(await flags.find('shop.basket')).toMatchObject({ description: 'A larger basket', stale: false });
});

/** `FLAGDECK_FILES_INTERRUPTIONS=all` interrupts a command at each of its writes; otherwise only at these. */
const INTERRUPTIONS = process.env['FLAGDECK_FILES_INTERRUPTIONS'] === 'all' ? undefined : [2, 6];

interface ToggleState {
  enabled: boolean;
  /** Each as `everyone`, or as `USER PERCENTAGE`. */
  strategies: string[];
}

/** The toggles before and after the file. A toggle that does not exist before is archived or new. */
const CHANGES: Record<string, { before?: ToggleState; after: ToggleState }> = {
  narrowed: {
    before: { enabled: true, strategies: ['ann 50'] },
    after: { enabled: true, strategies: ['ann 25', 'ben 100'] },
  },
  replaced: {
    before: { enabled: true, strategies: ['ann 50'] },
    after: { enabled: true, strategies: ['ben 100', 'cid 100'] },
  },
  'switched-off': {
    before: { enabled: true, strategies: ['ann 50'] },
    after: { enabled: false, strategies: ['everyone'] },
  },
  'switched-on': {
    before: { enabled: false, strategies: ['everyone'] },
    after: { enabled: true, strategies: ['ben 100'] },
  },
  revived: { after: { enabled: false, strategies: ['ben 100'] } },
  created: { after: { enabled: true, strategies: ['ben 100'] } },
};

function toStrategy(text: string): StoredStrategy {
  const [user = '', rollout = ''] = text.split(' ');
  if (user === 'everyone') return { name: 'default', parameters: {} };
  const parameters = { rollout, stickiness: 'userId', groupId: 'shop' };
  return {
    name: 'flexibleRollout',
    parameters,
    constraints: [{ contextName: 'userId', operator: 'IN', values: [user] }],
  };
}

function fromStrategy({ name, parameters, constraints = [] }: StoredStrategy): string {
  const users = constraints.flatMap(({ values }) => values);
  return name === 'default' && users.length === 0 ? 'everyone' : [...users, parameters?.['rollout']].join(' ');
}

test('a command that is killed at a write leaves no wider toggle, and the next one finishes it', {
  tag: ['@smoke', '@ci'],
}, async ({ cli, target, write, flags, realServer, flagdeck }) => {
  test.setTimeout(INTERRUPTIONS ? 60_000 : 600_000);
  const upstream = realServer?.url ?? flagdeck.url;
  for (let last = INTERRUPTIONS?.[0] ?? 1, killed = true; killed; ) {
    const nameOf = (kind: string) => `shop.${last}.${kind}`;
    const lines = ['version: 1', 'toggles:'];
    for (const [kind, { before, after }] of Object.entries(CHANGES)) {
      const { enabled, strategies } = before ?? { enabled: false, strategies: ['ann 50'] };
      if (kind !== 'created')
        await flags.create({ name: nameOf(kind), enabled, strategies: strategies.map(toStrategy) });
      if (kind === 'revived') await flags.archive(nameOf(kind));
      const toggle = { description: 'new', ...after, strategies: after.strategies.map(toStrategy) };
      lines.push(`  ${nameOf(kind)}: ${JSON.stringify({ ...toggle, tags: [{ type: 'simple', value: kind }] })}`);
    }
    const file = await write(`${last}.yaml`, ...lines);
    const run = await runUntilWrite(upstream, last, 'apply', file, '--yes', ...target);
    const at = `write ${last}: ${run.writes.at(-1)}`;
    expect(run.errors, at).toBe('');
    for (const [kind, { before, after }] of Object.entries(CHANGES)) {
      const stored = await flags.find(nameOf(kind));
      if (!stored?.enabled) continue;
      const allowed = [before, after].flatMap((state) => (state?.enabled ? state.strategies : []));
      const strategies = (stored.strategies ?? []).map(fromStrategy);
      // On some servers, a toggle without strategies is on for everyone.
      expect(strategies, `${kind} after ${at}`).not.toEqual([]);
      expect(allowed, `${kind} after ${at}`).toEqual(expect.arrayContaining(strategies));
    }
    const applied = await cli('apply', file, '--yes');
    expect(applied, at).toMatchObject({ code: 0, errors: '' });
    expect(await cli('plan', file), at).toMatchObject({ code: 0 });
    for (const [kind, { after }] of Object.entries(CHANGES)) {
      const stored = await flags.find(nameOf(kind));
      expect({ enabled: stored?.enabled, strategies: stored?.strategies?.map(fromStrategy) }, `${kind}, ${at}`).toEqual(
        after,
      );
    }
    const next = INTERRUPTIONS ? INTERRUPTIONS[INTERRUPTIONS.indexOf(last) + 1] : last + 1;
    killed = run.killed && next !== undefined;
    last = next ?? last;
  }
});

test('references, names and values are errors of the plan on servers that refuse them', {
  tag: ['@smoke', '@ci'],
}, async ({ cli, write, context, flagdeck, backend, version }) => {
  const isNewer = backend === 'upstream' && hasEnvironments(version);
  const withConstraint = (constraint: {
    contextName?: string;
    operator: string;
    values?: string[];
    value?: string;
  }) => ({
    name: 'default',
    constraints: [{ contextName: 'userId', values: [], ...constraint }],
  });
  const missing = (name: string, item: string) => `toggle ${name}, strategy 1.*: the ${item} does not exist`;
  const cases: { name: string; strategy: StoredStrategy; problem: string | undefined; isRefused: boolean }[] = [
    {
      name: 'shop.custom',
      strategy: { name: 'beta-group' },
      problem: missing('shop.custom', 'strategy beta-group'),
      isRefused: isNewer,
    },
    {
      name: 'shop.plan',
      strategy: withConstraint({ contextName: 'plan', operator: 'IN', values: ['gold'] }),
      problem: missing('shop.plan', 'context field plan'),
      isRefused: isNewer && !version.startsWith('8.'),
    },
    {
      name: 'shop.operator',
      strategy: withConstraint({ operator: 'NOT_INN', values: ['a'] }),
      problem: 'operator NOT_INN.*; did you mean NOT_IN\\?',
      isRefused: isNewer,
    },
    {
      name: 'shop.network',
      strategy: withConstraint({ operator: 'IN_CIDR', values: ['10.0.0.0/8'] }),
      problem: backend === 'upstream' ? 'operator IN_CIDR' : undefined,
      isRefused: isNewer,
    },
    {
      name: 'shop cart',
      strategy: { name: 'default' },
      problem: 'toggle shop cart: .* refuses it: "name" must be URL',
      isRefused: true,
    },
  ];
  // Servers without environments do not check values.
  const isChecked = isNewer || backend === 'embedded';
  for (const [name, operator, value, problem] of [
    ['shop.number', 'NUM_GT', 'ten', 'must be a number'],
    ['shop.version', 'SEMVER_GT', '1', 'must be a semantic version'],
    ['shop.date', 'DATE_AFTER', 'tomorrow', 'must be a date'],
  ] as const) {
    const strategy = withConstraint({ operator, value });
    if (isChecked)
      cases.push({ name, strategy, problem: `constraint 1 on userId: .* refuses it: .*${problem}`, isRefused: true });
  }
  for (const { name, strategy, problem, isRefused } of cases) {
    const file = await write(
      'case.yaml',
      'version: 1',
      'toggles:',
      `  ${name}: ${JSON.stringify({ strategies: [strategy] })}`,
    );
    const { code, errors } = await cli('plan', file);
    const text = problem === undefined ? /^$/ : new RegExp(`line 3, column \\d+: .*${problem}`);
    expect({ name, code, errors }).toEqual({ name, code: isRefused ? 1 : 2, errors: expect.stringMatching(text) });
    expect(errors.includes('warning: '), name).toBe(!isRefused && problem !== undefined);
    // The server decides whether the plan is right.
    const created = await context.request.post(new URL('api/admin/features', flagdeck.url).href, {
      data: { name, project: 'default', enabled: false, strategies: [strategy] },
      headers: isNewer ? { 'flagdeck-environment': ENVIRONMENT } : {},
    });
    expect({ name, created: created.ok() }, await created.text()).toEqual({ name, created: !isRefused });
  }
});
