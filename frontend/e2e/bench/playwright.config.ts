import { defineConfig } from '@playwright/test';
import tests from '../../playwright.config';

/** `npm run bench`: measures the console of the binary that FLAGDECK_BIN names and prints; nothing can fail by the clock. */
export default defineConfig({
  ...(tests.use && { use: { ...tests.use, trace: 'off' } }),
  testDir: '.',
  testMatch: 'console.ts',
  outputDir: '../results/bench',
  // One thing at a time: whatever else runs is in the figures.
  workers: 1,
  reporter: [['dot']],
  timeout: 900_000,
});
