// HTTP server that serves images from another origin.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ImageServer {
  /** Its origin. */
  url: string;
  /** Paths of the requests so far. */
  requests: string[];
  /** `Referer` and `Cookie` headers of the requests so far. */
  disclosed: string[];
  stop(): Promise<void>;
}

const IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><rect width="60" height="60" fill="#0369a1"/></svg>';

export async function startImageServer(): Promise<ImageServer> {
  const requests: string[] = [];
  const disclosed: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    disclosed.push(...[request.headers.referer, request.headers.cookie].filter((value) => value !== undefined));
    if (path.includes('missing')) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(IMAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    disclosed,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
