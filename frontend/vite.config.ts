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

export default defineConfig({
  // Relative URLs resolve against <base href>, which the binary sets to its base path.
  base: './',
  plugins: [react(), tailwindcss(), precompress()],
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
            // The rest of the console in one chunk, which is prefetched. Only the engine of search patterns stays separate.
            { name: 'more', test: /\/src\// },
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
      // Stores, hooks and components have a page of their own in each file.
      { extends: true, test: { name: 'page', include: ['src/**/*.test.tsx'] } },
    ],
    // Tests of weak references collect garbage: `src/testing/collectGarbage.ts`.
    execArgv: ['--expose-gc'],
    // Characters of the page in the message of a failed query.
    env: { DEBUG_PRINT_LIMIT: '2000' },
    coverage: {
      reporter: ['text'],
      include: ['src/**/*.{ts,tsx}'],
      exclude: ['src/**/*.test.{ts,tsx}', 'src/testing/**'],
    },
  },
});
