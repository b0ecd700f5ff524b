// Reads and changes the data of the flag service over HTTP, through the binary and with the session of the page.

import { type APIRequestContext, expect } from '@playwright/test';

interface StoredStrategy {
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

interface StoredToggle extends NewToggle {
  enabled: boolean;
  stale: boolean;
}

export class Flags {
  readonly #request: APIRequestContext;
  readonly #api: string;

  constructor(request: APIRequestContext, url: string) {
    this.#request = request;
    this.#api = `${url}api/`;
  }

  async create(...toggles: NewToggle[]): Promise<void> {
    // Sequential, because the list sorts by creation time.
    for (const toggle of toggles) {
      await this.post('admin/features', {
        description: '',
        type: 'release',
        enabled: true,
        stale: false,
        strategies: [{ name: 'default', parameters: {} }],
        ...toggle,
      });
    }
  }

  /** Changes a toggle as another user would. */
  async update(name: string, changes: Partial<NewToggle>): Promise<void> {
    const stored = await this.find(name);
    const response = await this.#request.put(`${this.#api}admin/features/${encodeURIComponent(name)}`, {
      data: { ...stored, ...changes },
    });
    expect(response.ok(), `updating ${name}: ${response.status()} ${await response.text()}`).toBe(true);
  }

  /** Returns the tags of a toggle, each as `type:value`. */
  async tagsOf(name: string): Promise<string[]> {
    const response = await this.#request.get(`${this.#api}admin/features/${encodeURIComponent(name)}/tags`);
    expect(response.ok(), `the tags of ${name}: ${response.status()}`).toBe(true);
    const { tags }: { tags: { type: string; value: string }[] } = await response.json();
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
    const response = await this.#request.delete(`${this.#api}admin/features/${encodeURIComponent(name)}`);
    expect(response.status(), `archiving ${name}`).toBe(200);
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
    const response = await this.#request.get(this.#api + path);
    expect(response.ok(), `GET ${path}: ${response.status()}`).toBe(true);
    return response.json();
  }

  async post(path: string, body: object = {}): Promise<void> {
    const response = await this.#request.post(this.#api + path, { data: body });
    expect(response.ok(), `POST ${path}: ${response.status()} ${await response.text()}`).toBe(true);
  }

  async put(path: string, body: object): Promise<void> {
    const response = await this.#request.put(this.#api + path, { data: body });
    expect(response.ok(), `PUT ${path}: ${response.status()} ${await response.text()}`).toBe(true);
  }

  async remove(path: string): Promise<void> {
    const response = await this.#request.delete(this.#api + path);
    expect(response.ok(), `DELETE ${path}: ${response.status()} ${await response.text()}`).toBe(true);
  }

  async #list(path: string): Promise<StoredToggle[]> {
    return (await this.get<{ features: StoredToggle[] }>(path)).features;
  }
}

async function inBatches(prefix: string, count: number, act: (name: string) => Promise<void>): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);
  for (let start = 0; start < count; start += 10) await Promise.all(names.slice(start, start + 10).map(act));
}
