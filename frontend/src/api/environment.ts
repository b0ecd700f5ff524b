// The environment of a newer server that this tab shows. It is in the URL, so that tabs never mix and links can be shared.
import { readSettings, writeSettings } from '@/lib/localSettings';
import { createPagePrompt } from '@/lib/prompt';
import { createStore, useStore } from '@/lib/store';
import type { NewerServer, ServerEnvironment } from './generated/types';
import { currentSettings, useSettings } from './settings';

/** URL parameter with the name of the environment. */
const ENVIRONMENT_PARAM = 'environment';

/** Request header with the name of the environment. */
export const ENVIRONMENT_HEADER = 'Flagdeck-Environment';

const selected = createStore(nameInUrl());

function nameInUrl(): string | undefined {
  const search = globalThis.location?.search;
  return (search && new URLSearchParams(search).get(ENVIRONMENT_PARAM)) || undefined;
}

/** Returns the environment in the URL; undefined if the user has selected none. */
export const selectedEnvironment = selected.get;

/** Calls the listener when an environment is selected on this page. */
export const onEnvironmentSelected = selected.subscribe;

export function useSelectedEnvironment(): string | undefined {
  return useStore(selected);
}

interface EnvironmentQuestion {
  offered: readonly ServerEnvironment[];
  /** The selected environment, which the server does not have. */
  unknown: string | undefined;
}

/** Asks the user to choose an environment. One for the page, because all requests wait for the same choice. */
export const environmentPrompt = createPagePrompt<EnvironmentQuestion, string>();

/** Returns the environments that a response offers because the request selected none of them. */
export function offeredEnvironments(status: number, body: unknown): readonly ServerEnvironment[] | undefined {
  if (status !== 428 && status !== 400) return undefined;
  const { code, environments } = body as { code?: unknown; environments?: ServerEnvironment[] };
  const isQuestion = code === 'environment_required' || code === 'unknown_environment';
  return isQuestion && Array.isArray(environments) ? environments : undefined;
}

let asked: Promise<string | undefined> | undefined;

/**
 * Resolves with true if this page has an environment that the request for `sent` could not name, so that a read can be
 * repeated. Applies the last selection of this browser, or asks.
 */
export async function chooseEnvironment(
  offered: readonly ServerEnvironment[],
  sent: string | undefined,
): Promise<boolean> {
  if (selected.get() === sent) {
    asked ??= knownChoice(offered, sent) ?? environmentPrompt.ask({ offered, unknown: sent });
    const name = await asked;
    asked = undefined;
    if (name !== undefined) selectEnvironment(name);
  }
  return selected.get() !== sent;
}

/** Returns the text for a write that named no environment, or one that the server does not have (any more). */
export function describeUnsent(sent: string | undefined): string {
  return sent === undefined
    ? 'Not changed: no environment was selected. Select one, then repeat the change.'
    : `Not changed: the server has no environment ${sent}. Choose another one, then repeat the change there.`;
}

/** The last selection of this browser, or the only environment. A selection in the URL is never replaced by another. */
function knownChoice(offered: readonly ServerEnvironment[], sent: string | undefined): Promise<string> | undefined {
  if (sent !== undefined) return undefined;
  const { name: last } = readSettings(STORED, { name: '' });
  const known = offered.length === 1 ? offered[0] : offered.find(({ name }) => name === last);
  return known && Promise.resolve(known.name);
}

const STORED = 'environment';

/**
 * Selects the environment of this tab, and remembers it for tabs without a selection. In place of one that was removed, it loads
 * the page again: drafts, offers to undo and the state on the page belong to that one.
 */
function selectEnvironment(name: string): void {
  if (selected.get() === name) return;
  writeSettings(STORED, { name });
  if (selected.get() !== undefined) location.replace(urlIn(name));
  else {
    selected.set(name);
    history.replaceState(history.state, '', urlIn(name));
  }
}

/** Shows the current page in another environment. Loads it again, which discards all data of the environment before. */
export function openEnvironment(name: string): void {
  writeSettings(STORED, { name });
  location.assign(urlIn(name));
}

/** Returns the URL of the current page in an environment. */
function urlIn(name: string): string {
  const { pathname, search, hash } = location;
  const params = new URLSearchParams(search);
  params.delete(ENVIRONMENT_PARAM);
  return pathname + withEnvironment(`?${params}`, name) + hash;
}

/** Adds the environment to a query, such as `?filter=shop` or an empty text, unless it contains one. */
export function withEnvironment(search: string, name: string): string {
  if (new URLSearchParams(search).has(ENVIRONMENT_PARAM)) return search;
  const start = search === '' || search === '?' ? '?' : `${search}&`;
  return `${start}${ENVIRONMENT_PARAM}=${encodeURIComponent(name)}`;
}

/** The newer server behind this console; undefined for all others, and until it is known. */
export function useNewerServer(): NewerServer | undefined {
  return useSettings()?.server ?? undefined;
}

function currentServer(): NewerServer | undefined {
  return currentSettings()?.server ?? undefined;
}

/** The environment that this tab shows, if the server has environments. */
export function useServerEnvironment(): ServerEnvironment | undefined {
  return environmentOf(useNewerServer(), useSelectedEnvironment());
}

export function currentServerEnvironment(): ServerEnvironment | undefined {
  return environmentOf(currentServer(), selected.get());
}

function environmentOf(server: NewerServer | undefined, inUrl: string | undefined): ServerEnvironment | undefined {
  if (!server) return undefined;
  const { environment: fixed, environments } = server;
  const name = fixed ?? inUrl;
  return environments.length === 1 ? environments[0] : environments.find((one) => one.name === name);
}

/** Returns ` in production` for the end of a message; empty for servers without environments. */
export function inEnvironment(): string {
  const environment = currentServerEnvironment();
  return environment ? ` in ${environment.name}` : '';
}
