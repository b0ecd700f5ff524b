import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const FLAG_SERVICE = 'http://127.0.0.1:4242';
const COMPRESSIBLE = /\.(css|html|js|json|svg|txt)$/;

/** What the first page is made of: what these import, other than on demand, comes before the list's first row. */
const FIRST = ['main.tsx', 'features/toggles/ToggleListPage.tsx'].map((file) =>
  fileURLToPath(new URL(`./src/${file}`, import.meta.url)),
);

const LOADED_FIRST = /\/(index|kit|vendor|rolldown-runtime)-[^/]+\.js$/;

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

let firstModules: ReadonlySet<string> | undefined;

function isOfFirstPage(id: string, graph: Graph): boolean {
  if (!firstModules) {
    const found = new Set(FIRST);
    // A set takes what is added while it is gone through.
    for (const one of found) for (const imported of graph.getModuleInfo(one)?.importedIds ?? []) found.add(imported);
    firstModules = found;
  }
  return firstModules.has(id);
}

/** Writes `.br` and `.gz` beside every text file, so that the binary never compresses while it serves. */
function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
        const file = join(entry.parentPath, entry.name);
        const bytes = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(bytes));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  // Relative addresses resolve against <base href>, which the binary sets to where it is mounted.
  base: './',
  plugins: [react(), tailwindcss(), precompress()],
  resolve: {
    alias: [
      { find: /^@\//, replacement: fileURLToPath(new URL('./src/', import.meta.url)) },
      // Its package only ever offers the build that carries the warnings for developers.
      {
        find: /^react-router$/,
        replacement: fileURLToPath(new URL('./node_modules/react-router/dist/production/index.mjs', import.meta.url)),
      },
    ],
  },
  build: {
    outDir: 'dist',
    target: 'es2023',
    // Every browser of that age preloads modules by itself.
    // What the first page has loaded needs no mention in the list of what each later page loads; that list is part of it.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((one) => one !== file && !LOADED_FIRST.test(one)),
    },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page needs changes rarely: one chunk that stays cached over releases.
            { name: 'vendor', test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|swr)\// },
            // Dialogs bring focus and positioning code; nothing of it is needed before the first row.
            { name: 'overlay', test: /node_modules\/(@base-ui|@floating-ui)\// },
            // The first page in one piece; what its first row does without comes with the pages that need it.
            {
              debugName: 'kit',
              name: (id, graph) => (isOfFirstPage(id, graph) ? 'kit' : null),
              test: /src\/(ui|lib|api|shared|features|layout)\//,
            },
            // One request for what later pages share, not a dozen; but few want the names of two thousand icons.
            {
              name: 'more',
              test: /src\/(ui|lib|api|shared|features|layout)\/(?!Material|material|iconNames)|node_modules\/lucide-react\//,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': FLAG_SERVICE, '/auth': FLAG_SERVICE, '/-/': FLAG_SERVICE } },
  preview: { host: '127.0.0.1', proxy: { '/api': FLAG_SERVICE, '/auth': FLAG_SERVICE, '/-/': FLAG_SERVICE } },
  test: { include: ['src/**/*.test.ts', 'src/**/*.test.tsx'] },
});
