// One check for each kind of call of the old API. `api` sends the old calls; `server` creates data and verifies the effect
// through the server's own API. A check throws if a call fails or has another effect.

import type { Account } from '../support/realServer';
import { type Api, environmentOf, expect, type Reply, TOGGLES } from './api';

interface Check {
  api: Api;
  server: Api;
  /** Name of a toggle or another entity, which no other check uses. */
  name: string;
  clientToken: string;
  /** A user whose sessions no other check uses. */
  colleague: Account & { session(): Promise<string> };
}

const EVERYONE = { name: 'default', parameters: {} };
const ROLLOUT = { name: 'flexibleRollout', parameters: { rollout: '40', stickiness: 'default', groupId: 'g' } };
const VARIANTS = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }];
const TOKEN_REPORTS = { timeout: 5_000 };

/** Creates an enabled toggle with two strategies. */
async function given({ server, name }: Check): Promise<void> {
  await server.createToggle(name, EVERYONE, ROLLOUT);
  await server.call('POST', `${environmentOf(name)}/on`);
}

/** Saves a change of the toggle. `query` can confirm a question. */
async function save({ api, name }: Check, change: (toggle: Reply['body']) => object, query = ''): Promise<void> {
  const saved = await api.save(name, (toggle) => ({ ...toggle, ...change(toggle) }), query);
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
}

async function report({ server, name, clientToken }: Check): Promise<void> {
  const stop = new Date();
  const start = new Date(stop.getTime() - 10_000);
  const bucket = { start, stop, toggles: { [name]: { yes: 3, no: 1 } } };
  const app = { appName: `app-${name}`, instanceId: 'i-1' };
  const headers = { authorization: clientToken, cookie: '' };
  const started = { ...app, strategies: ['default'], started: start, interval: 10_000 };
  expect((await server.send('POST', '/api/client/register', started, headers)).status).toBe(202);
  expect((await server.send('POST', '/api/client/metrics', { ...app, bucket }, headers)).status).toBe(202);
}

const toggles: Record<string, (check: Check) => Promise<void>> = {
  async list(check) {
    await given(check);
    const { features } = await check.api.call('GET', '/api/admin/features');
    const row = features.find((feature: Reply['body']) => feature.name === check.name);
    expect(row).toMatchObject({ enabled: true, type: 'release', stale: false });
  },
  async toggle(check) {
    await given(check);
    const toggle = await check.api.call('GET', `/api/admin/features/${check.name}`);
    expect(toggle).toMatchObject({ enabled: true, strategies: [{ name: 'default' }, { name: 'flexibleRollout' }] });
  },
  async create({ api, server, name }) {
    const toggle = { name, description: 'd', type: 'experiment', enabled: true, strategies: [ROLLOUT] };
    expect((await api.send('POST', '/api/admin/features', toggle)).status).toBe(201);
    expect(await server.state(name)).toMatchObject({ enabled: true, strategies: [{ name: ROLLOUT.name }] });
  },
  async 'name validation'(check) {
    await given(check);
    const { status } = await check.api.send('POST', '/api/admin/features/validate', { name: check.name });
    expect(status).toBe(409);
  },
  async switch(check) {
    await given(check);
    await check.api.call('POST', `/api/admin/features/${check.name}/toggle/off`);
    expect(await check.server.state(check.name)).toMatchObject({ enabled: false });
    await check.api.call('POST', `/api/admin/features/${check.name}/toggle/on`);
    expect(await check.server.state(check.name)).toMatchObject({ enabled: true });
  },
  async stale(check) {
    await given(check);
    await check.api.call('POST', `/api/admin/features/${check.name}/stale/on`);
    expect(await check.server.call('GET', `${TOGGLES}/${check.name}`)).toMatchObject({ stale: true });
  },
  async description(check) {
    await given(check);
    await save(check, () => ({ description: 'changed' }));
    expect(await check.server.call('GET', `${TOGGLES}/${check.name}`)).toMatchObject({ description: 'changed' });
  },
  async strategies(check) {
    await given(check);
    await save(check, ({ strategies: [first, second] }) => ({
      strategies: [first, { ...second, parameters: { ...ROLLOUT.parameters, rollout: '41' } }],
    }));
    const { strategies } = await check.server.state(check.name);
    expect(strategies.map(({ parameters }: Reply['body']) => parameters.rollout)).toContain('41');
  },
  async 'strategy order'(check) {
    await given(check);
    await save(check, ({ strategies }) => ({ strategies: [...strategies].reverse() }));
    const strategies = await check.server.strategies(check.name);
    expect(strategies.map(({ name }) => name)).toEqual(['flexibleRollout', 'default']);
  },
  async variants(check) {
    await given(check);
    await save(check, () => ({ variants: VARIANTS }), '?confirm=variants_deprecated');
    const { variants } = await check.server.call('GET', `${environmentOf(check.name)}/variants`);
    expect(variants).toMatchObject(VARIANTS);
  },
  async archive(check) {
    await given(check);
    await check.api.call('DELETE', `/api/admin/features/${check.name}`);
    expect((await check.server.send('GET', `${TOGGLES}/${check.name}`)).status).toBe(404);
  },
  async 'archived toggles'(check) {
    await given(check);
    await check.server.call('DELETE', `${TOGGLES}/${check.name}`);
    const { features } = await check.api.call('GET', '/api/admin/archive/features');
    expect(features.map(({ name }: Reply['body']) => name)).toContain(check.name);
  },
  async revive(check) {
    await given(check);
    await check.server.call('DELETE', `${TOGGLES}/${check.name}`);
    await check.api.call('POST', `/api/admin/archive/revive/${check.name}`);
    await check.server.call('GET', `${TOGGLES}/${check.name}`);
  },
  async 'tags of a toggle'(check) {
    await given(check);
    const path = `/api/admin/features/${check.name}/tags`;
    const tag = { type: 'simple', value: `tag-${check.name}` };
    await check.api.call('POST', path, tag);
    expect(await check.api.call('GET', path)).toMatchObject({ tags: [tag] });
    const { features } = await check.api.call('GET', `/api/admin/features?tag=simple:${tag.value}`);
    expect(features.map(({ name }: Reply['body']) => name)).toEqual([check.name]);
    await check.api.call('DELETE', `${path}/simple/${tag.value}`);
    expect(await check.server.call('GET', path)).toMatchObject({ tags: [] });
  },
};

const usage: Record<string, (check: Check) => Promise<void>> = {
  async 'all events'(check) {
    await given(check);
    const { events } = await check.api.call('GET', '/api/admin/events');
    expect(events.some(({ data }: Reply['body']) => data?.name === check.name)).toBe(true);
  },
  async 'events of a toggle'(check) {
    await given(check);
    const { events } = await check.api.call('GET', `/api/admin/events/${check.name}`);
    const types = events.map(({ type }: Reply['body']) => type);
    expect(types).toContain('feature-created');
    expect(events.every((event: Reply['body']) => 'diffs' in event)).toBe(true);
  },
  async 'usage of the last hour'(check) {
    await given(check);
    await report(check);
    // Flagdeck reads the counts once per minute, so that the server must have stored them.
    const path = `/api/admin/client-metrics/features/${check.name}`;
    const stored = async () => (await check.server.call('GET', path)).lastHourUsage;
    await expect.poll(stored, TOKEN_REPORTS).toMatchObject([{ yes: 3, no: 1 }]);
    const { lastHour } = await check.api.call('GET', '/api/admin/metrics/feature-toggles');
    expect(lastHour[check.name]).toMatchObject({ yes: 3, no: 1 });
  },
  async 'usage of the last minute'(check) {
    await given(check);
    await report(check);
    const read = async () => (await check.api.call('GET', '/api/admin/metrics/feature-toggles')).lastMinute[check.name];
    await expect.poll(read, TOKEN_REPORTS).toMatchObject({ yes: 3, no: 1 });
  },
  async 'applications of toggles'(check) {
    await given(check);
    await report(check);
    const path = `/api/admin/metrics/seen-apps?toggle=${check.name}`;
    const read = async () => JSON.stringify(await check.api.call('GET', path));
    await expect.poll(read, TOKEN_REPORTS).toContain(`app-${check.name}`);
  },
  async applications(check) {
    await given(check);
    await report(check);
    const names = async () =>
      JSON.stringify((await check.api.call('GET', '/api/admin/metrics/applications')).applications);
    await expect.poll(names, TOKEN_REPORTS).toContain(`app-${check.name}`);
    const path = `/api/admin/metrics/applications/app-${check.name}`;
    const read = async () => (await check.api.call('GET', path)).seenToggles;
    await expect.poll(read, TOKEN_REPORTS).toMatchObject([{ name: check.name }]);
    await check.api.call('POST', path, { icon: 'web' });
    expect(await check.server.call('GET', path)).toMatchObject({ icon: 'web' });
    await check.api.call('DELETE', path);
  },
};

const definitions: Record<string, (check: Check) => Promise<void>> = {
  async 'strategy definitions'({ api, server, name }) {
    const path = `/api/admin/strategies/${name}`;
    const definition = { name, description: 'd', parameters: [] };
    await api.call('POST', '/api/admin/strategies', definition);
    await api.call('PUT', path, { ...definition, description: 'changed' });
    await api.call('POST', `${path}/deprecate`);
    expect(await server.call('GET', path)).toMatchObject({ description: 'changed', deprecated: true });
    await api.call('POST', `${path}/reactivate`);
    await api.call('DELETE', path);
  },
  async 'context fields'({ api, server, name }) {
    const path = `/api/admin/context/${name}`;
    const field = { name, description: 'd', legalValues: ['eu', 'us'], sortOrder: 7, stickiness: false };
    await api.call('POST', '/api/admin/context', field);
    const stored: Reply['body'][] = await api.call('GET', '/api/admin/context');
    expect(stored.find((one) => one.name === name)).toMatchObject({ legalValues: ['eu', 'us'] });
    await api.call('PUT', path, { ...field, legalValues: ['eu'] });
    expect(await server.call('GET', path)).toMatchObject({ legalValues: [{ value: 'eu' }] });
    await api.call('DELETE', path);
  },
  async 'tag types'({ api, server, name }) {
    await api.call('POST', '/api/admin/tag-types', { name, description: 'd', icon: 'T' });
    await api.call('PUT', `/api/admin/tag-types/${name}`, { name, description: 'changed', icon: 'T' });
    expect(JSON.stringify(await server.call('GET', '/api/admin/tag-types'))).toContain('changed');
    await api.call('DELETE', `/api/admin/tag-types/${name}`);
  },
  async tags({ api, name }) {
    await api.call('POST', '/api/admin/tags', { type: 'simple', value: name });
    expect(JSON.stringify(await api.call('GET', '/api/admin/tags'))).toContain(name);
    await api.call('DELETE', `/api/admin/tags/simple/${name}`);
  },
  async addons({ api, server, name }) {
    const addon = { provider: 'webhook', description: name, enabled: false, events: ['feature-created'] };
    const parameters = { url: 'http://203.0.113.9/hook' };
    await api.call('POST', '/api/admin/addons', { ...addon, parameters });
    const find = async () => {
      const { addons } = await server.call('GET', '/api/admin/addons');
      return addons.find(({ description }: Reply['body']) => description === name);
    };
    const { id } = await find();
    await api.call('PUT', `/api/admin/addons/${id}`, { ...addon, parameters, enabled: true });
    expect(await find()).toMatchObject({ enabled: true });
    await api.call('DELETE', `/api/admin/addons/${id}`);
  },
  async projects({ api }) {
    expect(await api.call('GET', '/api/admin/projects')).toMatchObject({ projects: [{ id: 'default' }] });
  },
  async 'changes of projects'({ api, name }) {
    await api.call('POST', '/api/admin/projects', { id: name, name, description: '' });
  },
};

const session: Record<string, (check: Check) => Promise<void>> = {
  async 'sign-in'({ api, colleague: { user, password } }) {
    // Without the session of the API: the server would change the user of that session.
    const { headers } = await api.send('POST', '/auth/simple/login', { username: user, password }, { cookie: '' });
    expect(headers['set-cookie']).toContain('unleash-session=');
  },
  async 'sign-out'({ api, server, colleague }) {
    const headers = { cookie: `unleash-session=${await colleague.session()}` };
    // The console sends the first call, which servers do not have.
    const { status } = await api.send('POST', '/-/logout', undefined, headers);
    if (status === 404) await api.send('GET', '/logout', undefined, headers);
    expect((await server.send('GET', '/api/admin/user', undefined, headers)).status).toBe(401);
  },
  async permissions({ api }) {
    const { permissions } = await api.call('GET', '/api/admin/user');
    const [first] = permissions;
    expect(typeof (first.permission ?? first)).toBe('string');
  },
  async 'settings of the server'({ api }) {
    expect(await api.call('GET', '/api/admin/ui-config')).toHaveProperty('version');
    expect((await api.call('GET', '/api/admin/feature-types')).types).not.toHaveLength(0);
  },
  async 'API of applications'(check) {
    await given(check);
    const headers = { authorization: check.clientToken, cookie: '' };
    const { body } = await check.api.send('GET', '/api/client/features', undefined, headers);
    expect(body.features.map(({ name }: Reply['body']) => name)).toContain(check.name);
  },
};

export const ENDPOINTS = { ...toggles, ...usage, ...definitions, ...session };

/** Kinds of calls that servers with environments cannot perform, with the reason. */
const UNSUPPORTED: Record<string, string> = {
  'usage of the last minute': 'These servers count per hour.',
  'changes of projects': 'These servers have one project; more require Unleash Enterprise.',
};

export function isUnsupported(kind: string): boolean {
  return kind in UNSUPPORTED;
}
