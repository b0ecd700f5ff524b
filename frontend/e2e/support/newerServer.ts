// A stub of a server with environments, as the adapter of the binary presents it: its settings, and toggles whose state
// depends on the selected environment.

import type { Capabilities, NewerServer, Settings } from '../../src/api/generated/types';
import { NEWER_CAPABILITIES } from '../../src/testing/responses';
import { stubTest } from './fixtures';
import { type Call, type StubResponse, type StubUpstream, toggle } from './stubUpstream';

const environments = [
  { name: 'development', type: 'development' },
  { name: 'production', type: 'production' },
];

interface NewerFixtures {
  /** Properties of the server that differ from an 8.2 server. */
  server: Partial<NewerServer>;
  /** Capabilities that differ from an 8.2 server. */
  capabilities: Partial<Capabilities>;
  /** Further settings of the binary. */
  consoleSettings: Partial<Settings>;
  newerStub: undefined;
}

/** Like `stubTest`, with a stub of a newer server. Its tests have the tag `@stub`. */
export const newerTest = stubTest.extend<NewerFixtures>({
  server: [{}, { option: true }],
  capabilities: [{}, { option: true }],
  consoleSettings: [{}, { option: true }],

  // Only the responses that the adapter generates are stubbed. All others pass through the binary.
  newerStub: [
    async ({ page, stub, server, capabilities, consoleSettings }, use) => {
      const context = page.context();
      await context.route('**/-/settings', async (route) => {
        // The console reads the settings again with their entity tag; the response must have a body.
        const { 'if-none-match': _, ...headers } = await route.request().allHeaders();
        const response = await route.fetch({ headers });
        const settings = await response.json();
        const newer = { server: { ...SERVER, ...server }, capabilities: { ...NEWER_CAPABILITIES, ...capabilities } };
        await route.fulfill({ response, json: { ...settings, ...consoleSettings, ...newer } });
      });
      // The binary does not forward the header to a server without environments, such as the stub.
      await context.route('**/api/admin/**', async (route) => {
        const headers = await route.request().allHeaders();
        const environment = headers['flagdeck-environment'];
        await route.continue({ headers: { ...headers, ...(environment && { [STUB_HEADER]: environment }) } });
      });
      respondByEnvironment(stub, []);
      await use(undefined);
      // A handler that is still running would fail when the page closes.
      await context.unrouteAll({ behavior: 'wait' });
    },
    { auto: true },
  ],
});

/** Header with the environment that the console has sent. */
export const STUB_HEADER = 'x-stub-environment';

const SERVER: NewerServer = {
  version: '8.2.0',
  environments,
  environment: null,
  project: null,
  projects: ['default'],
};

/** A toggle of the stub: its state by environment. */
export interface StubToggle {
  name: string;
  /** Strategies by environment in which the toggle is on. */
  on?: { [environment: string]: object[] };
  /** Strategies by environment in which it is off. */
  off?: { [environment: string]: object[] };
  more?: object;
}

/** Responds to reads of the list and of single toggles with the state in the environment of the request. */
export function respondByEnvironment(stub: StubUpstream, toggles: readonly StubToggle[]): void {
  stub.respond(
    'GET /api/admin/features',
    adapted((environment) => ({ body: toList(toggles, environment) })),
  );
  for (const one of toggles) {
    stub.respond(
      `GET /api/admin/features/${one.name}`,
      adapted((environment) => ({
        body: toSingle(one, environment),
        headers: { etag: `"${one.name} ${environment}"` },
      })),
    );
  }
}

/** Responds as the adapter does to a request without an environment. */
function adapted(respond: (environment: string, call: Call) => StubResponse) {
  return (call: Call): StubResponse => {
    const name = call.headers[STUB_HEADER];
    if (typeof name !== 'string') return refusal(428, 'environment_required');
    if (!environments.some((one) => one.name === name)) return refusal(400, 'unknown_environment');
    return respond(name, call);
  };
}

function refusal(status: number, code: string): StubResponse {
  return { status, body: { code, message: `Refused: ${code}`, environments } };
}

function toList(toggles: readonly StubToggle[], environment: string) {
  const features = toggles.map((one) => ({
    ...toSingle(one, environment),
    strategies: [],
    strategiesKnown: false,
    otherEnvironments: undefined,
  }));
  return { version: 1, features };
}

function toSingle({ name, on = {}, off = {}, more }: StubToggle, environment: string) {
  const others = environments.filter((one) => one.name !== environment);
  const strategies = { ...off, ...on };
  return toggle(name, {
    enabled: environment in on,
    strategies: strategies[environment] ?? [],
    otherEnvironments: others.map((one) => ({
      name: one.name,
      enabled: one.name in on,
      strategies: strategies[one.name]?.length ?? 0,
    })),
    ...more,
  });
}
