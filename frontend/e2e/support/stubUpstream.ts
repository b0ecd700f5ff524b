// Stub of a flag service, for cases that a real server cannot produce: other sign-in methods, rejections, failures.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EMPTY_SERVICE, type ResponseData, type Responses } from '../../src/testing/responses';

export { toggle } from '../../src/testing/responses';

export type StubResponse = ResponseData;

export interface Call {
  method: string;
  path: string;
  /** The query, with the question mark if there is one. */
  query: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

type Responder = StubResponse | ((call: Call) => StubResponse | Promise<StubResponse>);

export class StubUpstream {
  readonly calls: Call[] = [];
  /** Response to every request under /api/admin while no user is signed in. If undefined, no sign-in is required. */
  signIn: object | undefined;
  signedIn = false;
  readonly #responders = new Map<string, Responder>();
  /** 0 selects a free port. */
  #port = 0;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  /** Starts with the responses of a signed-in user of an empty service. */
  static async start(): Promise<StubUpstream> {
    const stub = new StubUpstream();
    stub.respondWith(EMPTY_SERVICE);
    await stub.#listen();
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Restarts on the same port with the same responses. */
  async startAgain(): Promise<void> {
    await this.#listen();
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Sets the response of one endpoint, such as `GET /api/admin/features`. */
  respond(call: string, responder: Responder): void {
    this.#responders.set(call, responder);
  }

  /** Sets the responses of several endpoints. */
  respondWith(responses: Responses): void {
    for (const [call, response] of Object.entries(responses)) this.respond(call.replace(' ', ' /'), response);
  }

  /** Returns all requests of an endpoint so far. */
  called(call: string): Call[] {
    return this.calls.filter(({ method, path }) => `${method} ${path}` === call);
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await read(request);
    this.calls.push(call);
    const { status = 200, body, headers = {} } = await this.#responseTo(call);
    if (body === undefined) return void response.writeHead(status, headers).end();
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(JSON.stringify(body));
  }

  async #responseTo(call: Call): Promise<StubResponse> {
    const responder = this.#responders.get(`${call.method} ${call.path}`);
    const isLogin = responder !== undefined && call.method === 'POST' && call.path.includes('login');
    const isProtected = call.path.startsWith('/api/admin') && !isLogin;
    if (isProtected && this.signIn && !this.signedIn) return { status: 401, body: this.signIn };
    if (responder === undefined) return { status: 404 };
    return typeof responder === 'function' ? responder(call) : responder;
  }
}

async function read(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname: path, search: query } = new URL(request.url ?? '/', 'http://stub');
  return {
    method: request.method ?? '',
    path,
    query,
    headers: request.headers,
    body: text ? JSON.parse(text) : undefined,
  };
}
