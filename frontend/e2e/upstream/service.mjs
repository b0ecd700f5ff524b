// Runs the real flag service for start.mjs, in a process of its own, so that a test can kill the service and not its database.
//
//   node service.mjs VERSION [durable] [demo]
//
// Messages to it: first { options, known }, the options of the service and what an earlier process has created in its database;
// later 'reset'. Messages from it: { ready, known } and { reset: true }. A failure is one sentence on standard error and exit code 1.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startVersion3 } from './version3.mjs';
import { startVersion4 } from './version4.mjs';

/** The version whose module is beside this file. */
const DEFAULT_VERSION = '3.17.6';
// Suppresses deprecation warnings of the old version of express.
process.env.NO_DEPRECATION = 'express';
/** Error codes of PostgreSQL. */
const FOREIGN_KEY_VIOLATION = '23503';
const DEADLOCK = '40P01';
const [version, ...flags] = process.argv.slice(2);
const problems = [];
let service;

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

/** Returns a logger that prints nothing, because standard output is for start.mjs, and keeps errors for its message. */
function quietLogger() {
  const keep = (...parts) => problems.push(parts.map((part) => part?.message ?? String(part)).join(' '));
  return { debug() {}, info() {}, warn() {}, error: keep, fatal: keep };
}

function fail(error) {
  const detail = problems.length > 0 ? `\n${problems.slice(-5).join('\n')}` : '';
  process.stderr.write(`The real flag service ${version} failed: ${error?.message ?? error}${detail}\n`);
  process.exit(1);
}

async function start(unleash, { options, known }) {
  const startVersion = version.startsWith('3.') ? startVersion3 : startVersion4;
  const all = { ...options, versionCheck: { enable: false }, getLogger: quietLogger };
  service = await startVersion(unleash, all, {
    isDurable: flags.includes('durable'),
    isDemo: flags.includes('demo'),
    version,
    known,
  });
  // The migrations add a listener that ends the process.
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', handleRejection);
  process.send({ ready: service.ready, known: service.known });
}

async function reset() {
  try {
    await service.reset();
  } catch (error) {
    // The service still writes after its responses, and locks the tables in another order.
    if (error?.code !== DEADLOCK) throw error;
    return reset();
  }
  process.send({ reset: true });
}

function handleRejection(error) {
  // The service reacts to events later: a reset may have removed their toggle meanwhile, or be waiting for its locks.
  if (![FOREIGN_KEY_VIOLATION, DEADLOCK].includes(error?.code)) fail(error);
}

process.on('uncaughtException', fail);
process.on('unhandledRejection', handleRejection);
// start.mjs handles the signals of a terminal, and ends this process.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));

// Loads the module while the database starts.
const loading = load().catch(fail);
process.once('message', async (settings) => {
  process.on('message', () => reset().catch(fail));
  await start(await loading, settings).catch(fail);
});
