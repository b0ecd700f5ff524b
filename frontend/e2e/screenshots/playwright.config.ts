import { defineConfig } from '@playwright/test';
import tests from '../../playwright.config';

/** `npm run screenshots`: writes images of every screen and state, and a page that shows them, to `target/screenshots/`. */
export default defineConfig({
  ...(tests.use && { use: { ...tests.use, trace: 'off', screenshot: 'off', timezoneId: 'UTC' } }),
  testDir: '.',
  testMatch: 'screenshots.ts',
  outputDir: '../results/screenshots',
  globalSetup: ['../support/checkBinary.ts', './clearFolder.ts'],
  globalTeardown: './contactSheet.ts',
  workers: 2,
  fullyParallel: true,
  reporter: [['dot']],
  // A scene is rendered eleven times, in five sizes and three themes.
  timeout: 120_000,
  expect: { timeout: 7_500 },
});
