// Reads and changes the data of a server with environments, through the server's own API. Toggles have the state of one
// environment.

import type { APIRequestContext } from '@playwright/test';
import { Flags, type NewToggle, type StoredStrategy, type StoredToggle } from './flags';
import { ENVIRONMENT } from './versions';

const TOGGLES = 'admin/projects/default/features';

interface ServerEnvironment {
  name: string;
  enabled: boolean;
  strategies: StoredStrategy[];
}

interface ServerToggle {
  name: string;
  description?: string;
  type: string;
  stale: boolean;
  environments: ServerEnvironment[];
}

/** Calls of the old API that have another path or body on servers with environments. */
const OLD_SWITCH = /^admin\/features\/([^/]+)\/toggle\/(on|off)$/;
const OLD_STALE = /^admin\/features\/([^/]+)\/stale\/(on|off)$/;

export class EnvironmentFlags extends Flags {
  readonly #clientToken: string;

  constructor(request: APIRequestContext, url: string, clientToken: string) {
    super(request, url);
    this.#clientToken = clientToken;
  }

  protected override async createOne(toggle: Required<Pick<StoredToggle, 'enabled' | 'stale'>> & NewToggle) {
    const { name, description, type, enabled, stale, strategies = [], variants = [] } = toggle;
    await super.post(TOGGLES, { name, description, type, impressionData: false });
    await this.#replaceStrategies(name, [], strategies);
    if (variants.length > 0) await this.#replaceVariants(name, variants);
    // Enabling a toggle without strategies would add one.
    if (enabled && strategies.length > 0) await this.#switch(name, 'on');
    if (stale) await this.#patch(name, { stale });
  }

  override async update(name: string, changes: Partial<NewToggle>): Promise<void> {
    const { description, type, stale, strategies, variants, enabled } = changes;
    const properties = Object.entries({ description, type, stale }).filter(([, value]) => value !== undefined);
    await this.#patch(name, Object.fromEntries(properties));
    if (strategies) await this.#replaceStrategies(name, (await this.find(name))?.strategies ?? [], strategies);
    if (variants) await this.#replaceVariants(name, variants);
    if (enabled !== undefined) await this.#switch(name, enabled ? 'on' : 'off');
  }

  override async archive(name: string): Promise<void> {
    await this.remove(pathOf(name));
  }

  override async find(name: string): Promise<StoredToggle | undefined> {
    const { features } = await this.get<{ features: { name: string }[] }>(TOGGLES);
    if (!features.some((feature) => feature.name === name)) return undefined;
    const { environments, ...toggle } = await this.get<ServerToggle>(pathOf(name));
    const state = environments.find((environment) => environment.name === ENVIRONMENT);
    const { variants } = await this.get<Pick<StoredToggle, 'variants'>>(`${stateOf(name)}/variants`);
    return {
      ...toggle,
      enabled: state?.enabled ?? false,
      strategies: state?.strategies ?? [],
      ...(variants && { variants }),
    };
  }

  override async post(path: string, body: object = {}): Promise<void> {
    const [, switched, state] = OLD_SWITCH.exec(path) ?? [];
    const [, marked, stale] = OLD_STALE.exec(path) ?? [];
    if (switched && state) await this.#switch(decodeURIComponent(switched), state);
    else if (marked) await this.#patch(decodeURIComponent(marked), { stale: stale === 'on' });
    else if (path.startsWith('client/')) await this.send('post', path, body, { authorization: this.#clientToken });
    else await super.post(path, withLegalValueObjects(body));
  }

  override async put(path: string, body: object): Promise<void> {
    await super.put(path, withLegalValueObjects(body));
  }

  #switch(name: string, state: string): Promise<void> {
    return super.post(`${stateOf(name)}/${state}`);
  }

  async #patch(name: string, properties: object): Promise<void> {
    const operations = Object.entries(properties).map(([key, value]) => ({ op: 'replace', path: `/${key}`, value }));
    if (operations.length > 0) await this.send('patch', pathOf(name), operations);
  }

  /** Changes strategies with a stored id, adds those without, and removes the others, in this order. */
  async #replaceStrategies(name: string, stored: StoredStrategy[], wanted: StoredStrategy[]): Promise<void> {
    const path = `${stateOf(name)}/strategies`;
    const ids: string[] = [];
    for (const { id, ...strategy } of wanted) {
      const isStored = stored.some((one) => one.id === id);
      const response = await this.send(isStored ? 'put' : 'post', isStored ? `${path}/${id}` : path, strategy);
      ids.push((await response.json()).id);
    }
    for (const { id } of stored) if (id && !ids.includes(id)) await this.remove(`${path}/${id}`);
    const order = ids.map((id, sortOrder) => ({ id, sortOrder }));
    if (order.length > 1) await super.post(`${path}/set-sort-order`, order);
  }

  async #replaceVariants(name: string, variants: object[]): Promise<void> {
    await super.put(`${pathOf(name)}/variants-batch`, { environments: [ENVIRONMENT], variants });
  }
}

function pathOf(name: string): string {
  return `${TOGGLES}/${encodeURIComponent(name)}`;
}

function stateOf(name: string): string {
  return `${pathOf(name)}/environments/${ENVIRONMENT}`;
}

/** Converts the legal values of a context field from strings to objects. */
function withLegalValueObjects(body: object): object {
  if (!('legalValues' in body) || !Array.isArray(body.legalValues)) return body;
  return { ...body, legalValues: body.legalValues.map((value) => (typeof value === 'string' ? { value } : value)) };
}
