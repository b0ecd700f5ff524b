// Versions 4.2 to 8.2: users sign in with a password, and toggles have a state in each environment (from 4.3 on).

import { createAccounts } from './accounts.mjs';

/** Interval at which reports of applications are stored (5 to 30 s by default). */
const REPORT_INTERVAL_MS = 100;
/** Higher than the number of sign-ins and searches of one test run. */
const NO_LIMIT = 1_000_000;
/** Sign-ins per minute and client address: more than other tests need, and few enough to reach the limit in a test. */
const MAX_SIGN_INS = 40;
/** Tables that a reset empties, as far as the version has them. */
const TABLES = [
  'addons',
  'client_applications',
  'client_applications_usage',
  'client_instances',
  'client_metrics',
  'client_metrics_env',
  'client_metrics_env_daily',
  'client_metrics_env_variants',
  'client_metrics_env_variants_daily',
  'events',
  'favorite_features',
  'features',
  'integration_events',
  'last_seen_at_metrics',
  'segments',
  'tags',
  'unknown_flags',
];

/** 8.2 computes changes for SDKs, and its commercial edition adds the route for polls. */
const VERSION_WITH_CHANGES = '8.2.0';

/** Starts the service. `known` is what an earlier process has created in its database. */
export async function startVersion4(unleash, options, { isDurable, isDemo, version, known }) {
  const url = `http://127.0.0.1:${options.port}`;
  const service = await unleash.start({
    ...options,
    // Its handler of SIGTERM would end the process before the temporary folder is removed.
    server: { host: '127.0.0.1', port: options.port, unleashUrl: url, gracefulShutdownEnable: false },
    authentication: { type: isDemo ? 'demo' : 'open-source' },
    telemetry: false,
    // The default is 5 sessions for each user.
    session: { maxParallelSessions: NO_LIMIT },
    rateLimiting: {
      createUserMaxPerMinute: NO_LIMIT,
      simpleLoginMaxPerMinute: MAX_SIGN_INS,
      authenticationMaxPerMinute: NO_LIMIT,
      searchFeaturesMaxPerMinute: NO_LIMIT,
    },
    clientFeatureCaching: { enabled: false },
    ...(version === VERSION_WITH_CHANGES && {
      experimental: { flags: { deltaApi: true } },
      preRouterHook: offerChanges,
    }),
    // 8.2 rejects addons with private addresses.
    allowPrivateUrlInIntegration: true,
  });
  const database = connection(service);
  const { created, initial } = known ?? (await fillDatabase(url, service, database));
  if (!isDurable) {
    readToggleNamesOfEachReport(service);
    setInterval(
      withoutOverlap(() => storeReports(service)),
      REPORT_INTERVAL_MS,
    );
  }
  return {
    ready: { url, ...created },
    known: { created, initial },
    reset: () => reset(service, database, initial),
  };
}

async function fillDatabase(url, { services }, database) {
  const created = await createAccounts(url, services, database);
  await addOldStrategies(database);
  return { created, initial: await readInitialState(database) };
}

/** Offers polls for changes. */
function offerChanges(app, _config, { clientFeatureToggleService }) {
  app.get('/api/client/delta', async ({ headers, user, query }, response) => {
    const known = /^"(\d+)"$/.exec(headers['if-none-match'] ?? '')?.[1];
    const selection = { ...query, environment: user.environment };
    const changes = await clientFeatureToggleService.getClientDelta(known && Number(known), selection);
    if (!changes) return response.status(304).end();
    response.set('ETag', `"${changes.events.at(-1)?.eventId ?? 0}"`).json(changes);
  });
}

/** Returns the connection pool of the service; only some versions make it public. */
function connection({ stores }) {
  return stores.db ?? stores.eventStore.db;
}

/** From 6 on, the service keeps the names of all toggles for 10 s and drops reports of newer toggles. */
function readToggleNamesOfEachReport({ services: { clientMetricsServiceV2 }, stores: { clientMetricsStoreV2 } }) {
  if (!clientMetricsServiceV2.cachedFeatureNames) return;
  clientMetricsServiceV2.cachedFeatureNames = () => clientMetricsStoreV2.getFeatureFlagNames();
}

/** Returns a function that does nothing while its last call runs. Otherwise calls accumulate on a busy machine. */
function withoutOverlap(act) {
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    await act().finally(() => {
      isRunning = false;
    });
  };
}

/** Stores the reports of applications that are still in memory. */
async function storeReports({ services, stores }) {
  // Only 4.2 counts the reports of all instances in memory, from the database each 10 s.
  stores.clientMetricsStore?._fetchNewAndEmit?.();
  await services.clientMetricsServiceV2.bulkAdd?.();
  await (services.clientInstanceService ?? services.clientMetricsService).bulkAdd();
  await services.lastSeenService?.store();
  await services.unknownFlagsService?.flush();
}

/** Strategies of 3.x with their parameters. */
const OLD_STRATEGIES = {
  userWithId: [{ name: 'userIds', type: 'list', description: '', required: false }],
  gradualRolloutUserId: [
    { name: 'percentage', type: 'percentage', description: '', required: false },
    { name: 'groupId', type: 'string', description: '', required: false },
  ],
};

/** Adds strategies of 3.x, as on a server that was upgraded: since 5 they are deprecated, and a fresh 8.2 has none. */
async function addOldStrategies(database) {
  for (const [name, parameters] of Object.entries(OLD_STRATEGIES)) {
    const strategy = { name, description: '', parameters: JSON.stringify(parameters), built_in: 1 };
    await database('strategies').insert(strategy).onConflict('name').ignore();
    await database('strategies').where('name', name).update({ deprecated: false });
  }
}

async function readInitialState(database) {
  const { rows } = await database.raw(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const existing = rows.map(({ name }) => name);
  return {
    tables: TABLES.filter((table) => existing.includes(table)),
    contextFields: await database('context_fields').select(),
    strategies: await database('strategies').select(),
    tagTypes: await database('tag_types').select(),
  };
}

async function reset({ services }, database, { tables, contextFields, strategies, tagTypes }) {
  services.clientMetricsServiceV2.unsavedMetrics = [];
  if (services.clientMetricsService) services.clientMetricsService.apps = {};
  (services.clientInstanceService ?? services.clientMetricsService).seenClients = {};
  services.lastSeenService?.lastSeenToggles.clear();
  // Event numbers continue, because the service uses the highest one as the revision of its caches.
  await database.raw(`TRUNCATE ${tables.join(', ')} CONTINUE IDENTITY CASCADE`);
  await restore(database, 'context_fields', contextFields);
  await restore(database, 'strategies', strategies);
  await restore(database, 'tag_types', tagTypes);
}

/** Restores the rows that a fresh service has. */
async function restore(database, table, rows) {
  const names = rows.map(({ name }) => name);
  await database(table).whereNotIn('name', names).delete();
  for (const row of rows) {
    const values = Object.entries(row).map(([column, value]) => [
      column,
      isJson(value) ? JSON.stringify(value) : value,
    ]);
    await database(table).insert(Object.fromEntries(values)).onConflict('name').merge();
  }
}

function isJson(value) {
  return value !== null && typeof value === 'object' && !(value instanceof Date);
}
