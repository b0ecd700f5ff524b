// A server for tests of stateful modules: it replaces `fetch`, so that a test controls the order and the content of responses.
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { baseUrl } from '@/lib/urls';
import type { ResponseData } from './responses';

type Handler = (request: FakeRequest) => ResponseData;

/** A request that the console sent. */
export interface FakeRequest {
  /** Method and path with query, such as `GET api/admin/features?tag=a`. */
  readonly line: string;
  readonly headers: Headers;
  /** The parsed body; undefined without one. */
  readonly body: unknown;
  /** Aborted when the console gives up. */
  readonly signal: AbortSignal | undefined;
}

/** A request whose response the test sends. */
export interface HeldRequest extends FakeRequest {
  respond(response?: ResponseData): void;
  /** Breaks the connection before the response. */
  disconnect(): void;
  /** Breaks the connection after the head of the response and a part of its body. */
  disconnectInBody(): void;
}

export class FakeServer {
  /** All requests, oldest first. */
  readonly requests: FakeRequest[] = [];
  readonly #handlers = new Map<string, Handler>();
  readonly #overrides = new Map<string, ResponseData>();
  readonly #held = new Set<string>();
  readonly #waiting: HeldRequest[] = [];
  readonly #unexpected: string[] = [];

  /** Declares the response to a request, or changes it. */
  on(line: string, response: ResponseData | Handler): void {
    this.#handlers.set(line, typeof response === 'function' ? response : () => response);
  }

  /** Declares the response to all requests below a path, whatever was declared for each; undefined ends that. */
  onAny(path: string, response: ResponseData | undefined): void {
    if (response) this.#overrides.set(path, response);
    else this.#overrides.delete(path);
  }

  /** Lets later requests wait for `take`, which the test then responds to. */
  hold(line: string): void {
    this.#held.add(line);
  }

  /** Responds to later requests at once again. */
  release(line: string): void {
    this.#held.delete(line);
  }

  /** Waits for the oldest held request that no other call has taken. Works with fake timers, without advancing them. */
  async take(line: string): Promise<HeldRequest> {
    for (let turn = 0; turn < 100; turn += 1) {
      const position = this.#waiting.findIndex((request) => request.line === line);
      const [request] = position < 0 ? [] : this.#waiting.splice(position, 1);
      if (request) return request;
      await Promise.resolve();
    }
    throw new Error(`no request: ${line}\nsent: ${this.requests.map((request) => request.line).join(', ')}`);
  }

  /** Responds to all held requests, oldest first, and to later ones at once. */
  respondToAll(line: string): void {
    this.release(line);
    for (const request of this.#waiting.splice(0)) {
      if (request.line === line) request.respond();
      else this.#waiting.push(request);
    }
  }

  /** Number of requests sent so far. */
  count(line: string): number {
    return this.bodies(line).length;
  }

  /** Bodies of the requests sent so far, oldest first. */
  bodies(line: string): unknown[] {
    return this.requests.filter((request) => request.line === line).map(({ body }) => body);
  }

  /** Fails the test if a request was sent that it did not declare. */
  assertAllExpected(): void {
    expect(this.#unexpected, 'requests without a declared response').toEqual([]);
  }

  fetch = (url: URL | string, init: RequestInit = {}): Promise<Response> => {
    const line = `${init.method ?? 'GET'} ${String(url).slice(new URL('.', baseUrl).href.length)}`;
    const request: FakeRequest = {
      line,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
      signal: init.signal ?? undefined,
    };
    this.requests.push(request);
    return new Promise((resolve, reject) => {
      const abort = () => reject(request.signal?.reason);
      if (request.signal?.aborted) return abort();
      request.signal?.addEventListener('abort', abort);
      const respond = (response: ResponseData = this.#handle(request)) => resolve(toResponse(response));
      const disconnect = () => reject(new TypeError('Failed to fetch'));
      const disconnectInBody = () => resolve(toBrokenResponse());
      if (this.#held.has(line)) this.#waiting.push({ ...request, respond, disconnect, disconnectInBody });
      else respond();
    });
  };

  #handle(request: FakeRequest): ResponseData {
    const path = request.line.slice(request.line.indexOf(' ') + 1);
    for (const [start, response] of this.#overrides) if (path.startsWith(start)) return response;
    const handler = this.#handlers.get(request.line);
    if (handler) return handler(request);
    this.#unexpected.push(request.line);
    return { status: 404, body: { message: `no response is declared for ${request.line}` } };
  }
}

function toResponse({ status = 200, body, headers = {} }: ResponseData): Response {
  if (body === undefined) return new Response(null, { status, headers });
  if (typeof body === 'string')
    return new Response(body, { status, headers: { 'content-type': 'text/html', ...headers } });
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

function toBrokenResponse(): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"name":'));
    },
    pull(controller) {
      controller.error(new TypeError('network error'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

/** Installs a new server and fake timers for each test of the file. */
export function installFakeServer(): () => FakeServer {
  let server = new FakeServer();
  beforeEach(() => {
    server = new FakeServer();
    vi.useFakeTimers();
    vi.stubGlobal('fetch', server.fetch);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  return () => server;
}
