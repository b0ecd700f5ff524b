// The code in the instructions to connect an application, for clients that receive results only.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { axeViolations } from './support/accessibility';
import { PYTHON } from './support/evaluationLibraries';
import { test as base, expect } from './support/fixtures';
import { startForeignSite } from './support/foreignSite';
import { runNodeExample } from './support/sdk';
import { STORED } from './support/slowdown';

/** The code for an application, with a token that pages of any origin can use, and a page of another origin. */
const test = base.extend<{ codeFor: (application: string, sdk: string) => Promise<string>; shop: Page }>({
  shop: async ({ context }, use) => {
    const site = await startForeignSite();
    const shop = await context.newPage();
    await shop.goto(site.url);
    await use(shop);
    await shop.close();
    await site.stop();
  },

  codeFor: async ({ page, ui, flags }, use) => {
    await flags.create({ name: 'my.toggle' });
    const data = { name: 'web', kind: 'frontend', origins: ['*'] };
    const { secret } = await (await page.request.post('api/admin/api-tokens', { data })).json();
    await page.goto('applications');
    await use(async (application, sdk) => {
      await ui.main.getByLabel('Runs on').selectOption(application);
      await ui.main.getByLabel('Client SDK').selectOption(sdk);
      const shown = (await ui.main.getByRole('region', { name: /^Evaluate a toggle/ }).textContent()) ?? '';
      expect(shown).toContain('TOKEN');
      return shown.replace('TOKEN', secret);
    });
  },
});

const SDK_FOLDER = path.join(import.meta.dirname, 'sdk');

/** Runs a program with the code as its standard input, and returns its output. */
async function run(code: string, program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, FORCE_COLOR: '0' };
  const child = spawn(program, args, { cwd: SDK_FOLDER, env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(code);
  return (await text(child.stdout)).trim();
}

/** Runs a module on a page. */
async function runOn(page: Page, code: string): Promise<void> {
  await page.evaluate((module) => import(URL.createObjectURL(new Blob([module], { type: 'text/javascript' }))), code);
}

/** Bundles a module that exports `App` with code that renders it. */
async function bundleReact(code: string): Promise<string> {
  const entry = path.join(SDK_FOLDER, 'page.jsx');
  const app = path.join(SDK_FOLDER, 'app.jsx');
  const page = `import { createRoot } from 'react-dom/client';
import { App } from ${JSON.stringify(app)};
createRoot(document.body).render(<App />);`;
  const sources = new Map([
    [entry, page],
    [app, code],
  ]);
  const result = await build({
    configFile: false,
    root: SDK_FOLDER,
    logLevel: 'error',
    plugins: [
      {
        name: 'sources',
        enforce: 'pre',
        resolveId: (id) => (sources.has(id) ? id : undefined),
        load: (id) => sources.get(id),
      },
    ],
    build: { write: false, rolldownOptions: { input: entry } },
  });
  if (!('output' in result)) throw new Error('Vite builds more than one bundle');
  return result.output[0].code;
}

test.describe('the instructions to connect an application contain code that works', { tag: '@embedded' }, () => {
  for (const [application, sdk] of [
    ['Browser or phone', 'JavaScript'],
    ['OpenFeature', 'Web'],
  ] as const)
    test(`on a page of another origin: ${application}, ${sdk}`, { tag: '@ci' }, async ({ codeFor, shop }) => {
      const code = await codeFor(application, sdk);
      const output = shop.waitForEvent('console', { predicate: (message) => message.type() === 'log' });
      await runOn(shop, code);
      expect((await output).text()).toBe('true');
    });

  test('on a page of another origin: Browser or phone, React', { tag: '@ci' }, async ({ codeFor, shop }) => {
    const code = await bundleReact(await codeFor('Browser or phone', 'React'));
    await runOn(shop, code);
    await expect(shop.locator('p')).toHaveText('on');
  });

  test('in Node: OpenFeature', { tag: '@ci' }, async ({ codeFor }) => {
    const code = await codeFor('OpenFeature', 'Node.js');
    expect(await run(`${code}\nprocess.exit();`, process.execPath, '--input-type=module')).toBe('true');
  });

  test('in Python: OpenFeature', { tag: '@ci' }, async ({ codeFor }, testInfo) => {
    testInfo.skip(!existsSync(PYTHON), 'the Python client library is not installed');
    expect(await run(await codeFor('OpenFeature', 'Python'), PYTHON, '-')).toBe('True');
  });

  test('the token note names the page with tokens', async ({ page, ui, codeFor }) => {
    await codeFor('Browser or phone', 'React');
    await expect(ui.main).toContainText('a frontend token from API tokens that allows the origin of your page');
    await ui.main.getByRole('link', { name: 'API tokens' }).click();
    await expect(page).toHaveURL(/\/tokens$/);
  });
});

base(
  'a new toggle leads to a connected application without an edit of the code',
  { tag: '@embedded' },
  async ({ page, ui, flags }, testInfo) => {
    let clicks = 0;
    const click = async (name: string) => {
      await ui.main
        .getByRole('button', { name, exact: true })
        .or(ui.main.getByRole('link', { name, exact: true }))
        .first()
        .click();
      clicks += 1;
    };
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('features');
    await click('New toggle');
    await ui.nameField.fill('shop.basket');
    await click('Create');
    await click('Connect…');
    const panel = page.getByRole('dialog', { name: 'Connect an application' });
    await expect(panel.getByRole('status')).toHaveText('Waiting for my-app…');
    await expect(panel).toContainText('This is the first client token');
    expect(await axeViolations(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Create token and copy code' }).click();
    await expect(panel).toContainText('The code contains the token');
    await expect(ui.snackbar).toContainText('Copied.');
    const code = await page.evaluate(() => navigator.clipboard.readText());
    // With that one.
    expect(clicks + 1).toBeLessThanOrEqual(8);

    await mkdir(testInfo.outputDir, { recursive: true });
    const results: unknown[] = [];
    const unleash = runNodeExample(code, testInfo.outputDir, (value) => results.push(value));
    try {
      // The example checks the toggle once.
      await expect.poll(() => results).toEqual([true]);
      await expect(panel.getByRole('status')).toHaveText('Connected', STORED);
      await unleash.flushMetrics();
      await expect(panel).toContainText('Connected, 1 check of shop.basket', STORED);
    } finally {
      unleash.destroy();
    }
    expect((await flags.get<{ tokens: object[] }>('admin/api-tokens')).tokens).toMatchObject([
      { name: 'my-app', kind: 'client' },
    ]);
    await panel.getByRole('button', { name: 'Close' }).first().click();
    await expect(panel).toBeHidden();
    await expect(ui.main.getByRole('button', { name: 'Connect…' })).toBeFocused();
  },
);

base.describe('the instructions in front of a real server', { tag: '@upstream' }, () => {
  base('say that OpenFeature needs settings', async ({ page, ui }) => {
    await page.goto('applications');
    await ui.main.getByLabel('Runs on').selectOption('OpenFeature');
    await expect(ui.main).toContainText('with the settings upstream-token and frontend-origin');
    await expect(ui.main.getByRole('region', { name: /^Evaluate a toggle/ })).toBeHidden();
    await ui.main.getByLabel('Runs on').selectOption('Browser or phone');
    await expect(ui.main).toContainText('Enter a frontend token of it');
  });
});
