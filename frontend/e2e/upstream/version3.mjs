// Versions 3.10 to 3.17: anyone signs in with an email address.

/** Interval at which the service stores registrations (5 s by default) and counts metrics (10 s by default). */
const REPORT_INTERVAL_MS = 100;

export async function startVersion3(unleash, options, { isDurable }) {
  const service = await unleash.start({
    ...options,
    host: '127.0.0.1',
    adminAuthentication: 'unsecure',
    ...(!isDurable && { bulkInterval: REPORT_INTERVAL_MS }),
  });
  if (!isDurable) {
    // No option sets this interval.
    const { clientMetricsStore } = service.stores;
    clearInterval(clientMetricsStore.timer);
    clientMetricsStore._startPoller(REPORT_INTERVAL_MS);
  }
  return {
    ready: { url: `http://127.0.0.1:${options.port}` },
    reset: () => reset(service),
  };
}

async function reset({ stores: { db }, services: { clientMetricsService } }) {
  // Memory also contains reports: registrations that are not yet stored, and the toggles of each application.
  clientMetricsService.seenClients = {};
  clientMetricsService.apps = {};
  // 3.10 has no addons.
  const { rows } = await db.raw(`SELECT to_regclass('addons') IS NOT NULL AS found`);
  const addons = rows[0].found ? ', addons' : '';
  await db.raw(`TRUNCATE features, feature_tag, events, tags${addons} RESTART IDENTITY CASCADE`);
  await db.raw('TRUNCATE client_applications, client_instances');
  await db.raw(`DELETE FROM tag_types WHERE name <> 'simple'`);
  await db.raw('DELETE FROM strategies WHERE built_in <> 1');
  await db.raw('UPDATE strategies SET deprecated = false');
  await db.raw(`DELETE FROM context_fields WHERE name NOT IN ('environment', 'userId', 'appName')`);
}
