// Settings of a flight recorder, and reads of the recorded toggles.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import type { Toggle } from '../../src/api/generated/types';
import { expect } from './fixtures';

/** Returns the settings of a recorder. In front of a flag service, the records are in a new file; otherwise beside the database. */
export function recorderSettings(...more: string[]): string[] {
  const file = () => join(mkdtempSync(join(tmpdir(), 'flagdeck-recorder-')), 'flagdeck.db');
  return [...more, '--recorder', ...(more.includes('--replica') ? ['--data', file()] : [])];
}

/** The fixture `settings` with a recorder for each test. */
export const withRecorder =
  (...more: string[]) =>
  // biome-ignore lint/correctness/noEmptyPattern: Playwright parses the pattern to find the dependencies of a fixture.
  async ({}, use: (settings: string[]) => Promise<void>) =>
    use(recorderSettings(...more));

export interface State {
  features?: Pick<Toggle, 'name' | 'enabled' | 'strategies'>[];
  recording?: { since: { by: string } };
}

/** Waits until the newest recorded state matches, and returns the time of its record. */
export async function recorded(
  request: APIRequestContext,
  matches: (state: State) => boolean | undefined,
): Promise<string> {
  let state: State = {};
  await expect(async () => {
    state = await (await request.get('-/state')).json();
    expect(matches(state), JSON.stringify(state)).toBe(true);
  }).toPass();
  return state.recording?.since.by ?? '';
}
