import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin, Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';

const FLAG_SERVICE = 'http://127.0.0.1:4242';
const COMPRESSIBLE = /\.(css|html|js|json|svg|txt)$/;

/** Writes `.br` and `.gz` variants of every text file, so that the binary does not compress at run time. */
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

/** Names the scripts of a toggle's page in index.html, for `public/start.js`, which preloads them on such a page. */
function nameTogglePage(): Plugin {
  return {
    name: 'name-toggle-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter(
          ({ type, name }) => type === 'chunk' && (name === 'toggle' || name === 'ui'),
        );
        const files = chunks.map(({ fileName }) => `./${fileName}`).join(' ');
        return html.replace('src="./start.js"', `src="./start.js" data-toggle-page="${files}"`);
      },
    },
  };
}

const TOGGLE_PAGE = fileURLToPath(new URL('./src/features/toggles/TogglePage.tsx', import.meta.url));
/** The modules that the page of a toggle needs before it is shown: its imports, and their imports. */
const modulesOfTogglePage = new Set<string>();

function isInTogglePage(module: string, context: Rolldown.ChunkingContext): boolean {
  if (modulesOfTogglePage.size === 0) {
    modulesOfTogglePage.add(TOGGLE_PAGE);
    // The loop also visits modules that are added during the iteration.
    for (const one of modulesOfTogglePage)
      for (const imported of context.getModuleInfo(one)?.importedIds ?? []) modulesOfTogglePage.add(imported);
  }
  return modulesOfTogglePage.has(module);
}

export default defineConfig({
  // Relative URLs resolve against <base href>, which the binary sets to its base path.
  base: './',
  plugins: [react(), tailwindcss(), nameTogglePage(), precompress()],
  resolve: {
    alias: [
      { find: /^@\//, replacement: fileURLToPath(new URL('./src/', import.meta.url)) },
      // The package exports only the development build, which contains warnings for developers.
      {
        find: /^react-router$/,
        replacement: fileURLToPath(new URL('./node_modules/react-router/dist/production/index.mjs', import.meta.url)),
      },
    ],
  },
  build: {
    outDir: 'dist',
    // The oldest supported browsers; public/start.js tests for their APIs.
    target: ['chrome120', 'edge120', 'firefox128', 'safari17'],
    // The target browsers support module preload.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Libraries that every page needs: they change rarely, so the chunk stays cached across releases.
            { name: 'vendor', test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|swr)\// },
            // The modules that the entry imports statically: without this group, later pages would split them into many chunks.
            { name: 'index', tags: ['$initial'] },
            // The page of a toggle, and the modules that other pages need too.
            {
              name: (module, context) => (isInTogglePage(module, context) ? 'ui' : null),
              test: /\/node_modules\/|\/src\/(?!features\/)/,
            },
            { name: (module, context) => (isInTogglePage(module, context) ? 'toggle' : null) },
            // The rest of the console, which is prefetched. Only the engine of search patterns stays separate.
            { name: 'rest', test: /\/src\// },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': FLAG_SERVICE, '/auth': FLAG_SERVICE, '/-/': FLAG_SERVICE } },
  preview: { host: '127.0.0.1', proxy: { '/api': FLAG_SERVICE, '/auth': FLAG_SERVICE, '/-/': FLAG_SERVICE } },
  test: {
    projects: [
      // Pure functions, and tables of them: they leave no state behind, so that all files share the modules that they import.
      { extends: true, test: { name: 'functions', include: ['*.test.ts', 'src/**/*.test.ts'], isolate: false } },
      // Stores, hooks and components: `freshPage.ts` replaces the modules of the console and the content of the page after each file.
      {
        extends: true,
        test: {
          name: 'page',
          include: ['src/**/*.test.tsx'],
          isolate: false,
          setupFiles: ['src/testing/freshPage.ts'],
          // Its cache of responses is state of the console.
          server: { deps: { inline: ['swr'] } },
        },
      },
    ],
    // Tests of weak references collect garbage: `src/testing/collectGarbage.ts`. With a larger space for new objects, which rendering
    // creates, the garbage collector runs less often.
    execArgv: ['--expose-gc', '--max-semi-space-size=64'],
    env: {
      // Characters of the page in the message of a failed query.
      DEBUG_PRINT_LIMIT: '2000',
      // Not UTC, and not a whole number of hours from it: tests that mistake one for the other fail.
      TZ: 'America/St_Johns',
    },
    coverage: {
      reporter: ['text'],
      include: ['src/**/*.{ts,tsx}'],
      exclude: ['src/**/*.test.{ts,tsx}', 'src/testing/**'],
    },
  },
});
