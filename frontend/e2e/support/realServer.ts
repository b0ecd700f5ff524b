// Starts a real flag service for tests of `--upstream`; see ../upstream/start.mjs.

import { randomInt } from 'node:crypto';
import path from 'node:path';
import { startProgram } from './process';
import { ENVIRONMENT, ENVIRONMENT_4_2, type Version } from './versions';

export interface Account {
  user: string;
  password: string;
}

export type AccountName = 'admin' | 'operator' | 'colleague' | 'editor' | 'viewer' | 'developer';

interface Ready {
  url: string;
  /** Absent if users sign in with an email address. */
  accounts?: Record<AccountName, Account>;
  clientTokens?: Record<string, string>;
}

/** A process of ../upstream/start.mjs. */
interface Started extends Ready {
  /** Deletes all data, except users, tokens and sessions. */
  reset(): Promise<void>;
  /** Ends the process of the flag service with SIGKILL. Its database goes on. */
  kill(): Promise<void>;
  /** Starts the flag service with its data on the same port after a kill; otherwise does nothing. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A PostgreSQL database. `reset` replaces it by an empty one. */
export type Database = Pick<Started, 'url' | 'reset' | 'stop'>;

export interface RealServer extends Started {
  version: Version;
  /** A client token of the tests' environment. Absent for version 3, which accepts any token. */
  clientToken: string | undefined;
  /** Returns the value of the session cookie of this account, and signs in if its session has ended. */
  session(name: AccountName): Promise<string>;
}

export const startDatabase = (): Promise<Database> => start('postgres');

/** Starts this version; `durable` is for measurements, and with `demo` any email address signs in. */
export async function startRealServer(version: Version, ...options: ('durable' | 'demo')[]): Promise<RealServer> {
  const server = await start(version, ...options);
  const sessions = new Map<AccountName, string>();
  return {
    ...server,
    version,
    clientToken: server.clientTokens?.[version === '4.2.2' ? ENVIRONMENT_4_2 : ENVIRONMENT],
    async session(name) {
      const known = sessions.get(name);
      if (known !== undefined && (await isValid(server.url, known))) return known;
      let created = await signIn(server, name);
      // Some versions store a session only after their response.
      while (!(await isValid(server.url, created))) created = await signIn(server, name);
      sessions.set(name, created);
      return created;
    },
  };
}

async function start(version: string, ...options: ('durable' | 'demo')[]): Promise<Started> {
  const script = path.join(import.meta.dirname, '../upstream/start.mjs');
  const program = startProgram(process.execPath, [script, version, ...options], process.env);
  const readLine = (name: keyof Ready | 'reset' | 'killed') => program.line((line) => line.startsWith(`{"${name}"`));
  const ready: Ready = JSON.parse(await readLine('url'));
  let isKilled = false;
  const command = async (line: string, response: Parameters<typeof readLine>[0]) => {
    const done = readLine(response);
    program.writeLine(line);
    await done;
  };
  return {
    ...ready,
    reset: () => command('reset', 'reset'),
    async kill() {
      await command('kill', 'killed');
      isKilled = true;
    },
    async restart() {
      if (isKilled) await command('restart', 'url');
      isKilled = false;
    },
    async stop() {
      await program.end();
    },
  };
}

export const SESSION_COOKIE = 'unleash-session';

async function isValid(url: string, session: string): Promise<boolean> {
  const response = await fetch(`${url}/api/admin/user`, { headers: { cookie: `${SESSION_COOKIE}=${session}` } });
  return response.ok;
}

async function signIn({ url, accounts }: Ready, name: AccountName): Promise<string> {
  const { user, password } = accounts?.[name] ?? { user: '', password: '' };
  const response = await fetch(`${url}/auth/simple/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': randomAddress() },
    body: JSON.stringify({ username: user, password }),
  });
  const value = new RegExp(`^${SESSION_COOKIE}=([^;]+)`).exec(response.headers.getSetCookie()[0] ?? '')?.[1];
  if (!response.ok || !value) throw new Error(`${name} could not sign in: ${response.status}`);
  return value;
}

/** A new client address for each sign-in, because servers limit the sign-ins of an address. */
function randomAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}
