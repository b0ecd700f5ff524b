// An application with a real client library, in the process of the test; see ../sdk/package.json.

import { type EventEmitter, once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The last of the 3.x line, which the API is of, and the newest. */
export const MAJORS = [3, 6] as const;

export const REQUIRE = createRequire(path.join(import.meta.dirname, '../sdk/package.json'));

/** What the tests use of it, in all versions alike. */
interface Unleash extends EventEmitter {
  isEnabled(name: string, context?: Context): boolean;
  getVariant(name: string, context?: Context): { name: string; payload?: { type: string; value: string } };
  flushMetrics(): Promise<void>;
  destroy(): void;
}

interface Context {
  userId?: string;
  environment?: string;
}

export class Application {
  readonly unleash: Unleash;
  /** What the library could not do. */
  readonly faults: string[] = [];

  private constructor(unleash: Unleash) {
    this.unleash = unleash;
    for (const event of ['error', 'warn'])
      unleash.on(event, (fault) => this.faults.push(`${event}: ${fault.message ?? fault}`));
  }

  /** Starts it, and waits until it has registered and read the toggles. */
  static async start(major: number, url: string, folder: string, name: string): Promise<Application> {
    const { Unleash } = REQUIRE(`unleash-client-${major}`);
    const unleash: Unleash = new Unleash({
      appName: name,
      instanceId: `${name}-1`,
      url: `${url}api/`,
      backupPath: folder,
      // More often than anybody would in earnest, so that a test need not wait.
      refreshInterval: 500,
      // Metrics are sent when the test says so.
      metricsInterval: 3_600_000,
    });
    const application = new Application(unleash);
    await Promise.all([once(unleash, 'registered'), once(unleash, 'synchronized')]);
    return application;
  }

  /** Resolves when the library has read toggles that differ from those it had. */
  async changed(): Promise<void> {
    await once(this.unleash, 'changed');
  }

  /** Reports what was counted since the last time. */
  async report(): Promise<void> {
    const sent = once(this.unleash, 'sent');
    await this.unleash.flushMetrics();
    await sent;
  }

  /** The share of many users who get a feature, 0 to 1. */
  share(name: string): number {
    const users = Array.from({ length: 400 }, (_, index) => ({ userId: `user-${index}` }));
    return users.filter((user) => this.unleash.isEnabled(name, user)).length / users.length;
  }
}
