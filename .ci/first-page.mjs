// Checks the size of the first page: the compressed scripts, styles and HTML that a browser loads before it shows the
// toggle list. Exit code 1 if the size exceeds the budget, if index.html does not reference one of the scripts, or if the
// stylesheet of the first page lacks a class of its scripts.

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
const unstyled = findUnstyledClasses();
if (unstyled.length > 0) console.log(`firstPage.css leaves out classes of the first page: ${unstyled.join(' ')}`);
process.exitCode = total > BUDGET || late.length > 0 || unstyled.length > 0 ? 1 : 0;

/** Returns the classes in the scripts of the first page that only the stylesheet of the other pages defines. */
function findUnstyledClasses() {
  const sheets = readdirSync(path.join(dist, 'assets')).filter((file) => file.endsWith('.css'));
  const own = new Set(linked.filter((file) => file.endsWith('.css')).flatMap(classesOf));
  const other = new Set(sheets.filter((file) => file.startsWith('pages-')).flatMap((file) => classesOf(`assets/${file}`)));
  const scripts = [...files].filter((file) => file.endsWith('.js')).map((file) => readFileSync(path.join(dist, file), 'utf8'));
  const words = scripts.flatMap((code) => [...code.matchAll(/[`"']([^`"']*)[`"']/g)].flatMap(([, text]) => text.split(/\s+/)));
  // Words without a separator may also be names of events and properties.
  return [...new Set(words)].filter((word) => /^[a-z[-].*[-:[]/.test(word) && other.has(word) && !own.has(word));
}

function classesOf(file) {
  const css = readFileSync(path.join(dist, file), 'utf8');
  const names = [...css.matchAll(/\.((?:[^{},\\:>~\s)]|\\.)+)/g)].map(([, name]) => name);
  // `\31 x` is a code point in hexadecimal digits, `\:` the character itself.
  return names.map((name) =>
    name.replace(/\\(?:([0-9a-f]{1,6}) ?|(.))/g, (_, hex, character) =>
      hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : character,
    ),
  );
}
