// Writes and reads the complete states of toggles through the server's own API, without Flagdeck.

import type { Kind, PlannedStrategy, PlannedToggle } from './applyCases';
import type { Variant } from './evaluationCases';
import { EMAIL, sessionHeaders } from './fixtures';
import type { RealServer } from './realServer';
import { ENVIRONMENT } from './versions';

const TOGGLES = '/api/admin/projects/default/features';

/** Returns the cookies of a user who may change everything. */
export async function signIn(server: RealServer): Promise<string> {
  if (server.accounts) return (await sessionHeaders(server, 'admin'))['cookie'] ?? '';
  const response = await fetch(`${server.url.replace(/\/$/, '')}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL }),
  });
  const cookies = response.headers.getSetCookie().map((text) => text.split(';')[0]);
  return cookies.join('; ');
}

export class StateApi {
  readonly #url: string;
  readonly #cookie: string;
  readonly #isNewer: boolean;

  constructor(url: string, cookie: string, isNewer: boolean) {
    this.#url = url.replace(/\/$/, '');
    this.#cookie = cookie;
    this.#isNewer = isNewer;
  }

  /** Sends a request that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows its response.
  async call(method: string, path: string, body?: object): Promise<any> {
    const headers = { cookie: this.#cookie, 'content-type': 'application/json' };
    const response = await fetch(this.#url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${response.status} ${text}`);
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
  }

  async createSegment(name: string, users: string[]): Promise<number> {
    const constraints = [{ contextName: 'userId', operator: 'IN', values: users }];
    return (await this.call('POST', '/api/admin/segments', { name, constraints })).id;
  }

  /** Creates a toggle. Its parents must exist. */
  async create(name: string, kind: Kind, state: PlannedToggle): Promise<void> {
    if (kind === 'new') return;
    const { tags, dependencies = [], ...rest } = state;
    if (this.#isNewer) await this.#createInEnvironment(name, rest, dependencies);
    else {
      const strategies = rest.strategies.map((strategy, sortOrder) => ({ ...strategy, sortOrder }));
      await this.call('POST', '/api/admin/features', { name, project: 'default', ...rest, strategies, dependencies });
    }
    for (const tag of tags) await this.call('POST', `/api/admin/features/${name}/tags`, tag);
    if (kind === 'archived')
      await this.call('DELETE', this.#isNewer ? `${TOGGLES}/${name}` : `/api/admin/features/${name}`);
  }

  async #createInEnvironment(
    name: string,
    state: Omit<PlannedToggle, 'tags' | 'dependencies'>,
    dependencies: object[],
  ): Promise<void> {
    const { description, type, impressionData, stale, enabled, strategies, variants } = state;
    await this.call('POST', TOGGLES, { name, description, type, impressionData });
    if (stale) await this.call('PATCH', `${TOGGLES}/${name}`, [{ op: 'replace', path: '/stale', value: true }]);
    for (const dependency of dependencies) await this.call('POST', `${TOGGLES}/${name}/dependencies`, dependency);
    const environment = `${TOGGLES}/${name}/environments/${ENVIRONMENT}`;
    for (const [sortOrder, strategy] of strategies.entries())
      await this.call('POST', `${environment}/strategies`, { ...strategy, sortOrder });
    if (variants.length > 0)
      await this.call('PUT', `${TOGGLES}/${name}/variants-batch`, { environments: [ENVIRONMENT], variants });
    if (enabled) await this.call('POST', `${environment}/on`);
  }

  /** Reads a toggle that is not archived; undefined if there is none. */
  async read(name: string): Promise<PlannedToggle | undefined> {
    const path = this.#isNewer ? `${TOGGLES}/${name}` : `/api/admin/features/${name}`;
    const response = await fetch(this.#url + path, { headers: { cookie: this.#cookie } });
    if (!response.ok) return undefined;
    const toggle = await response.json();
    if (toggle.archived) return undefined;
    let state = toggle;
    if (this.#isNewer) {
      state = toggle.environments.find((one: { name: string }) => one.name === ENVIRONMENT);
      const { variants } = await this.call('GET', `${path}/environments/${ENVIRONMENT}/variants`);
      state.variants = variants;
    }
    const { tags } = await this.call('GET', `/api/admin/features/${name}/tags`);
    return canonical({
      ...toggle,
      enabled: state.enabled,
      strategies: state.strategies,
      variants: state.variants,
      tags,
    });
  }
}

/** Returns a toggle without differences that have no meaning: absent and empty properties, and the order of sets. */
export function canonical(toggle: PlannedToggle): PlannedToggle {
  const { description, type, project, stale, enabled, strategies, variants, tags } = toggle;
  const { impressionData, dependencies } = toggle;
  return {
    description: description ?? '',
    type,
    project: project ?? 'default',
    stale: stale ?? false,
    enabled,
    strategies: strategies.map(canonicalStrategy),
    variants: (variants ?? []).map(canonicalVariant),
    tags: tags.map(({ type, value }) => ({ type, value })).sort((one, other) => (one.value < other.value ? -1 : 1)),
    impressionData: impressionData ?? false,
    dependencies: (dependencies ?? []).map(({ feature, enabled, variants }) => ({
      feature,
      enabled: enabled !== false,
      variants: variants ?? [],
    })),
  };
}

function canonicalStrategy(strategy: PlannedStrategy): PlannedStrategy {
  return {
    name: strategy.name,
    title: strategy.title ?? '',
    disabled: strategy.disabled ?? false,
    parameters: strategy.parameters,
    constraints: (strategy.constraints ?? []).map((constraint) => ({
      contextName: constraint.contextName,
      operator: constraint.operator,
      values: constraint.values ?? [],
      value: constraint.value ?? '',
      inverted: constraint.inverted ?? false,
      caseInsensitive: constraint.caseInsensitive ?? false,
    })),
    segments: [...(strategy.segments ?? [])].sort(),
    variants: (strategy.variants ?? []).map(canonicalVariant),
  };
}

function canonicalVariant({ name, weight, weightType, stickiness, payload, overrides }: Variant): Variant {
  return {
    name,
    weight,
    weightType,
    stickiness: stickiness ?? 'default',
    overrides: overrides ?? [],
    ...(payload && { payload }),
  };
}
