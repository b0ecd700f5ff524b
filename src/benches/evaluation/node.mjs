// Evaluates toggles with the Node client library for the benchmark. The library is in the folder of the first argument.
//
// The first line of standard input is {"features", "segments", "tasks": [{"toggles", "contexts", "repeat"}]}; the
// response is the number of results that are on, for each task. Each further line is the index of a task; the response
// is the time of one repetition in nanoseconds.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { InMemStorageProvider, Unleash } = createRequire(process.argv[2])('unleash-client-6');

async function start({ features, segments }) {
  const library = new Unleash({
    appName: 'bench',
    url: 'http://127.0.0.1:1/',
    bootstrap: { data: features, segments },
    storageProvider: new InMemStorageProvider(),
    refreshInterval: 0,
    disableMetrics: true,
  });
  // It has no server.
  library.on('error', () => {});
  await new Promise((resolve) => library.once('ready', resolve));
  return library;
}

function run(library, { toggles, contexts }) {
  let count = 0;
  for (const name of toggles) {
    for (const context of contexts) if (library.isEnabled(name, context)) count += 1;
  }
  return count;
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const input = JSON.parse((await lines.next()).value);
const library = await start(input);
process.stdout.write(`${JSON.stringify(input.tasks.map((task) => run(library, task)))}\n`);
for await (const line of lines) {
  const task = input.tasks[Number(line)];
  const before = process.hrtime.bigint();
  for (let round = 0; round < task.repeat; round += 1) run(library, task);
  process.stdout.write(`${(process.hrtime.bigint() - before) / BigInt(task.repeat)}\n`);
}
process.exit(0);
