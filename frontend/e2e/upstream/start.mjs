// Starts a real flag service on a PostgreSQL of its own, both on free loopback ports and in one temporary folder.
//
//   node start.mjs [VERSION] [durable] [demo]
//
// VERSION is a folder of ../servers, or 3.17.6 (default). Prints {"url": "http://127.0.0.1:PORT"} when the service is
// ready; from 4.2 on also the accounts and client tokens that it created (see accounts.mjs). Then it reads standard input:
// a line `reset` empties the service and prints {"reset": true}; users, tokens and sessions remain. The end of the input,
// SIGTERM or SIGINT ends both servers and removes the folder. `durable` is for measurements: commits wait for the disk,
// and the service keeps its own intervals. With `demo`, a service from 4.2 on signs in everyone with an email address. A failure is one sentence on standard error and exit code 1.
//
// With the VERSION `postgres`, there is no flag service: the URL is that of a database, which `reset` empties.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { startDatabase } from './database.mjs';
import { freePort, startPostgres } from './postgres.mjs';
import { startVersion3 } from './version3.mjs';
import { startVersion4 } from './version4.mjs';

// Suppresses deprecation warnings of the old version of express.
process.env.NO_DEPRECATION = 'express';
const DEFAULT_VERSION = '3.17.6';
const DATABASE_ONLY = 'postgres';
/** Error codes of PostgreSQL. */
const FOREIGN_KEY_VIOLATION = '23503';
const DEADLOCK = '40P01';
const isDurable = process.argv.includes('durable');
const isDemo = process.argv.includes('demo');
const version = process.argv.slice(2).find((argument) => !['durable', 'demo'].includes(argument)) ?? DEFAULT_VERSION;
const folder = mkdtempSync(path.join(tmpdir(), 'flagdeck-upstream-'));
const problems = [];
let database;
let service;
let stopping;

/** Returns the module `unleash-server` of this version. */
async function load() {
  const home = version === DEFAULT_VERSION ? '.' : `../servers/${version}`;
  const root = path.join(import.meta.dirname, home, 'node_modules/unleash-server');
  if (!existsSync(root)) {
    throw new Error(
      `The flag service ${version} is not installed; run npm ci in ${path.join(import.meta.dirname, home)}`,
    );
  }
  const { exports, main } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const module = await import(pathToFileURL(path.join(root, exports ?? main)));
  return module.default ?? module;
}

/** Returns a logger that prints nothing, because standard output is for this script, and keeps errors for its message. */
function quietLogger() {
  const keep = (...parts) => problems.push(parts.map((part) => part?.message ?? String(part)).join(' '));
  return { debug() {}, info() {}, warn() {}, error: keep, fatal: keep };
}

/** Ends both servers and the process. A second call waits for the first. */
function stop(code) {
  stopping ??= (async () => {
    // Does not wait: the service keeps idle connections open for a minute, and ends with this process.
    service?.close();
    await database?.stop();
    rmSync(folder, { recursive: true, force: true });
    process.exit(code);
  })();
  return stopping;
}

function fail(error) {
  const detail = problems.length > 0 ? `\n${problems.slice(-5).join('\n')}` : '';
  process.stderr.write(`The real flag service ${version} failed: ${error?.message ?? error}${detail}\n`);
  return stop(1);
}

function print(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function reset() {
  try {
    await service.reset();
  } catch (error) {
    // The service still writes after its responses, and locks the tables in another order.
    if (error?.code !== DEADLOCK) throw error;
    return reset();
  }
  print({ reset: true });
}

function handleRejection(error) {
  // The service reacts to events later: a reset may have removed their toggle meanwhile, or be waiting for its locks.
  if (![FOREIGN_KEY_VIOLATION, DEADLOCK].includes(error?.code)) fail(error);
}

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop(0));
process.on('uncaughtException', fail);
process.on('unhandledRejection', handleRejection);
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line === 'reset') reset().catch(fail);
  })
  .on('close', () => stop(0));

try {
  const unleash = version === DATABASE_ONLY ? undefined : await load();
  database = await startPostgres(folder, isDurable);
  const options = {
    ...database.settings,
    port: await freePort(),
    versionCheck: { enable: false },
    getLogger: quietLogger,
  };
  const start = version.startsWith('3.') ? startVersion3 : startVersion4;
  service = unleash ? await start(unleash, options, isDurable, isDemo, version) : await startDatabase(options);
  // The migrations add a listener that ends the process.
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', handleRejection);
  print(service.ready);
} catch (error) {
  await fail(error);
}
