// Proves the import rules of biome.json: lints a probe file in every layer that imports from every layer.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Modules of every layer, highest layer first, and the packages that few layers may import. */
const MODULES = [
  ...['@/main', '@/routes', '@/layout/Header', '@/features/tags/useTags'],
  ...['@/domain/tags/tags', '@/shared/Form', '@/ui/Card', '@/api/useRead', '@/lib/cx', '@/paths'],
  ...['react', 'react-router-dom', 'swr', 'swr/infinite'],
];

const COMPOSITION = without(MODULES, 'swr', 'swr/infinite');
const FEATURE = without(COMPOSITION, '@/main', '@/routes', '@/layout/Header', '@/features/tags/useTags');
const SHARED = without(FEATURE, '@/domain/tags/tags');
const UI = ['@/ui/Card', '@/lib/cx', 'react'];
const API = ['@/api/useRead', '@/lib/cx', '@/paths', 'react'];
const LIB = ['@/lib/cx', 'react'];

/** Each probe with the modules of `MODULES` that it may import, and relative imports that it may and must not use. */
const PROBES: Record<string, { modules: string[]; relative: string[]; forbidden: string[] }> = {
  'main.tsx': { modules: COMPOSITION, relative: ['./routes'], forbidden: [] },
  'routes.tsx': { modules: COMPOSITION, relative: ['./paths'], forbidden: [] },
  'testing/probe.ts': { modules: COMPOSITION, relative: ['./page'], forbidden: ['../layout/Header'] },
  'layout/Probe.tsx': { modules: COMPOSITION, relative: ['./Header'], forbidden: ['../routes', '../ui/Card'] },
  'features/toggles/Probe.tsx': {
    modules: FEATURE,
    relative: ['./page/useToggle'],
    forbidden: ['../tags/useTags', '../../layout/Header'],
  },
  'features/toggles/list/Probe.tsx': {
    modules: FEATURE,
    relative: ['./RowMenu', '../page/useToggle', '../TogglePage'],
    forbidden: ['../../tags/useTags', '../../../layout/Header'],
  },
  'domain/tags/Probe.tsx': { modules: FEATURE, relative: ['./tags'], forbidden: ['../events/EventTable'] },
  'shared/Probe.tsx': { modules: SHARED, relative: ['./Form'], forbidden: ['../domain/tags/tags', '../ui/Card'] },
  'ui/Probe.tsx': { modules: UI, relative: ['./Card'], forbidden: ['../api/useRead', '../paths'] },
  'api/probe.ts': { modules: API, relative: ['./client'], forbidden: ['../shared/Form', '../lib/cx'] },
  'lib/probe.ts': { modules: LIB, relative: ['./cx'], forbidden: ['../api/useRead', '../paths'] },
  'paths.ts': { modules: LIB, relative: [], forbidden: ['./api/useRead', './features/tags/useTags'] },
};

/** The forms of an import. */
const FORMS = ['import type {} from', 'export * from', 'void import('];

function without(modules: readonly string[], ...removed: string[]): string[] {
  return modules.filter((name) => !removed.includes(name));
}

/** Returns one import per line. */
function importLines(names: readonly string[]): string[] {
  return names.flatMap((name) => FORMS.map((form) => `${form} '${name}'${form.endsWith('(') ? ')' : ''};`));
}

const folder = mkdtempSync(join(tmpdir(), 'import-rules-'));
let reported: { file: string; line: number; message: string }[] = [];

beforeAll(async () => {
  for (const file of ['biome.json', 'enterKey.grit']) copyFileSync(file, join(folder, file));
  for (const [file, { relative, forbidden }] of Object.entries(PROBES)) {
    const path = join(folder, 'src', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, importLines([...MODULES, ...relative, ...forbidden]).join('\n'));
  }
  const { stdout } = await promisify(execFile)(
    join(import.meta.dirname, 'node_modules/.bin/biome'),
    ['lint', '--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=none', 'src'],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error);
  const { diagnostics } = JSON.parse(stdout.split('\n')[0] ?? '') as {
    diagnostics: { message: string; location: { path: string; start: { line: number } } }[];
  };
  reported = diagnostics.map(({ message, location: { path, start } }) => ({ file: path, line: start.line, message }));
});

afterAll(() => rmSync(folder, { recursive: true }));

test.each(Object.entries(PROBES))('%s may import only the layers below', (file, { modules, relative, forbidden }) => {
  const lines = importLines([...MODULES, ...relative, ...forbidden]);
  const numbers = new Set(reported.filter((one) => one.file === `src/${file}`).map(({ line }) => line));
  expect(lines.filter((_, index) => !numbers.has(index + 1))).toEqual(
    importLines([...MODULES.filter((name) => modules.includes(name)), ...relative]),
  );
});

test('every file and folder of src has a probe', () => {
  const layers = readdirSync('src').filter((name) => /^[^.]+(\.tsx?)?$/.test(name));
  expect([...new Set(Object.keys(PROBES).map((file) => file.split('/')[0]))].sort()).toEqual(layers.sort());
});

/** Names of the files of `src`, without tests, whose text matches. */
function filesWith(pattern: RegExp): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^testing\//.test(file));
  return sources.filter((file) => pattern.test(readFileSync(join('src', file), 'utf8'))).sort();
}

test('pages are opened by code through the hooks that ask about unsaved work', () => {
  expect(filesWith(/\buseNavigate\b|\bhistory\.pushState\b/)).toEqual([
    'features/session/SignInDialog.tsx',
    'shared/navigation.ts',
  ]);
});
