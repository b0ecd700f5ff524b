import { defineConfig } from '@playwright/test';
import tests from '../../playwright.config';
import type { BackendOption } from '../support/fixtures';
import { hasEnvironments, inapplicable, short, VERSIONS } from '../support/versions';

/** `make reach`: all tests against each version of the real server, one project for each, for example `server-8.2`. */
export default defineConfig<object, BackendOption>({
  ...tests,
  testDir: '..',
  outputDir: '../results/reach',
  reporter: [['list'], ['../support/summary.ts'], ['./table.ts']],
  projects: VERSIONS.map((version) => ({
    name: `server-${short(version)}`,
    testMatch: hasEnvironments(version) ? '**/*.spec.ts' : '*.spec.ts',
    testIgnore: hasEnvironments(version) ? [] : ['**/e2e/reach/**'],
    grepInvert: inapplicable(version),
    use: { backend: 'upstream' as const, version },
  })),
});
