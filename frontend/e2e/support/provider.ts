// A Flagdeck binary whose users sign in at an OpenID Connect provider.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { Page, TestInfo } from '@playwright/test';
import { type Binary, startBinaryAt } from './binary';
import { type Program, startProgram } from './process';

export interface Site {
  flagdeck: Binary;
  provider: Program;
  stop(): Promise<void>;
}

/** Starts both, below a base path. `settings` must contain the grants. */
export async function startSite(testInfo: TestInfo, ...settings: string[]): Promise<Site> {
  const script = path.join(import.meta.dirname, '../oidc/provider.mjs');
  const provider = startProgram(process.execPath, [script, '/flags/'], process.env);
  const { issuer, origin } = JSON.parse(await provider.line((line) => line.startsWith('{"issuer"')));
  const secret = testInfo.outputPath('secret');
  await writeFile(secret, 'secret\n');
  const flagdeck = await startBinaryAt(
    new URL(origin).host,
    ...['--public-url', origin, '--base-path', '/flags'],
    ...['--data', testInfo.outputPath('flagdeck.db'), '--auth', 'oidc', '--oidc-issuer', issuer],
    ...['--oidc-client-id', 'flagdeck', '--oidc-client-secret', `@${secret}`],
    ...settings,
  );
  return {
    flagdeck,
    provider,
    async stop() {
      await flagdeck.stop();
      await provider.end();
    },
  };
}

/** Sets the groups of all users. */
export async function setGroups(provider: Program, groups: string): Promise<void> {
  const done = provider.line((line) => line.startsWith('{"groups"'));
  provider.writeLine(groups);
  await done;
}

/** Signs in at the page of the provider. */
export async function signInAtProvider(page: Page, user: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(user);
  await page.getByPlaceholder('and password').fill('x');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}
