// Settings of a flight recorder, and reads of the recorded toggles.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import { expect } from './fixtures';

/** Returns the settings of a recorder with a new folder. */
export function recorderSettings(...more: string[]): string[] {
  return [...more, '--recorder', join(mkdtempSync(join(tmpdir(), 'flagdeck-recorder-')), 'recorder')];
}

/** The fixture `settings` with a recorder for each test. */
export const withRecorder =
  (...more: string[]) =>
  // biome-ignore lint/correctness/noEmptyPattern: Playwright parses the pattern to find the dependencies of a fixture.
  async ({}, use: (settings: string[]) => Promise<void>) =>
    use(recorderSettings(...more));

export interface State {
  features?: { name: string; enabled: boolean }[];
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
