// The servers of the scenes. Each worker starts a server when its first scene needs it.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Binary, startBinary } from '../support/binary';
import { recorderSettings } from '../support/recorder';

export type ServerName =
  | 'demo'
  | 'empty'
  | 'environment'
  | 'journal'
  | 'readOnly'
  | 'recorder'
  | 'replica'
  | 'signIn'
  | 'outage';

export class Servers {
  readonly startedAt = Date.now();
  readonly #binaries = new Map<ServerName, Promise<Binary>>();
  readonly #all: Promise<Binary>[] = [];

  /** Returns the URL of a running server. */
  async url(name: ServerName): Promise<string> {
    const running = this.#binaries.get(name) ?? this.#start(name);
    this.#binaries.set(name, running);
    return (await running).url;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map(async (binary) => (await binary).stop()));
  }

  #run(...flags: string[]): Promise<Binary> {
    const binary = startBinary(...flags);
    this.#all.push(binary);
    return binary;
  }

  async #start(name: ServerName): Promise<Binary> {
    switch (name) {
      case 'demo':
        return this.#run('--demo');
      case 'empty':
        return this.#run('--data', ':memory:');
      case 'signIn':
        return this.#run('--data', ':memory:', '--auth', 'unsecure');
      case 'environment':
        return this.#run('--upstream', await this.url('demo'), '--env-label', 'production', '--confirm-writes');
      case 'readOnly':
        return this.#run('--upstream', await this.url('demo'), '--env-label', 'production', '--read-only');
      case 'journal':
        return this.#run('--demo', '--journal', path.join(mkdtempSync(path.join(tmpdir(), 'flagdeck-')), 'journal'));
      case 'recorder':
        return this.#run('--upstream', await this.url('demo'), ...recorderSettings('--replica'));
      case 'replica':
        return this.#run('--upstream', await this.url('demo'), '--replica');
      // Port 9 discards: nothing listens there.
      case 'outage':
        return this.#run('--upstream', 'http://127.0.0.1:9');
    }
  }
}
