// Child processes that end with their test.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const LINE_TIMEOUT_MS = 60_000;

export interface Program {
  /** Resolves with the next line of standard output that `matches` accepts; rejects with standard error if the process ends first. */
  line(matches: (line: string) => boolean): Promise<string>;
  /** Writes one line to its standard input. */
  writeLine(line: string): void;
  /** Sends a signal, SIGTERM by default, and resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

interface Waiting {
  matches(line: string): boolean;
  found(line: string): void;
}

/** Running child processes, which are ended if the worker stops early. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

export function startProgram(command: string, args: string[], env: NodeJS.ProcessEnv): Program {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  const waiting = new Set<Waiting>();
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-4_000);
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    for (const one of waiting) if (one.matches(line)) one.found(line);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(`it ended with code ${code}`));
  });
  void ended.then(() => running.delete(child));

  return {
    line: (matches) =>
      new Promise((resolve, reject) => {
        const fail = (reason: string) => settle(() => reject(new Error(describe(reason))));
        const entry = { matches, found: (line: string) => settle(() => resolve(line)) };
        const timer = setTimeout(() => fail('it printed no matching line in time'), LINE_TIMEOUT_MS);
        const settle = (act: () => void) => {
          clearTimeout(timer);
          waiting.delete(entry);
          act();
        };
        waiting.add(entry);
        void ended.then(fail);
      }),
    writeLine: (line) => void child.stdin.write(`${line}\n`),
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
        const closed = once(child, 'close');
        child.kill(signal);
        await closed;
      }
      return child.exitCode;
    },
  };

  function describe(reason: string): string {
    return `${[command, ...args].join(' ')}: ${reason}\n${errorOutput}`;
  }
}
