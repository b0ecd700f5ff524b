// A server on this machine that a test can make unreachable: it cuts the connection, or kills the process.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { RealServer } from './realServer';

export interface Cuttable {
  readonly url: string;
  /** Ends all connections, and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCuttable(serverPort: number): Promise<Cuttable> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      // The other end may be cut at any time.
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const cut = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    async restore() {
      await listen(port);
    },
    async stop() {
      if (server.listening) await cut();
    },
  };
}

/** Like `startCuttable`, without a proxy: `cut` kills the flag service, and `restore` starts it again, which takes seconds. */
export function killable(server: RealServer): Cuttable {
  return {
    url: server.url,
    cut: () => server.kill(),
    restore: () => server.restart(),
    // Later tests of the worker use the same server.
    stop: () => server.restart(),
  };
}
