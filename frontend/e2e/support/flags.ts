// Reads and changes the data of the flag service over HTTP, through the binary and with the session of the page.

import { type APIRequestContext, type APIResponse, expect } from '@playwright/test';

export interface StoredStrategy {
  name: string;
  parameters?: Record<string, string>;
  constraints?: { contextName: string; operator: string; values: string[] }[];
}

interface StoredVariant {
  name: string;
  weight: number;
  weightType: string;
  stickiness?: string;
  payload?: { type: string; value: string };
  overrides?: { contextName: string; values: string[] }[];
}

export interface NewToggle {
  name: string;
  description?: string;
  type?: string;
  enabled?: boolean;
  stale?: boolean;
  project?: string;
  strategies?: StoredStrategy[];
  variants?: StoredVariant[];
}

export interface StoredToggle extends NewToggle {
  enabled: boolean;
  stale: boolean;
}

const DEFAULTS = {
  description: '',
  type: 'release',
  enabled: true,
  stale: false,
  strategies: [{ name: 'default', parameters: {} }] as StoredStrategy[],
};

export class Flags {
  readonly #request: APIRequestContext;
  readonly #api: string;

  constructor(request: APIRequestContext, url: string) {
    this.#request = request;
    this.#api = `${url}api/`;
  }

  async create(...toggles: NewToggle[]): Promise<void> {
    // Sequential, because the list sorts by creation time.
    for (const toggle of toggles) await this.createOne({ ...DEFAULTS, ...toggle });
  }

  protected createOne(toggle: NewToggle & typeof DEFAULTS): Promise<void> {
    return this.post('admin/features', toggle);
  }

  /** Changes a toggle as another user would. */
  async update(name: string, changes: Partial<NewToggle>): Promise<void> {
    const stored = await this.find(name);
    await this.put(`admin/features/${encodeURIComponent(name)}`, { ...stored, ...changes });
  }

  /** Returns the tags of a toggle, each as `type:value`. */
  async tagsOf(name: string): Promise<string[]> {
    const path = `admin/features/${encodeURIComponent(name)}/tags`;
    const { tags } = await this.get<{ tags: { type: string; value: string }[] }>(path);
    return tags.map(({ type, value }) => `${type}:${value}`).sort();
  }

  /** Creates toggles named `{prefix}000` and up, ten at a time. */
  createMany(prefix: string, count: number): Promise<void> {
    return inBatches(prefix, count, (name) => this.create({ name }));
  }

  archiveMany(prefix: string, count: number): Promise<void> {
    return inBatches(prefix, count, (name) => this.archive(name));
  }

  async archive(name: string): Promise<void> {
    await this.remove(`admin/features/${encodeURIComponent(name)}`);
  }

  /** Returns the stored toggle, or undefined. */
  async find(name: string): Promise<StoredToggle | undefined> {
    return (await this.#list('admin/features')).find((toggle) => toggle.name === name);
  }

  async findArchived(name: string): Promise<StoredToggle | undefined> {
    return (await this.#list('admin/archive/features')).find((toggle) => toggle.name === name);
  }

  /** Reports metrics of an application: how often each toggle was on and off in the last ten seconds. */
  async report(toggles: Record<string, { yes: number; no: number }>): Promise<void> {
    const stop = new Date();
    const start = new Date(stop.getTime() - 10_000);
    await this.post('client/metrics', { appName: 'shop', instanceId: 'shop-1', bucket: { start, stop, toggles } });
  }

  async get<Body>(path: string): Promise<Body> {
    return (await this.send('get', path)).json();
  }

  async post(path: string, body: object = {}): Promise<void> {
    await this.send('post', path, body);
  }

  async put(path: string, body: object): Promise<void> {
    await this.send('put', path, body);
  }

  async remove(path: string): Promise<void> {
    await this.send('delete', path);
  }

  protected async send(
    method: string,
    path: string,
    data?: object,
    headers: Record<string, string> = {},
  ): Promise<APIResponse> {
    const response = await this.#request.fetch(this.#api + path, { method, headers, ...(data && { data }) });
    expect(response.ok(), `${method} ${path}: ${response.status()} ${await response.text()}`).toBe(true);
    return response;
  }

  async #list(path: string): Promise<StoredToggle[]> {
    return (await this.get<{ features: StoredToggle[] }>(path)).features;
  }
}

async function inBatches(prefix: string, count: number, act: (name: string) => Promise<void>): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);
  for (let start = 0; start < count; start += 10) await Promise.all(names.slice(start, start + 10).map(act));
}
