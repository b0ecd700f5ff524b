import { defineConfig } from '@playwright/test';
import tests from '../../playwright.config';
import type { ProductOption } from './fixtures';

/** `npm run browsers`: the main tasks of the console in several browsers, one project for each. */
export default defineConfig<object, ProductOption>({
  testDir: '.',
  globalSetup: '../support/checkBinary.ts',
  testMatch: 'console.ts',
  outputDir: '../results/browsers',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: [['list']],
  ...(tests.timeout && { timeout: tests.timeout }),
  ...(tests.expect && { expect: tests.expect }),
  projects: [
    { name: 'chromium', use: { product: 'chromium' } },
    { name: 'firefox', use: { product: 'firefox' } },
    { name: 'webkit', workers: 1, use: { product: 'webkit' } },
  ],
});
