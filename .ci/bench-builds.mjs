// Prints the size, start and idle memory of the release binary `FLAGDECK_BIN`, and the time of builds in a fresh clone of the current
// commit (`make bench`). The dependencies are downloaded before.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

const STARTS = 21;
const IDLE_MS = 5_000;

/** Starts the binary in front of an upstream that does not exist. Returns milliseconds until its first response, and its memory in bytes. */
async function measureStart(idleMs) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  const begin = performance.now();
  const args = ['--listen', `127.0.0.1:${port}`, '--upstream', 'http://127.0.0.1:1', '--log-level', 'error'];
  const binary = spawn(env.FLAGDECK_BIN, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  while (!(await fetch(`http://127.0.0.1:${port}/-/health`).catch(() => undefined)));
  const time = performance.now() - begin;
  await delay(idleMs);
  const pages = Number(readFileSync(`/proc/${binary.pid}/statm`, 'utf8').split(' ')[1]);
  binary.kill();
  await once(binary, 'exit');
  return { time, memory: pages * 4096 };
}

/** Runs a command, and prints its duration in seconds. */
function build(name, command, args, cwd) {
  const begin = performance.now();
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(`${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}

const starts = [];
for (let start = 0; start < STARTS; start++) starts.push((await measureStart(0)).time);
starts.sort((one, other) => one - other);
console.log(`binary: ${(statSync(env.FLAGDECK_BIN).size / 1e6).toFixed(1)} MB`);
console.log(`first response: ${starts[STARTS >> 1].toFixed(1)} ms after the start (median of ${STARTS})`);
console.log(`idle: ${((await measureStart(IDLE_MS)).memory / 1e6).toFixed(1)} MB`);

const place = mkdtempSync(join(tmpdir(), 'flagdeck-builds-'));
try {
  // Each build includes the console.
  delete env.FLAGDECK_FRONTEND_DIST;
  execFileSync('git', ['clone', '--quiet', '.', place]);
  build('first build of `make run`', 'cargo', ['build', '--quiet', '--locked'], place);
  appendFileSync(join(place, 'src/lib.rs'), '// Changed.\n');
  build('build after a changed Rust line', 'cargo', ['build', '--quiet', '--locked'], place);
  build('release build', 'make', ['--silent', 'build'], place);
} finally {
  rmSync(place, { recursive: true });
}
