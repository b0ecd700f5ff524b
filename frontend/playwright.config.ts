import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { defineConfig } from '@playwright/test';
import type { BackendOption } from './e2e/support/fixtures';
import { SLOWDOWN } from './e2e/support/slowdown';
import { inapplicable, NEWEST_VERSION } from './e2e/support/versions';

/** Returns the path of the first of these programs on PATH. */
export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(runs);
}

/**
 * `FLAGDECK_CHROMIUM`, or else the first Chromium on PATH; otherwise Playwright uses the one that it downloaded. The
 * headless shell comes first: it has no browser window to draw, and tests take a third less time.
 */
export function findChromium(): string | undefined {
  return process.env['FLAGDECK_CHROMIUM'] || findProgram('chromium-headless-shell', 'chromium', 'google-chrome');
}

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const executablePath = findChromium();
// Chromium's sandbox does not work as root. The other flags prevent background requests during a test.
const args = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
if (process.getuid?.() === 0) args.push('--no-sandbox');

export default defineConfig<object, BackendOption>({
  testDir: 'e2e',
  outputDir: 'e2e/results',
  // An absolute path, because other configurations inherit it.
  globalSetup: path.join(import.meta.dirname, 'e2e/support/checkBinary.ts'),
  // One more than the two cores, because tests wait for the processes that they start, and for responses.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // A test that passes only on the second attempt has a defect, or the console has: support/summary.ts prints it. One lost click
  // among 800 tests on a busy machine does not hide the results of the others.
  retries: 1,
  reporter: [['list'], [path.join(import.meta.dirname, 'e2e/support/summary.ts')]],
  // Limits for tests that fail. On a busy machine, a test takes four times as long as alone.
  timeout: 60_000 * SLOWDOWN,
  expect: { timeout: 15_000 * SLOWDOWN },
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'Europe/Oslo',
    viewport: { width: 1280, height: 800 },
    // Without animations tests need about a tenth less processor time. The Firefox tests and one in accessibility.spec.ts run with them.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Traces of all tests take 40 % of the time. Every failure leaves a screenshot and the content of the page.
    trace: process.env['FLAGDECK_TRACE'] ? 'retain-on-failure' : 'off',
    launchOptions: { args: [...args, '--disable-gpu', '--disable-sync'], ...(executablePath && { executablePath }) },
  },
  // A test without a tag runs against both services, because the contract with the server matters: it reads or writes
  // an entity, shows an error of the service, or depends on sign-in, history or metrics. Each endpoint has at least one
  // success and one failure among them. `@embedded` marks tests that do not depend on the server: layout, keyboard, dialogs, drafts,
  // conflicts, filters. `@stub` marks tests with responses that neither service sends, `@upstream` behaviour that only the real
  // server has. `@reach` marks tests whose requests other tests send to the real server too: `make reach` runs them with each
  // version, and `make test` only with the embedded service. Tests with `@ci` take long (client libraries, files, further looks):
  // continuous integration runs them in projects of their own. Tests in `reach/` and of the replica are about servers with
  // environments: all of them run in `make reach` with every version; here, those with `@smoke` run with the newest version, like
  // those of files. The other tags are in support/versions.ts.
  projects: [
    {
      name: 'upstream',
      testIgnore: '**/e2e/reach/**',
      grepInvert: /@embedded|@stub|@reach|@ci/,
      use: { backend: 'upstream' },
    },
    {
      name: 'embedded',
      testIgnore: '**/e2e/reach/**',
      grepInvert: /@upstream|@stub|@ci/,
      use: { backend: 'embedded' },
    },
    { name: 'stub', testIgnore: '**/e2e/reach/**', grep: /@stub/, grepInvert: /@ci/, use: { backend: 'embedded' } },
    {
      name: 'ci-upstream',
      testIgnore: '**/e2e/reach/**',
      grep: /@ci/,
      grepInvert: /@embedded|@stub|@reach/,
      use: { backend: 'upstream' },
    },
    {
      name: 'ci-embedded',
      testIgnore: '**/e2e/reach/**',
      grep: /@ci/,
      grepInvert: /@upstream|@stub/,
      use: { backend: 'embedded' },
    },
    { name: 'ci-stub', testIgnore: '**/e2e/reach/**', grep: /^(?=.*@stub)(?=.*@ci)/, use: { backend: 'embedded' } },
    {
      name: 'newest',
      testMatch: [
        'reach/*.spec.ts',
        'files{,-apply}.spec.ts',
        'sdk-{results,recorder,holds}.spec.ts',
        'replica*.spec.ts',
      ],
      grep: process.env['FLAGDECK_ALL_CASES'] ? /./ : /@smoke/,
      grepInvert: inapplicable(NEWEST_VERSION),
      use: { backend: 'upstream', version: NEWEST_VERSION },
    },
  ],
});
