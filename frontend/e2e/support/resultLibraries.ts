// Reads results with client libraries that receive no definitions: of browsers, and of OpenFeature.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Context, Toggle } from './evaluationCases';
import { type LibraryResult, PYTHON, RUST, type Task } from './evaluationLibraries';
import { REQUIRE } from './sdk';

/** A task with a frontend token. */
export interface ResultTask extends Task {
  token: string;
  /** Names of the toggles with variants, whose own value can be that of a variant. */
  withVariants: string[];
}

/** A context in the format of OpenFeature. */
export type FlatContext = Record<string, string>;

/** Number of requests at the same time. */
const PARALLEL = 8;

/** Returns true if a toggle can have a variant. */
export function hasVariants({ variants, strategies }: Toggle): boolean {
  return variants.length > 0 || strategies.some((strategy) => (strategy.variants ?? []).length > 0);
}

/** Returns the fields of a context without nesting. The user id is also the targeting key. */
export function flatten({ properties, ...fields }: Context): FlatContext {
  return { ...(fields.userId !== undefined && { targetingKey: fields.userId }), ...fields, ...properties };
}

/** Evaluates with the Unleash library of browsers: one client for each context. */
export async function readWithUnleashProxyClient(task: ResultTask): Promise<LibraryResult[][]> {
  const { UnleashClient } = REQUIRE('unleash-proxy-client');
  return byToggle(task, async (context, index) => {
    const client = new UnleashClient({
      url: `${task.url}${index % 2 === 0 ? 'api/frontend' : 'api/proxy'}`,
      clientKey: task.token,
      appName: 'shop-web',
      context,
      usePOSTrequests: index % 4 < 2,
      disableRefresh: true,
      disableMetrics: true,
    });
    await client.start();
    return task.names.map((name): LibraryResult => [client.isEnabled(name), client.getVariant(name).name]);
  });
}

/** Evaluates with the OpenFeature provider of browsers, which reads all flags for a context. */
export async function readWithOpenFeatureWeb(task: ResultTask): Promise<LibraryResult[][]> {
  const { OpenFeature } = REQUIRE('@openfeature/web-sdk');
  const { OFREPWebProvider } = REQUIRE('@openfeature/ofrep-web-provider');
  const withVariants = new Set(task.withVariants);
  return byToggle(task, async (context, index) => {
    const domain = `context-${index}`;
    const headers: [string, string][] = [['Authorization', `Bearer ${task.token}`]];
    const provider = new OFREPWebProvider({ baseUrl: baseUrl(task), headers, cacheMode: 'disabled' });
    await OpenFeature.setProviderAndWait(domain, provider, flatten(context));
    const client = OpenFeature.getClient(domain);
    return task.names.map((name): LibraryResult => {
      if (!withVariants.has(name)) return boolean(client.getBooleanDetails(name, false));
      const [isOn] = boolean(client.getBooleanDetails(`${name}:enabled`, false));
      return [isOn, client.getStringValue(`${name}:variant`, 'none')];
    });
  });
}

/** The part of the OpenFeature client of servers that the tests use. */
interface OpenFeatureClient {
  getBooleanValue(name: string, ifMissing: boolean, context: FlatContext): Promise<boolean>;
  getStringValue(name: string, ifMissing: string, context: FlatContext): Promise<string>;
}

/** Starts the OpenFeature provider of servers, which requests each flag. */
export async function openFeatureOfServer(service: { url: string; token: string }): Promise<OpenFeatureClient> {
  const { OpenFeature } = REQUIRE('@openfeature/server-sdk');
  const { OFREPProvider } = REQUIRE('@openfeature/ofrep-provider');
  const headers: [string, string][] = [['X-API-Key', service.token]];
  await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: baseUrl(service), headers }));
  return OpenFeature.getClient();
}

/** Evaluates with the OpenFeature provider of servers. */
export async function readWithOpenFeatureServer(task: ResultTask): Promise<LibraryResult[][]> {
  const client = await openFeatureOfServer(task);
  return byToggle(task, async (context) => {
    const results: LibraryResult[] = [];
    for (const name of task.names)
      results.push([
        await client.getBooleanValue(`${name}:enabled`, false, flatten(context)),
        await client.getStringValue(`${name}:variant`, 'none', flatten(context)),
      ]);
    return results;
  });
}

/** Evaluates with the Python provider of OpenFeature, which requests each flag. */
export function readWithOpenFeaturePython(task: ResultTask): Promise<LibraryResult[][]> {
  return readWithProgram(task, PYTHON, path.join(import.meta.dirname, '../sdk/python/evaluate_ofrep.py'));
}

/** Evaluates with the Rust provider of OpenFeature, which requests each flag. */
export function readWithOpenFeatureRust(task: ResultTask): Promise<LibraryResult[][]> {
  return readWithProgram(task, RUST);
}

async function readWithProgram(task: ResultTask, program: string, ...args: string[]): Promise<LibraryResult[][]> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const contexts = task.contexts.map(flatten);
  child.stdin.end(JSON.stringify({ ...task, url: baseUrl(task), contexts }));
  return JSON.parse(await text(child.stdout));
}

/** Returns the result of a flag without variants. The name of the variant is that of an error, if there is one. */
function boolean({ value, errorCode }: { value: boolean; errorCode?: string }): LibraryResult {
  return [value, errorCode ?? 'disabled'];
}

function baseUrl({ url }: { url: string }): string {
  return url.replace(/\/$/, '');
}

/** Evaluates contexts in parallel. Returns the results by toggle and then by context. */
async function byToggle(
  { contexts, names }: ResultTask,
  read: (context: Context, index: number) => Promise<LibraryResult[]>,
): Promise<LibraryResult[][]> {
  const results: LibraryResult[][] = [];
  const next = contexts.entries();
  const work = async () => {
    for (const [index, context] of next) results[index] = await read(context, index);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return names.map((_, toggle) => results.map((ofContext) => ofContext[toggle] ?? [false, 'missing']));
}
