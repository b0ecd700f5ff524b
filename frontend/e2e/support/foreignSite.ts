// HTTP server of another origin, whose page uses client libraries of browsers.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const PACKAGES = path.join(import.meta.dirname, '../sdk/node_modules');
/** Modules by the names with which others import them. */
const MODULES = {
  '@openfeature/web-sdk': '@openfeature/web-sdk/dist/esm/index.js',
  '@openfeature/core': '@openfeature/core/dist/esm/index.js',
  '@openfeature/ofrep-web-provider': '@openfeature/ofrep-web-provider/index.esm.js',
  '@openfeature/ofrep-core': '@openfeature/ofrep-web-provider/node_modules/@openfeature/ofrep-core/index.esm.js',
  'unleash-proxy-client': 'unleash-proxy-client/build/main.esm.js',
} as const;
const IMPORTS = Object.fromEntries(Object.entries(MODULES).map(([name, file]) => [name, `/${file}`]));
const PAGE = `<!doctype html><title>Shop</title><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;

export interface ForeignSite {
  /** Its origin. */
  url: string;
  stop(): Promise<void>;
}

export async function startForeignSite(): Promise<ForeignSite> {
  const files: string[] = Object.values(MODULES);
  const server = createServer(async (request, response) => {
    const file = (request.url ?? '').slice(1);
    if (!files.includes(file)) return response.setHeader('content-type', 'text/html').end(PAGE);
    response.setHeader('content-type', 'text/javascript').end(await readFile(path.join(PACKAGES, file)));
    return response;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
