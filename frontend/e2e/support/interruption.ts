// Interrupts the binary at a write: a proxy between it and its flag service.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BINARY, testEnvironment } from './binary';
import { gate } from './gate';

export interface Interrupted {
  /** True if the command was killed, false if it ended before. */
  killed: boolean;
  /** Method and path of each write. */
  writes: string[];
  errors: string;
}

/**
 * Runs `flagdeck ARGUMENTS --to URL` with a proxy to `upstream`, and kills it after its write number `last`, which the flag service
 * has completed and to which the command gets no response.
 */
export async function runUntilWrite(upstream: string, last: number, ...args: string[]): Promise<Interrupted> {
  const writes: string[] = [];
  const reached = gate();
  const proxy = createServer((from, to) => {
    void forward(upstream, from).then(({ head, body }) => {
      if (from.method !== 'GET') writes.push(`${from.method} ${from.url}`);
      if (from.method !== 'GET' && writes.length === last) reached.open();
      else respond(to, head, body);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const child = spawn(BINARY, [...args, '--to', `http://127.0.0.1:${port}`], {
    env: testEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const closed = once(child, 'close');
  const killed = await Promise.race([reached.opened.then(() => kill(child)), closed.then(() => false)]);
  await closed;
  proxy.closeAllConnections();
  proxy.close();
  return { killed, writes, errors };
}

function kill(child: ChildProcess): boolean {
  return child.kill('SIGKILL');
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
