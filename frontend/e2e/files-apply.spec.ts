// `flagdeck apply` with random states: it stores what the file says, or refuses before its first write, and after each of its writes
// nobody gets a feature who gets it neither before nor after it.

import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { ApplyCases, type PlannedStrategy, type PlannedToggle, type Storage, USERS } from './support/applyCases';
import { runCommand } from './support/binary';
import { expect, test } from './support/fixtures';
import { observeWrites } from './support/interruption';
import { REQUIRE } from './support/sdk';
import { canonical, StateApi, signIn } from './support/storedState';
import { ENVIRONMENT, hasEnvironments } from './support/versions';

/** `FLAGDECK_FILES_CASES` is the number of files, each with four toggles, and `FLAGDECK_FILES_SEED` the first seed. */
const CASES = Number(process.env['FLAGDECK_FILES_CASES'] ?? 8);
const SEED = Number(process.env['FLAGDECK_FILES_SEED'] ?? 1);

/** Maximum number of the writes after which a command is killed. */
const MAX_WRITES = 12;

/** Pairs of a toggle and a user that gets it, with the Node library. */
type Audience = Set<string>;

async function readAudience(url: string, token: string | undefined, names: string[]): Promise<Audience> {
  const { Unleash, InMemStorageProvider } = REQUIRE('unleash-client-6');
  const unleash = new Unleash({
    appName: 'shop',
    url: `${url.replace(/\/$/, '')}/api/`,
    customHeaders: { authorization: token ?? 'none' },
    storageProvider: new InMemStorageProvider(),
    // The toggles are read once.
    refreshInterval: 3_600_000,
    disableMetrics: true,
    skipInstanceCountWarning: true,
  });
  await once(unleash, 'synchronized');
  const users = Array.from({ length: USERS }, (_, index) => String(index));
  const pairs = names.flatMap((name) =>
    users.filter((userId) => unleash.isEnabled(name, { userId })).map((user) => `${name} ${user}`),
  );
  unleash.destroy();
  return new Set(pairs);
}

const SEGMENTS = ['low', 'even'] as const;

test(
  'apply stores what a file says or writes nothing, and no write lets others get a feature',
  {
    tag: ['@smoke', '@ci'],
  },
  async ({ flagdeck, realServer, version, backend }, testInfo) => {
    test.setTimeout(60_000 + CASES * 20_000);
    const isNewer = backend === 'upstream' && hasEnvironments(version);
    const url = realServer?.url ?? flagdeck.url;
    const cookie = realServer ? await signIn(realServer) : '';
    const target: string[] = [];
    if (cookie) {
      const file = testInfo.outputPath('cookie');
      await writeFile(file, cookie);
      target.push('--upstream-header', `Cookie=@${file}`);
    }
    if (isNewer) target.push('--upstream-environment', ENVIRONMENT);
    const api = new StateApi(url, cookie, isNewer);
    const hasNewerProperties = isNewer || backend === 'embedded';
    const segments: number[] = [];
    if (hasNewerProperties) {
      segments.push(await api.createSegment(SEGMENTS[0], ['0', '1', '2', '3', '4']));
      segments.push(await api.createSegment(SEGMENTS[1], ['0', '2', '4', '6', '8']));
    }
    const storage: Storage = {
      hasNewerProperties,
      hasVariantStickiness: backend === 'embedded' || version !== '3.10.1',
      hasNoStrategies: isNewer,
      segments,
    };

    /** Applies the file of this seed. Returns the reason if it is refused. */
    async function applyFile(seed: number): Promise<string | undefined> {
      const cases = new ApplyCases(seed, storage);
      const toggles = cases.next(`case${seed}`);
      for (const { name, kind, before } of toggles) await api.create(name, kind, before);
      const names = toggles.map(({ name }) => name);
      const readAll = async () =>
        Object.fromEntries(await Promise.all(names.map(async (name) => [name, await api.read(name)])));
      const audience = () => readAudience(url, realServer?.clientToken, names);
      const [original, before] = [await readAll(), await audience()];
      const named = toggles.filter(({ file }) => Object.keys(file).length > 0);
      const entries = named.map((toggle) => [toggle.name, nameSegments(toggle.file, segments)] as const);
      const document = { version: 1, toggles: Object.fromEntries(entries) };
      const file = testInfo.outputPath(`${seed}.json`);
      await writeFile(file, JSON.stringify(document, undefined, 1));
      let applied = [file];
      if (cases.isOneIn(2)) {
        const plan = testInfo.outputPath(`${seed}.plan.json`);
        if ((await runCommand('plan', file, '-o', plan, '--to', url, ...target)).code === 2) {
          // The plan is applied through the proxy that observes its writes.
          const { target: planned } = JSON.parse(await readFile(plan, 'utf8'));
          applied = [plan, '--planned-for', planned];
        }
      }
      const during: { at: string; audience: Audience }[] = [];
      const last = cases.isOneIn(3) ? 1 + cases.below(MAX_WRITES) : 0;
      const apply = (args: string[], isLast: (writes: readonly string[]) => boolean) =>
        observeWrites(
          url,
          async (writes) => {
            during.push({ at: writes.join('\n'), audience: await audience() });
            return isLast(writes);
          },
          'apply',
          ...args,
          '--yes',
          ...target,
        );
      let run = await apply(applied, (writes) => writes.length === last);
      const { killed } = run;
      if (killed) {
        run = await apply(applied, () => false);
        // A toggle that the interrupted command has switched off looks like one that a person has switched off: a new plan is needed.
        if (run.code !== 0 && applied.length > 1 && run.errors.includes('has changed since the plan')) {
          expect(run.writes, `a refusal is before the first write: ${run.errors}`).toEqual([]);
          run = await apply([file], () => false);
        }
      }
      const context = `${applied[0]}${killed ? `, after an interruption at write ${last}` : ''}\n${run.output}${run.errors}`;
      if (run.code !== 0) {
        expect(run.writes, `a refusal is before the first write: ${context}`).toEqual([]);
        expect(killed, `the command is finished: ${context}`).toBe(false);
        expect(await readAll(), `nothing is changed: ${context}`).toEqual(original);
        expect(cases.isOdd, `all servers store the file: ${context}`).toBe(true);
        return context;
      }
      const after = await audience();
      for (const { at, audience } of during) {
        const others = [...audience].filter((pair) => !before.has(pair) && !after.has(pair));
        expect(others, `others get a feature: ${context}\n${at}`).toEqual([]);
      }
      const stored = await readAll();
      for (const { name, kind, after } of toggles)
        expect(stored[name], `${kind} ${name}: ${context}`).toEqual(canonical(after));
      const again = await observeWrites(url, async () => false, 'apply', file, '--yes', ...target);
      const nothing = { code: 0, writes: [], output: expect.stringContaining('nothing to do') };
      expect(again, `applied again: ${context}`).toMatchObject(nothing);
      return undefined;
    }

    const failures: string[] = [];
    const refusals: string[] = [];
    for (let seed = SEED; seed < SEED + CASES; seed++) {
      await applyFile(seed).then(
        (refusal) => {
          if (refusal) refusals.push(refusal);
        },
        (failure: Error) => failures.push(`seed ${seed}: ${failure.message}`),
      );
    }
    await writeFile(testInfo.outputPath('refusals.txt'), refusals.join('\n'));
    expect(failures.join('\n\n')).toBe('');
    expect(refusals.length, refusals.join('\n')).toBeLessThan(CASES / 2);
  },
);

/** Files contain the names of segments, because ids differ between servers. */
function nameSegments({ strategies, ...others }: Partial<PlannedToggle>, ids: readonly number[]): object {
  if (!strategies) return others;
  const name = ({ segments, ...strategy }: PlannedStrategy) =>
    segments ? { ...strategy, segments: segments.map((id) => SEGMENTS[ids.indexOf(id)]) } : strategy;
  return { ...others, strategies: strategies.map(name) };
}
