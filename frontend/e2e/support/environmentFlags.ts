// Reads and changes the data of a server with environments, through the server's own API. Toggles have the state of one
// environment.

import type { APIRequestContext } from '@playwright/test';
import { Flags, type NewToggle, type StoredStrategy, type StoredToggle } from './flags';
import { toOldResponse } from './oldResponses';
import { ENVIRONMENT } from './versions';

const TOGGLES = 'admin/projects/default/features';

interface ServerStrategy extends StoredStrategy {
  id: string;
}

interface ServerEnvironment {
  name: string;
  enabled: boolean;
  strategies: ServerStrategy[];
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
    await this.#replaceStrategies(name, strategies);
    if (variants.length > 0) await this.#replaceVariants(name, variants);
    // Enabling a toggle without strategies would add one.
    if (enabled && strategies.length > 0) await this.#switch(name, 'on');
    if (stale) await this.#patch(name, { stale });
  }

  override async update(name: string, changes: Partial<NewToggle>): Promise<void> {
    const { description, type, stale, strategies, variants, enabled } = changes;
    const properties = Object.entries({ description, type, stale }).filter(([, value]) => value !== undefined);
    await this.#patch(name, Object.fromEntries(properties));
    if (strategies) await this.#replaceStrategies(name, strategies);
    if (variants) await this.#replaceVariants(name, variants);
    if (enabled !== undefined) await this.#switch(name, enabled ? 'on' : 'off');
  }

  override async archive(name: string): Promise<void> {
    await this.remove(pathOf(name));
  }

  override async find(name: string): Promise<StoredToggle | undefined> {
    const { features } = await this.get<{ features: { name: string }[] }>(TOGGLES);
    if (!features.some((feature) => feature.name === name)) return undefined;
    const { state, ...toggle } = await this.#read(name);
    const { variants } = await this.get<Pick<StoredToggle, 'variants'>>(`${stateOf(name)}/variants`);
    return {
      ...toggle,
      enabled: state?.enabled ?? false,
      strategies: (state?.strategies ?? []).map(toOldStrategy),
      ...(variants && { variants }),
    };
  }

  /** Converts the response into the format of the reference version. */
  override async get<Body>(path: string): Promise<Body> {
    return toOldResponse((called) => super.get(called), path) as Promise<Body>;
  }

  override async post(path: string, body: object = {}): Promise<void> {
    const [, switched, state] = OLD_SWITCH.exec(path) ?? [];
    const [, marked, stale] = OLD_STALE.exec(path) ?? [];
    if (switched && state) await this.#switch(decodeURIComponent(switched), state);
    else if (marked) await this.#patch(decodeURIComponent(marked), { stale: stale === 'on' });
    else if (path.startsWith('client/')) await this.send('post', path, body, { authorization: this.#clientToken });
    else await super.post(path, { ...withLegalValueObjects(body), ...nameOf(path) });
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

  async #read(name: string) {
    const { environments, ...toggle } = await super.get<ServerToggle>(pathOf(name));
    return { ...toggle, state: environments.find((environment) => environment.name === ENVIRONMENT) };
  }

  /** Changes stored strategies of the same name, adds the others, and removes the rest, in this order. */
  async #replaceStrategies(name: string, wanted: StoredStrategy[]): Promise<void> {
    const path = `${stateOf(name)}/strategies`;
    const rest = [...((await this.#read(name)).state?.strategies ?? [])];
    const ids: string[] = [];
    for (const strategy of wanted) {
      const at = rest.findIndex((stored) => stored.name === strategy.name);
      const [stored] = at < 0 ? [] : rest.splice(at, 1);
      const send = () => this.send(stored ? 'put' : 'post', stored ? `${path}/${stored.id}` : path, strategy);
      ids.push((await (await this.#withDefinition(strategy.name, send)).json()).id);
    }
    for (const { id } of rest) await this.remove(`${path}/${id}`);
    const order = ids.map((id, sortOrder) => ({ id, sortOrder }));
    if (order.length > 1) await super.post(`${path}/set-sort-order`, order);
  }

  /** Defines a strategy during `act` if it is not defined: servers from 5 on add no strategy without a definition. */
  async #withDefinition<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
    const { strategies } = await super.get<{ strategies: { name: string }[] }>('admin/strategies');
    if (strategies.some((definition) => definition.name === name)) return act();
    await super.post('admin/strategies', { name, description: '', parameters: [] });
    const result = await act();
    await this.remove(`admin/strategies/${name}`);
    return result;
  }

  async #replaceVariants(name: string, variants: object[]): Promise<void> {
    // From 6 on, only the second request creates the first variant.
    const replaced = super.put(`${stateOf(name)}/variants`, variants);
    await replaced.catch(() => super.put(`${pathOf(name)}/variants-batch`, { environments: [ENVIRONMENT], variants }));
  }
}

/** Metadata of an application must contain its name. */
function nameOf(path: string): object {
  const [, appName] = /^admin\/metrics\/applications\/(.+)$/.exec(path) ?? [];
  return appName === undefined ? {} : { appName: decodeURIComponent(appName) };
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

/** Returns a strategy without the properties that only newer servers have. */
function toOldStrategy({ name, parameters, constraints = [] }: ServerStrategy): StoredStrategy {
  const old = constraints.map(({ contextName, operator, values }) => ({ contextName, operator, values }));
  return { name, ...(parameters && { parameters }), ...(old.length > 0 && { constraints: old }) };
}
