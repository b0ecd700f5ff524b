// Many instances of an application, each with its own connection, which poll the toggles at an interval or follow a stream.

import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const PAUSE_MS = 50;

interface Instance {
  agent: Agent;
  etag: string;
  /** Its last toggles. */
  body: string;
  /** Time at which it received them. */
  since: number;
  /** Time at which it sent the poll before the one that returned them. */
  lastOld: number;
  /** Time at which it sent its last poll. */
  polled: number;
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
      body: '',
      since: 0,
      lastOld: 0,
      polled: 0,
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

  /** Returns the instances whose toggles match. Times are those of `performance.now`. */
  find(matches: (body: string) => boolean): Pick<Instance, 'since' | 'lastOld'>[] {
    return this.#instances.filter(({ body }) => matches(body));
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
    const [sent, before] = [performance.now(), instance.polled];
    instance.polled = sent;
    return new Promise((resolve, reject) => {
      const request = get(this.#url, { agent: instance.agent, headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => {
          instance.etag = response.headers.etag ?? '';
          if (response.statusCode === 200) Object.assign(instance, { body, since: performance.now(), lastOld: before });
          resolve({ status: response.statusCode, stale: 'x-flagdeck-stale' in response.headers });
        });
        response.on('error', reject);
      });
      request.on('error', reject);
    });
  }
}

/** Open event streams of one application. */
export class Listeners {
  readonly #streams: { response: IncomingMessage; last: string; since: number }[] = [];

  /** Opens streams, and waits for the first event of each. */
  async open(url: string, headers: Record<string, string>, count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const request = get(new URL('api/client/streaming', url), { agent: false, headers });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const stream = { response, last: '', since: 0 };
      // An event is one chunk unless it is longer than a packet, and the events of tests are not.
      response.setEncoding('utf8').on('data', (chunk: string) => {
        // Others are comments.
        if (chunk.includes('data:')) Object.assign(stream, { last: chunk, since: performance.now() });
      });
      await once(response, 'data');
      this.#streams.push(stream);
    }
  }

  /** Returns when each stream whose last event matches received it, on the clock of `performance.now`. */
  receivedAt(matches: (event: string) => boolean): number[] {
    return this.#streams.filter(({ last }) => matches(last)).map(({ since }) => since);
  }

  stop(): void {
    for (const { response } of this.#streams) response.destroy();
  }
}
