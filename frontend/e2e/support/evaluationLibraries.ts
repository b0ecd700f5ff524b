// Evaluates toggles with client libraries, which read them from a flag service.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Context } from './evaluationCases';
import { type Application, REQUIRE } from './sdk';

/** Installed by `make test`; see ../sdk/python/requirements.txt. */
export const PYTHON = path.join(import.meta.dirname, '../../../target/python-sdk/bin/python');
/** Built by `make sdk`; see ../sdk/rust. */
export const RUST = path.join(import.meta.dirname, '../../../target/rust-sdk/debug/flagdeck-e2e-sdk');

/** Whether the toggle is on, and the name of its variant (`disabled` for none). */
export type LibraryResult = [isOn: boolean, variant: string];

export interface Task {
  /** URL of the flag service, with a trailing slash. */
  url: string;
  names: string[];
  contexts: Context[];
}

/** Evaluates each toggle for each context with this major version of the Node library. */
export async function evaluateWithNode(major: 3 | 4 | 6, folder: string, task: Task): Promise<LibraryResult[][]> {
  const { Unleash } = REQUIRE(`unleash-client-${major}`);
  const unleash = new Unleash({
    appName: `shop-${major}`,
    url: `${task.url}api/`,
    backupPath: folder,
    // The toggles are read once.
    refreshInterval: 3_600_000,
    disableMetrics: true,
  });
  await once(unleash, 'synchronized');
  const results = evaluateWith(unleash, task);
  unleash.destroy();
  return results;
}

/** Evaluates each toggle for each context with a running Node library, all with the same definitions. */
export function evaluateWith(
  unleash: Pick<Application['unleash'], 'isEnabled' | 'getVariant'>,
  { names, contexts }: Omit<Task, 'url'>,
): LibraryResult[][] {
  const atTimes = contexts.map((context) => ({ ...context, currentTime: new Date(context.currentTime) }));
  return names.map((name) =>
    atTimes.map((context): LibraryResult => [unleash.isEnabled(name, context), unleash.getVariant(name, context).name]),
  );
}

interface PythonTask extends Omit<Task, 'contexts'> {
  contexts: Partial<Context>[];
  /** Client token, if the flag service needs one. */
  token?: string;
  /** Folder in which the library keeps its copy of the toggles; by default, one for all applications of this name. */
  cache?: string;
}

/** Evaluates each toggle for each context with the Python library. */
export async function evaluateWithPython(task: PythonTask): Promise<LibraryResult[][]> {
  const script = path.join(import.meta.dirname, '../sdk/python/evaluate.py');
  const child = spawn(PYTHON, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(task));
  return JSON.parse(await text(child.stdout));
}
