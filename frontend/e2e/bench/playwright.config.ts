import { defineConfig } from '@playwright/test';
import tests from '../../playwright.config';

/** `npm run bench`: measures the console of the binary in FLAGDECK_BIN and prints the figures. Slow figures do not fail the run. */
export default defineConfig({
  ...(tests.use && { use: { ...tests.use, trace: 'off', contextOptions: {} } }),
  testDir: '.',
  globalSetup: '../support/checkBinary.ts',
  testMatch: ['console.ts', 'lab.ts', 'mainThread.ts', 'newer.ts'],
  outputDir: '../results/bench',
  // One test at a time, because parallel work would distort the figures.
  workers: 1,
  reporter: [['dot']],
  timeout: 900_000,
});
