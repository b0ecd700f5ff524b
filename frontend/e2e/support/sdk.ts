// Runs a real client SDK in the test process; see ../sdk/package.json.

import { type EventEmitter, once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The last 3.x version, which matches the API, and the newest version. */
export const MAJORS = [3, 6] as const;

const load = createRequire(path.join(import.meta.dirname, '../sdk/package.json'));

/** Loads a library of ../sdk. Tests call it while they run: others must not need these libraries. */
export function REQUIRE(name: string) {
  try {
    return load(name);
  } catch (cause) {
    throw new Error(`${name} cannot be loaded. Run "npm ci" in frontend/e2e/sdk.`, { cause });
  }
}

/** The part of the SDK that the tests use; it is the same in all versions. */
interface Unleash extends EventEmitter {
  isEnabled(name: string, context?: Context): boolean;
  getVariant(name: string, context?: Context): { name: string; payload?: { type: string; value: string } };
  flushMetrics(): Promise<void>;
  destroy(): void;
  /** Only in the newest version. */
  impactMetrics?: ImpactMetrics;
}

interface ImpactMetrics {
  defineCounter(name: string, help: string): void;
  defineGauge(name: string, help: string): void;
  defineHistogram(name: string, help: string, buckets?: number[]): void;
  incrementCounter(name: string, value?: number, toggles?: FlagContext): void;
  updateGauge(name: string, value: number, toggles?: FlagContext): void;
  observeHistogram(name: string, value: number, toggles?: FlagContext): void;
}

/** Toggles whose results become labels. */
interface FlagContext {
  flagNames: string[];
  context: Context;
}

/** Settings of the newest SDK for event streams. It polls only if it has given up the stream. */
export const STREAMING = { experimentalMode: { type: 'streaming' }, refreshInterval: 3_600_000 };

/** Settings of the newest SDK for polls for changes. */
export const CHANGES = { experimentalMode: { type: 'polling', format: 'delta' } };

/** Runs the example code for Node.js unchanged, except for the import and the folder in which the SDK keeps a copy. */
export function runNodeExample(code: string, folder: string, log: (value: unknown) => void): Unleash {
  const [, imports = '', rest = ''] = /^import (\{.*\}) from 'unleash-client';(.*)$/s.exec(code) ?? [];
  const body = rest.replace('initialize({', `initialize({ backupPath: ${JSON.stringify(folder)},`);
  const run = new Function('library', 'console', `const ${imports} = library;${body}; return unleash;`);
  return run(REQUIRE('unleash-client-6'), { log });
}

interface Context {
  userId?: string;
  environment?: string;
  properties?: { [name: string]: string };
}

export class Application {
  readonly unleash: Unleash;
  /** Errors that the SDK reported. */
  readonly errors: string[] = [];

  private constructor(unleash: Unleash) {
    this.unleash = unleash;
    for (const event of ['error', 'warn'])
      unleash.on(event, (error) => this.errors.push(`${event}: ${error.message ?? error}`));
  }

  /** Starts the SDK and waits until it has registered and read the toggles. */
  static async start(
    major: number,
    url: string,
    folder: string,
    name: string,
    customHeaders: Record<string, string> = {},
    settings: object = {},
  ): Promise<Application> {
    const { Unleash } = REQUIRE(`unleash-client-${major}`);
    const unleash: Unleash = new Unleash({
      appName: name,
      instanceId: `${name}-1`,
      url: `${url}api/`,
      backupPath: folder,
      customHeaders,
      // A short interval, so that tests do not wait.
      refreshInterval: 500,
      // The test sends metrics explicitly.
      metricsInterval: 3_600_000,
      ...settings,
    });
    const application = new Application(unleash);
    await Promise.all([once(unleash, 'registered'), once(unleash, 'synchronized')]);
    return application;
  }

  /** Resolves when the SDK has read changed toggles. */
  async changed(): Promise<void> {
    await once(this.unleash, 'changed');
  }

  /** Reports the counts since the last report. */
  async report(): Promise<void> {
    const sent = once(this.unleash, 'sent');
    await this.unleash.flushMetrics();
    await sent;
  }

  /** Returns the fraction of 400 users for whom the feature is on, 0 to 1. */
  share(name: string): number {
    const users = Array.from({ length: 400 }, (_, index) => ({ userId: `user-${index}` }));
    return users.filter((user) => this.unleash.isEnabled(name, user)).length / users.length;
  }
}
