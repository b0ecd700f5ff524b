// Checks the size of the first page: the compressed scripts, styles and HTML that a browser loads before it shows the
// toggle list. Exit code 1 if the size exceeds the budget, or if index.html does not reference one of the scripts.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const BUDGET = 150_000;
const dist = process.argv[2] ?? 'frontend/dist';

const html = readFileSync(path.join(dist, 'index.html'), 'utf8');
const linked = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(([, file]) => file);
// The bundler may put the page into a separate chunk.
const list = readdirSync(path.join(dist, 'assets')).filter((file) => /^ToggleListPage-[^.]+\.js$/.test(file));

const files = new Set(['index.html', ...linked, ...list.map((file) => `assets/${file}`)]);
// The loop also visits files that are added during the iteration.
for (const file of files) {
  if (!file.endsWith('.js')) continue;
  const code = readFileSync(path.join(dist, file), 'utf8');
  for (const [, name] of code.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) files.add(`assets/${name}`);
}
if (linked.length === 0) throw new Error(`${dist}/index.html references no scripts; build the console first`);

let total = 0;
for (const file of files) {
  const { size } = statSync(path.join(dist, `${file}.br`));
  total += size;
  console.log(`${String(size).padStart(7)}  ${file}`);
}
console.log(`${String(total).padStart(7)}  of at most ${BUDGET} bytes`);
// The browser requests other scripts only after it has loaded the script that imports them.
const late = [...files].filter((file) => file.endsWith('.js') && !linked.includes(file));
if (late.length > 0) console.log(`index.html does not reference ${late.join(', ')}; add a preload`);
process.exitCode = total > BUDGET || late.length > 0 ? 1 : 0;
