// Checks the sizes of the pages on which visits start: the compressed HTML, scripts and styles that a browser loads before it shows
// the toggle list, or the page of a toggle. Exit code 1 if a size exceeds its budget, or if index.html does not name a script.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const BUDGETS = { list: 165_000, toggle: 260_000 };
const dist = process.argv[2] ?? 'frontend/dist';

const html = readFileSync(path.join(dist, 'index.html'), 'utf8');
const linked = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(([, file]) => file);
// public/start.js preloads them.
const ofToggle = (html.match(/data-toggle-page="([^"]*)"/)?.[1] ?? '').match(/assets\/[^ ]+/g) ?? [];
if (linked.length === 0 || ofToggle.length === 0)
  throw new Error(`${dist}/index.html names no scripts; build the console first`);

const list = check('list', linked);
// A stylesheet has the name of the chunk that imports it.
const names = ofToggle.map((file) => path.basename(file).replace(/-[^-.]+\.js$/, ''));
const styles = readdirSync(path.join(dist, 'assets')).filter((file) =>
  names.some((name) => new RegExp(`^${name}-[^.]+\\.css$`).test(file)),
);
check('toggle', [...list, ...ofToggle, ...styles.map((file) => `assets/${file}`)]);

/** Prints the files of a page and their total, and returns the files with their imports. */
function check(page, named) {
  const files = new Set(['index.html', ...named]);
  // The loop also visits files that are added during the iteration.
  for (const file of files) {
    if (!file.endsWith('.js')) continue;
    const code = readFileSync(path.join(dist, file), 'utf8');
    for (const [, name] of code.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) files.add(`assets/${name}`);
  }
  let total = 0;
  for (const file of files) {
    const { size } = statSync(path.join(dist, `${file}.br`));
    total += size;
    console.log(`${String(size).padStart(7)}  ${file}`);
  }
  console.log(`${String(total).padStart(7)}  of at most ${BUDGETS[page]} bytes: page of the ${page}`);
  // The browser requests other scripts only after it has loaded the script that imports them.
  const late = [...files].filter((file) => file.endsWith('.js') && !named.includes(file));
  if (late.length > 0) console.log(`index.html does not name ${late.join(', ')}; add a preload`);
  if (total > BUDGETS[page] || late.length > 0) process.exitCode = 1;
  return [...files];
}
