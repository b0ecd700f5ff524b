// Checks that each statement of the specification has a test. `frontend/e2e/specification.tsv` contains the statements and
// their ids; the title of a test contains the ids that it proves, such as `[S2-033]`. Exit code 1 if a statement has no
// test, or if a test contains an unknown id.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const STATEMENTS = 'frontend/e2e/specification.tsv';
const FOLDERS = ['frontend/e2e', 'frontend/src', 'src/tests'];
const TEST = /\.(spec|test)\.tsx?$|\.rs$/;

const statements = new Map(
  readFileSync(STATEMENTS, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .map(([id, kind, part, text]) => [id, { kind, words: `${part}: ${text}` }]),
);

const named = new Map();
for (const file of FOLDERS.flatMap(filesIn).filter((one) => TEST.test(one))) {
  for (const [id] of readFileSync(file, 'utf8').matchAll(/\bS\d-\d{3}\b/g)) named.set(id, file);
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(place);
    return [place];
  });
}

const bare = [...statements].filter(([id, { kind }]) => kind === 'test' && !named.has(id));
const unknown = [...named].filter(([id]) => !statements.has(id));
for (const [id, { words }] of bare) console.log(`${id}  has no test: ${words}`);
for (const [id, file] of unknown) console.log(`${id}  does not exist, but ${file} contains it`);
const count = [...statements.values()].filter(({ kind }) => kind === 'test').length;
console.log(`${count - bare.length} of ${count} statements have a test`);
process.exitCode = bare.length + unknown.length > 0 ? 1 : 0;
