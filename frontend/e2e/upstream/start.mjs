// Starts a real flag service on a PostgreSQL of its own, both on free loopback ports and in one temporary folder.
//
//   node start.mjs [VERSION] [durable] [demo]
//
// VERSION is a folder of ../servers, or 3.17.6 (default). Prints {"url": "http://127.0.0.1:PORT"} when the service is
// ready; from 4.2 on also the accounts and client tokens that it created (see accounts.mjs). Then it reads standard input:
// a line `reset` empties the service and prints {"reset": true}; users, tokens and sessions remain. A line `kill` ends the process
// of the service with SIGKILL and prints {"killed": true}; after it, `restart` starts the service again with its data on the
// same port, and prints the first line again. The end of the input, SIGTERM or SIGINT ends both servers and removes the folder.
// `durable` is for measurements: commits wait for the disk, and the service keeps its own intervals. With `demo`, a service from
// 4.2 on signs in everyone with an email address. A failure is one sentence on standard error and exit code 1.
//
// With the VERSION `postgres`, there is no flag service: the URL is that of a database, which `reset` empties.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { startDatabase } from './database.mjs';
import { freePort } from './freePort.mjs';
import { startPostgres } from './postgres.mjs';

const DEFAULT_VERSION = '3.17.6';
const DATABASE_ONLY = 'postgres';
const FLAGS = ['durable', 'demo'];
const flags = process.argv.slice(2).filter((argument) => FLAGS.includes(argument));
const version = process.argv.slice(2).find((argument) => !FLAGS.includes(argument)) ?? DEFAULT_VERSION;
const folder = mkdtempSync(path.join(tmpdir(), 'flagdeck-upstream-'));
let postgres;
/** The process of the flag service, while it should run. */
let service;
/** What the first process of the flag service has created in the database. */
let known;
let stopping;

/** Ends all processes. A second call waits for the first. */
function stop(code) {
  stopping ??= (async () => {
    await endService();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
    process.exit(code);
  })();
  return stopping;
}

function fail(error) {
  process.stderr.write(`The real flag service ${version} failed: ${error?.message ?? error}\n`);
  return stop(1);
}

function print(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Starts the process of the flag service, which loads its module until it gets its settings. */
function forkService() {
  const child = fork(path.join(import.meta.dirname, 'service.mjs'), [version, ...flags], { serialization: 'advanced' });
  // It has written its failure to standard error.
  child.once('exit', () => child === service && stop(1));
  return child;
}

async function endService() {
  const child = service;
  service = undefined;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // At once: the service keeps idle connections open for a minute, and its data is temporary or survives a kill.
  child.kill('SIGKILL');
  await exited;
}

/** Resolves with the next message of the flag service. After a failure, this process ends instead. */
async function receive() {
  const [message] = await once(service, 'message');
  return message;
}

async function configureService(options) {
  service.send({ options, known });
  const message = await receive();
  known = message.known;
  print(message.ready);
}

/** Returns what the lines of standard input do. */
async function startReal() {
  service = forkService();
  postgres = await startPostgres(folder, flags.includes('durable'));
  const options = { ...postgres.settings, port: await freePort() };
  await configureService(options);
  return {
    async reset() {
      service.send('reset');
      print(await receive());
    },
    async kill() {
      await endService();
      print({ killed: true });
    },
    async restart() {
      service = forkService();
      await configureService(options);
    },
  };
}

async function startDatabaseOnly() {
  postgres = await startPostgres(folder, flags.includes('durable'));
  const { ready, reset } = await startDatabase(postgres.settings);
  print(ready);
  return {
    async reset() {
      await reset();
      print({ reset: true });
    },
  };
}

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop(0));
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
const starting = version === DATABASE_ONLY ? startDatabaseOnly() : startReal();
createInterface({ input: process.stdin })
  .on('line', async (line) => (await starting)[line]?.())
  .on('close', () => stop(0));
await starting;
