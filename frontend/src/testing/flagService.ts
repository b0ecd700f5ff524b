// Declares the responses of a flag service to the fake server.
import { EMBEDDED_CAPABILITIES } from '@/api/generated/capabilities';
import type { ParameterDefinition, Settings, StrategyDefinition, Toggle, UserResponse } from '@/api/generated/types';
import type { FakeServer } from './fakeServer';
import { EMPTY_SERVICE, type Responses, toggle } from './responses';

export const SETTINGS: Settings = {
  mode: 'embedded',
  upstream: null,
  mountPath: '',
  version: '0.1.0',
  signOut: true,
  readOnly: false,
  confirmWrites: false,
  imageOrigins: [],
  environment: null,
  capabilities: EMBEDDED_CAPABILITIES,
  server: null,
  replica: false,
  servesBrowsers: false,
  servesOpenFeature: false,
  journal: false,
  holds: false,
  sessions: false,
  recorder: false,
  recorderNeedsAdmin: false,
  sharedDatabase: null,
  definitions: null,
};

const USER: UserResponse = { username: 'operator', permissions: ['ADMIN'] };

/** A toggle that is on for everyone. */
export function createToggle(changes: Partial<Toggle> & Pick<Toggle, 'name'>): Toggle {
  return { ...toggle(changes.name), ...changes };
}

/** A built-in strategy. */
export function createDefinition(name: string, ...parameters: ParameterDefinition[]): StrategyDefinition {
  return { name, description: name, editable: false, deprecated: false, parameters };
}

export function createParameter(name: string, type: ParameterDefinition['type']): ParameterDefinition {
  return { name, type, description: '', required: false };
}

/** Declares the responses of an embedded flag service without items, except these toggles. */
export function serveConsole(server: FakeServer, toggles: readonly Toggle[] = []): void {
  const responses: Record<string, unknown> = {
    '-/settings': SETTINGS,
    'api/admin/user': USER,
    'api/admin/ui-config': { name: 'Flagdeck', version: '3.17.6' },
    'api/admin/features': { version: 1, features: toggles },
    'api/admin/feature-types': { version: 1, types: [] },
    'api/admin/strategies': { version: 1, strategies: [] },
    'api/admin/projects': { version: 1, projects: [] },
    'api/admin/context': [],
    'api/admin/tag-types': { version: 1, tagTypes: [] },
    'api/admin/tags': { version: 1, tags: [] },
    'api/admin/segments': { segments: [] },
    'api/admin/archive/features': { version: 1, features: [] },
    'api/admin/metrics/applications': { applications: [] },
    'api/admin/metrics/feature-toggles': { lastHour: {}, lastMinute: {} },
    'api/admin/metrics/seen-apps': {},
  };
  for (const [path, body] of Object.entries(responses)) server.on(`GET ${path}`, { body });
  for (const one of toggles) {
    const path = `api/admin/features/${encodeURIComponent(one.name)}`;
    server.on(`GET ${path}`, { body: one });
    server.on(`GET ${path}/tags`, { body: { version: 1, tags: [] } });
    server.on(`GET api/admin/events/${encodeURIComponent(one.name)}`, {
      body: { toggleName: one.name, events: [] },
    });
  }
}

/** Declares the responses of a 3.x flag service that Flagdeck forwards to: those of an empty service, except these. */
export function serveUpstream(server: FakeServer, responses: Responses = {}): void {
  server.on('GET -/settings', { body: { ...SETTINGS, mode: 'upstream', upstream: UPSTREAM_HOST } });
  for (const [line, response] of Object.entries({ ...EMPTY_SERVICE, ...responses })) server.on(line, response);
}

/** Host of the flag service of `serveUpstream`. */
export const UPSTREAM_HOST = '127.0.0.1:4242';

/** Lets the flag service be unreachable: Flagdeck responds to each request under `api/`. */
export function serveOutage(server: FakeServer): void {
  const code = 'upstream_unreachable';
  const message = `The flag service at ${UPSTREAM_HOST} cannot be reached: connection refused`;
  server.onAny('api/', { status: 502, body: { code, message }, headers: { 'x-flagdeck-error': code } });
}
