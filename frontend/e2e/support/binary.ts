// Starts the Flagdeck binary on a free port.

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Program, startProgram } from './process';

const FRONTEND = path.resolve(import.meta.dirname, '../..');
/** The file of the binary under test. */
export const BINARY = path.resolve(FRONTEND, process.env['FLAGDECK_BIN'] ?? '../target/debug/flagdeck');

export interface Binary {
  /** URL of the console, with its base path and a trailing slash. */
  readonly url: string;
  /** Runs `flagdeck ARGUMENTS` with the same data. */
  command(args: readonly string[], input?: string): Promise<void>;
  /** Stops it with SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Starts another instance with the same settings on another port. */
  startAnother(): Promise<Binary>;
  /** Ends it with a signal, SIGTERM by default, and starts it with the same settings on the same port. */
  restart(signal?: NodeJS.Signals): Promise<void>;
}

export const startBinary = (...flags: string[]): Promise<Binary> => startBinaryAt('127.0.0.1:0', ...flags);

/** Starts it on this address, for settings that name the port. */
export async function startBinaryAt(listen: string, ...flags: string[]): Promise<Binary> {
  let { url, program } = await start(listen, flags);
  return {
    url,
    command: (args, input = '') => run([...args, ...flags], input),
    stop: () => program.end(),
    startAnother: () => startBinary(...flags),
    async restart(signal) {
      await program.end(signal);
      ({ url, program } = await start(new URL(url).host, flags));
    },
  };
}

/** The environment without the developer's own settings. */
export function testEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FLAGDECK_')));
}

async function start(listen: string, flags: string[]): Promise<{ url: string; program: Program }> {
  const program = startProgram(BINARY, ['--listen', listen, ...flags], testEnvironment());
  const line = await program.line((text) => text.startsWith('Flagdeck is ready on '));
  return { url: line.replace('Flagdeck is ready on ', '').trim(), program };
}

export interface CommandResult {
  code: number;
  output: string;
  errors: string;
}

/** Runs `flagdeck ARGUMENTS`, which may fail. */
export function runCommand(...args: string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(BINARY, args, { env: testEnvironment(), maxBuffer: 64 << 20 }, (error, output, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : Number(error !== null), output, errors }),
    );
  });
}

async function run(args: string[], input: string): Promise<void> {
  const running = promisify(execFile)(BINARY, args, { env: testEnvironment() });
  running.child.stdin?.end(input);
  await running;
}
