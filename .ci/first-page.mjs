// What a browser fetches before the first row of the list, from the built console: JavaScript, styles and HTML,
// compressed as the binary serves them. Exit code 1 above the budget, or when the page names less than that.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const BUDGET = 120_000;
const dist = process.argv[2] ?? 'frontend/dist';

const html = readFileSync(path.join(dist, 'index.html'), 'utf8');
const linked = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(([, file]) => file);
// A chunk of its own only where the bundler does not put it with the rest.
const list = readdirSync(path.join(dist, 'assets')).filter((file) => /^ToggleListPage-[^.]+\.js$/.test(file));

const files = new Set(['index.html', ...linked, ...list.map((file) => `assets/${file}`)]);
// A set takes what is added while it is gone through.
for (const file of files) {
  if (!file.endsWith('.js')) continue;
  const code = readFileSync(path.join(dist, file), 'utf8');
  for (const [, name] of code.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) files.add(`assets/${name}`);
}
if (linked.length === 0) throw new Error(`${dist}/index.html links no scripts: is it built?`);

let total = 0;
for (const file of files) {
  const { size } = statSync(path.join(dist, `${file}.br`));
  total += size;
  console.log(`${String(size).padStart(7)}  ${file}`);
}
console.log(`${String(total).padStart(7)}  of at most ${BUDGET} bytes`);
// What the page itself does not name is asked for only once something else has come that does.
const late = [...files].filter((file) => file.endsWith('.js') && !linked.includes(file));
if (late.length > 0) console.log(`the page does not name ${late.join(', ')}`);
process.exitCode = total > BUDGET || late.length > 0 ? 1 : 0;
