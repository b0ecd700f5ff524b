// Observes and interrupts the writes of the binary: a proxy between it and its flag service.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BINARY, testEnvironment } from './binary';
import { gate } from './gate';

export interface Observed {
  /** True if the command was killed, false if it ended before. */
  killed: boolean;
  /** Exit code; null if the command was killed. */
  code: number | null;
  /** Method, path and status of each write. */
  writes: string[];
  output: string;
  errors: string;
}

/**
 * Runs `flagdeck ARGUMENTS --to URL` with a proxy to `upstream`, and kills it after its write number `last`, which the flag service
 * has completed and to which the command gets no response.
 */
export function runUntilWrite(upstream: string, last: number, ...args: string[]): Promise<Observed> {
  return observeWrites(upstream, async (writes) => writes.length === last, ...args);
}

/**
 * Runs `flagdeck ARGUMENTS --to URL` with a proxy to `upstream`. `afterWrite` runs after each write that the flag service has completed;
 * the command gets the response afterwards, or is killed if it returns true.
 */
export async function observeWrites(
  upstream: string,
  afterWrite: (writes: readonly string[]) => Promise<boolean>,
  ...args: string[]
): Promise<Observed> {
  const writes: string[] = [];
  const reached = gate();
  let failure: unknown;
  const handle = async (from: IncomingMessage, to: ServerResponse) => {
    const { head, body } = await forward(upstream, from);
    // Newer servers search events with a POST.
    if (from.method !== 'GET' && !from.url?.endsWith('/search')) {
      writes.push(`${from.method} ${from.url} ${head.statusCode}`);
      if (await afterWrite(writes)) return reached.open();
    }
    respond(to, head, body);
  };
  const proxy = createServer((from, to) => {
    handle(from, to).catch((error: unknown) => {
      failure ??= error;
      reached.open();
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const child = spawn(BINARY, [...args, '--to', `http://127.0.0.1:${port}`], {
    env: testEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const closed = once(child, 'close');
  const killed = await Promise.race([reached.opened.then(() => child.kill('SIGKILL')), closed.then(() => false)]);
  await closed;
  proxy.closeAllConnections();
  proxy.close();
  if (failure) throw failure;
  return { killed, code: child.exitCode, writes, output, errors };
}

/** Sends the request to the flag service, and returns its complete response. */
async function forward(upstream: string, from: IncomingMessage): Promise<{ head: IncomingMessage; body: Buffer }> {
  const { method, url, headers } = from;
  const onward = request(new URL(url ?? '/', upstream), { method, headers: { ...headers, connection: 'close' } });
  from.pipe(onward);
  const [head] = (await once(onward, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of head) chunks.push(chunk);
  return { head, body: Buffer.concat(chunks) };
}

function respond(to: ServerResponse, { statusCode = 502, headers }: IncomingMessage, body: Buffer): void {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...rest } = headers;
  to.writeHead(statusCode, { ...rest, ...(body.length > 0 && { 'content-length': body.length }) });
  to.end(body);
}
