// Starts the real flag service for tests of `--upstream`; see ../upstream/start.mjs.

import path from 'node:path';
import { startProgram } from './process';

export interface RealServer {
  url: string;
  /** Deletes all data. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRealServer(): Promise<RealServer> {
  const script = path.join(import.meta.dirname, '../upstream/start.mjs');
  const program = startProgram(process.execPath, [script], process.env);
  const { url } = JSON.parse(await program.line((line) => line.startsWith('{"url"')));
  return {
    url,
    async reset() {
      const done = program.line((line) => line.startsWith('{"reset"'));
      program.writeLine('reset');
      await done;
    },
    async stop() {
      await program.end();
    },
  };
}
