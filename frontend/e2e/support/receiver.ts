// HTTP server that receives the deliveries of an addon.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  url: string;
  /** Resolves with the body of the oldest request that was not returned yet; otherwise waits for the next request. */
  next(): Promise<string>;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: string[] = [];
  const waiting: ((body: string) => void)[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      response.end();
      const first = waiting.shift();
      if (first) first(body);
      else received.push(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next() {
      const body = received.shift();
      return body === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(body);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
