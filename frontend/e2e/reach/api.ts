// Fixtures of the tests without a browser: the API of the server, directly and through Flagdeck.

import { type APIRequestContext, expect } from '@playwright/test';
import { test as base, sessionHeaders } from '../support/fixtures';
import type { RealServer } from '../support/realServer';
import { ENVIRONMENT } from '../support/versions';

export { expect };

export const TOGGLES = '/api/admin/projects/default/features';

export function environmentOf(name: string, environment = ENVIRONMENT): string {
  return `${TOGGLES}/${name}/environments/${environment}`;
}

export function strategiesOf(name: string, environment = ENVIRONMENT): string {
  return `${environmentOf(name, environment)}/strategies`;
}

/** A response, with its body parsed if it is JSON. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the fields that it reads.
  body: any;
}

export class Api {
  readonly #request: APIRequestContext;
  readonly #url: string;

  constructor(request: APIRequestContext, url: string) {
    this.#request = request;
    this.#url = url.replace(/\/$/, '');
  }

  async send(
    method: string,
    path: string,
    data?: object | readonly object[],
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    // The old API requires this type also without a body.
    const type = method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' };
    const options = { method, headers: { ...type, ...headers }, maxRedirects: 0, ...(data && { data }) };
    const response = await this.#request.fetch(this.#url + path, options);
    const text = await response.text();
    return { status: response.status(), headers: response.headers(), body: parse(text) };
  }

  /** Sends a request that must succeed and returns the body of the response. */
  async call(method: string, path: string, data?: object): Promise<Reply['body']> {
    const { status, body } = await this.send(method, path, data);
    expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  }

  /** Reads a toggle, applies `change`, and writes it back with its entity tag. `query` can confirm questions. */
  async save(name: string, change: (toggle: Reply['body']) => object, query = ''): Promise<Reply> {
    const path = `/api/admin/features/${name}`;
    const { status, headers, body } = await this.send('GET', path);
    expect(status).toBe(200);
    return this.send('PUT', path + query, change(body), { 'if-match': headers['etag'] ?? '' });
  }

  /** Creates a toggle with these strategies, in this order, through the server's own API and returns them. */
  async createToggle(name: string, ...strategies: object[]): Promise<Reply['body'][]> {
    await this.call('POST', TOGGLES, { name, type: 'release', description: '', impressionData: false });
    const stored: Reply['body'][] = [];
    for (const strategy of strategies) stored.push(await this.call('POST', strategiesOf(name), strategy));
    const order = stored.map(({ id }, sortOrder) => ({ id, sortOrder }));
    if (order.length > 1) await this.call('POST', `${strategiesOf(name)}/set-sort-order`, order);
    return stored;
  }

  /**
   * Sets the variants of a toggle in one environment through the server's own API. Servers from 6.10 on accept the first
   * variants only in a batch.
   */
  async setVariants(name: string, environment: string, variants: readonly object[]): Promise<void> {
    const { status } = await this.send('PUT', `${environmentOf(name, environment)}/variants`, variants);
    if (status < 300) return;
    await this.call('PUT', `${TOGGLES}/${name}/variants-batch`, { environments: [environment], variants });
  }

  /** Returns the stored strategies in their order, without their numbers. */
  async strategies(name: string, environment = ENVIRONMENT): Promise<Reply['body'][]> {
    const stored: Reply['body'][] = await this.call('GET', strategiesOf(name, environment));
    stored.sort((one, other) => one.sortOrder - other.sortOrder);
    return stored.map(({ sortOrder: _, ...strategy }) => strategy);
  }

  /** Returns the state of a toggle in the environment of the tests. */
  async state(name: string): Promise<Reply['body']> {
    return this.call('GET', environmentOf(name));
  }
}

function parse(text: string): Reply['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface ApiFixtures {
  /** The server itself, as an admin. */
  server: Api;
  /** Flagdeck in front of it, in the same session. */
  console: Api;
}

export const test = base.extend<ApiFixtures>({
  server: async ({ realServer, playwright, flagdeck }, use) => {
    // Depends on the binary, because it resets the server.
    expect(flagdeck.url).toBeTruthy();
    const { url } = requireServer(realServer);
    const request = await playwright.request.newContext({ extraHTTPHeaders: await headersOf(realServer) });
    await use(new Api(request, url));
    await request.dispose();
  },

  console: async ({ realServer, playwright, flagdeck }, use) => {
    const environment = { 'flagdeck-environment': ENVIRONMENT };
    const extraHTTPHeaders = { ...(await headersOf(realServer)), ...environment };
    const request = await playwright.request.newContext({ extraHTTPHeaders });
    await use(new Api(request, flagdeck.url));
    await request.dispose();
  },
});

export function requireServer(server: RealServer | undefined): RealServer {
  if (!server) throw new Error('This test needs a real server: use a project of e2e/reach');
  return server;
}

function headersOf(server: RealServer | undefined): Promise<Record<string, string>> {
  return sessionHeaders(requireServer(server), 'operator');
}
