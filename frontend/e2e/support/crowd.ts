// Many instances of an application, each with its own connection, which poll the toggles at an interval.

import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const PAUSE_MS = 50;

interface Instance {
  agent: Agent;
  etag: string;
  /** The number of restarts before its last response. */
  restarts: number;
}

export interface Round {
  /** The number of responses. */
  responses: number;
  /** The number of responses that were marked as stale. */
  stale: number;
  /** Statuses other than 200 and 304, and lost connections that no restart explains. */
  failures: string[];
}

export class Crowd {
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #instances: Instance[];
  #restarts = 0;

  constructor(url: string, headers: Record<string, string>, count: number) {
    this.#url = new URL('api/client/features', url);
    this.#headers = headers;
    this.#instances = Array.from({ length: count }, () => ({
      agent: new Agent({ keepAlive: true, maxSockets: 1 }),
      etag: '',
      restarts: 0,
    }));
  }

  /** Polls once from each instance, evenly distributed over the interval. */
  async poll(intervalMs: number): Promise<Round> {
    const round: Round = { responses: 0, stale: 0, failures: [] };
    const gap = intervalMs / this.#instances.length;
    await Promise.all(
      this.#instances.map(async (instance, index) => {
        await wait(index * gap);
        await this.#pollOnce(instance, round);
      }),
    );
    return round;
  }

  /** Restarts the program. Until its next response, an instance may lose its connection, and then polls again. */
  async restart(restart: () => Promise<void>): Promise<void> {
    this.#restarts += 1;
    await restart();
  }

  stop(): void {
    for (const { agent } of this.#instances) agent.destroy();
  }

  async #pollOnce(instance: Instance, round: Round): Promise<void> {
    try {
      const { status, stale } = await this.#request(instance);
      round.responses += 1;
      if (stale) round.stale += 1;
      if (status !== 200 && status !== 304) round.failures.push(`status ${status}`);
      instance.restarts = this.#restarts;
    } catch (error) {
      if (instance.restarts === this.#restarts) {
        round.failures.push(String(error));
        return;
      }
      await wait(PAUSE_MS);
      await this.#pollOnce(instance, round);
    }
  }

  #request(instance: Instance): Promise<{ status: number | undefined; stale: boolean }> {
    const headers = { ...this.#headers, ...(instance.etag && { 'if-none-match': instance.etag }) };
    return new Promise((resolve, reject) => {
      const request = get(this.#url, { agent: instance.agent, headers }, (response) => {
        response.resume().on('end', () => {
          instance.etag = response.headers.etag ?? '';
          resolve({ status: response.statusCode, stale: 'x-flagdeck-stale' in response.headers });
        });
        response.on('error', reject);
      });
      request.on('error', reject);
    });
  }
}
