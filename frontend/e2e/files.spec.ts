// Toggles in files on the command line, through the binary: `flagdeck pull`, `plan`, `apply` and `drift`.

import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { type CommandResult, runCommand } from './support/binary';
import { expect, test as base } from './support/fixtures';
import { ENVIRONMENT, hasEnvironments } from './support/versions';

/** `FLAGDECK_FILES_TOGGLES` is the number of toggles whose pulled file has an empty plan. */
const TOGGLES = Number(process.env['FLAGDECK_FILES_TOGGLES'] ?? 20);

interface FilesFixtures {
  /** Runs a command on the flag service of the test, with the session of the page. */
  cli: (command: string, ...args: string[]) => Promise<CommandResult>;
  /** Writes a file with toggles, and returns its path. */
  write: (name: string, ...lines: string[]) => Promise<string>;
}

const test = base.extend<FilesFixtures>({
  cli: async ({ context, flagdeck, version, backend }, use, testInfo) => {
    const cookies = await context.cookies(flagdeck.url);
    const target = ['--to', flagdeck.url];
    if (cookies.length > 0) {
      const file = testInfo.outputPath('cookie');
      await writeFile(file, cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
      target.push('--upstream-header', `Cookie=@${file}`);
    }
    if (backend === 'upstream' && hasEnvironments(version)) target.push('--upstream-environment', ENVIRONMENT);
    await use((name, ...args) => {
      const options = target.slice(name === 'drift' ? 1 : 0);
      if (name === 'pull') options[0] = '--from';
      return runCommand(name, ...args, ...options);
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

test('the plan of pulled toggles is empty', { tag: '@smoke' }, async ({ cli, write, flags }) => {
  test.setTimeout(60_000 + TOGGLES * 500);
  await flags.createMany('shop.', TOGGLES);
  const pulled = await cli('pull', '--state');
  expect(pulled.code, pulled.errors).toBe(0);
  expect(pulled.output.match(/^ {2}shop\.\d+:$/gm)).toHaveLength(TOGGLES);
  const file = await write('all.yaml', pulled.output);
  const planned = await cli('plan', file);
  expect(planned).toMatchObject({ code: 0, output: expect.stringContaining('nothing to do, it is as in the files') });
  const equal = await cli('drift', file);
  expect(equal).toMatchObject({ code: 0, output: expect.stringContaining('no differences') });
});

test('a file is applied once, and the second time changes nothing', { tag: '@smoke' }, async ({
  cli,
  write,
  flags,
}) => {
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
  expect(differing.output).toMatch(/\nshop\.basket +enabled +on +off/);
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
  expect(await cli('apply', file, '--yes')).toEqual({ code: 0, output: '', errors: '' });

  const pruned = await cli('apply', file, '--prune', '--yes');
  expect(pruned.errors).toBe('');
  expect(pruned).toMatchObject({ code: 0, output: expect.stringContaining('shop.other is archived') });
  expect(await flags.findArchived('shop.other')).toBeDefined();
  expect(await cli('plan', file, '--prune')).toMatchObject({ code: 0 });
});

test('an edit between plan and apply is refused with its author', { tag: '@smoke' }, async ({ cli, write, flags }) => {
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
