// Users of the embedded service (`--auth password`) with few permissions.

import { type APIRequestContext, expect } from '@playwright/test';
import type { Binary } from './binary';

const PASSWORD = 'correct horse';

/** Creates a user with exactly these permissions and signs in. */
export async function signInWith(
  request: APIRequestContext,
  flagdeck: Binary,
  ...permissions: readonly string[]
): Promise<void> {
  const username = `may-${permissions.join('-').toLowerCase()}`;
  const allowed = permissions.flatMap((permission) => ['--permission', permission]);
  await flagdeck.command(['user', 'add', username, ...allowed], `${PASSWORD}\n`);
  const response = await request.post(`${flagdeck.url}auth/simple/login`, { data: { username, password: PASSWORD } });
  expect(response.status(), `signing ${username} in`).toBe(200);
}
