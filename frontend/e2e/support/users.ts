// Users of the embedded service (`--auth password`) who may do few things.

import { type APIRequestContext, expect } from '@playwright/test';
import type { Binary } from './binary';

const PASSWORD = 'correct horse';

/** Makes a user with these permissions and no others, and signs in as them. */
export async function signInWith(
  request: APIRequestContext,
  flagdeck: Binary,
  ...permissions: readonly string[]
): Promise<void> {
  const username = `may-${permissions.join('-').toLowerCase()}`;
  const allowed = permissions.flatMap((permission) => ['--permission', permission]);
  await flagdeck.command(['user', 'add', username, ...allowed], `${PASSWORD}\n`);
  const answer = await request.post(`${flagdeck.url}auth/simple/login`, { data: { username, password: PASSWORD } });
  expect(answer.status(), `signing ${username} in`).toBe(200);
}
