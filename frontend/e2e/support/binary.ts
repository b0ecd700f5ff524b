// Starts the binary that is shipped, on a free port.

import path from 'node:path';
import { type Program, startProgram } from './process';

const FRONTEND = path.resolve(import.meta.dirname, '../..');
const FILE = path.resolve(FRONTEND, process.env['FLAGDECK_BIN'] ?? '../target/debug/flagdeck');

export interface Binary {
  /** Where the console is, with its base path and a slash at the end. */
  readonly url: string;
  /** Ends it as an operator would; its exit code. */
  stop(): Promise<number | null>;
  /** Ends it and starts it again with the same settings at the same address. */
  restart(): Promise<void>;
}

export async function startBinary(...flags: string[]): Promise<Binary> {
  let { url, program } = await start('127.0.0.1:0', flags);
  return {
    url,
    stop: () => program.end(),
    async restart() {
      await program.end();
      ({ url, program } = await start(new URL(url).host, flags));
    },
  };
}

async function start(listen: string, flags: string[]): Promise<{ url: string; program: Program }> {
  // Nothing of the developer's own settings.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FLAGDECK_')));
  const program = startProgram(FILE, ['--listen', listen, ...flags], env);
  const line = await program.line((text) => text.startsWith('Flagdeck is ready on '));
  return { url: line.replace('Flagdeck is ready on ', '').trim(), program };
}
