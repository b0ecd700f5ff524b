// A public generator reads the OpenAPI document, and the generated client calls the embedded flag service.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { PYTHON } from './support/evaluationLibraries';
import { test } from './support/fixtures';

const SCRIPT = path.join(import.meta.dirname, 'sdk/python/call_api.py');

test(
  'a generated Python client has correct types and calls the service',
  {
    tag: ['@embedded', '@ci'],
  },
  async ({ flagdeck }, testInfo) => {
    testInfo.setTimeout(120_000);
    testInfo.skip(!existsSync(PYTHON), 'the generator of the Python client is not installed');
    const cwd = testInfo.outputPath();
    await mkdir(cwd, { recursive: true });
    // The client is not formatted.
    await writeFile(path.join(cwd, 'config.yml'), 'post_hooks: []\n');
    const python = async (...args: string[]) => {
      const env = { ...process.env, MYPYPATH: cwd, PYTHONPATH: cwd };
      // A failed command throws an error with its output.
      await promisify(execFile)(PYTHON, args, { cwd, env }).catch(({ message, stdout }) => {
        throw new Error(`${message}\n${stdout}`);
      });
    };
    const options = [
      '--meta',
      'none',
      '--config',
      'config.yml',
      '--output-path',
      'flagdeck_client',
      '--fail-on-warning',
    ];
    const document = `${flagdeck.url}-/openapi.json`;
    await python('-m', 'openapi_python_client', 'generate', '--url', document, ...options);
    await python('-m', 'mypy', 'flagdeck_client', SCRIPT);
    await python(SCRIPT, flagdeck.url.replace(/\/$/, ''));
  },
);
