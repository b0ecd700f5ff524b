// Generates load: creates toggles like those of a large organisation, and reports metrics like its applications.

const WORKERS = 16;
const TYPES = ['release', 'experiment', 'operational', 'kill-switch', 'permission'];
const AREAS = ['checkout', 'login', 'search', 'delivery', 'account', 'mobile', 'passkeys', 'pricing'];
/** Number of toggles in one metrics report. */
const REPORTED = 500;

const nameOf = (index: number) => `${AREAS[index % AREAS.length]}.toggle.${String(index).padStart(5, '0')}`;

export async function seed(url: string, count: number): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const work = async () => {
    for (const index of indexes) await post(`${url}api/admin/features`, toggleAt(index));
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
}

export function toggleAt(index: number) {
  return {
    name: nameOf(index),
    description: `Decides who gets part ${index} of the ${AREAS[index % AREAS.length]} area while it is built.`,
    type: TYPES[index % TYPES.length],
    enabled: index % 3 !== 0,
    stale: index % 11 === 0,
    strategies: [
      { name: 'flexibleRollout', parameters: { rollout: '25', stickiness: 'default', groupId: nameOf(index) } },
      { name: 'userWithId', parameters: { userIds: 'ada,grace,edsger' } },
    ],
  };
}

/** Reports counts of other toggles every second, so that each poll of the metrics changes the page. */
export function keepReporting(url: string, count: number): { stop: () => Promise<void> } {
  let newest = Promise.resolve();
  let round = 0;
  const timer = setInterval(() => {
    round += 1;
    const stop = new Date();
    const toggles = Object.fromEntries(
      Array.from({ length: REPORTED }, (_, at) => [nameOf((at + round * 7) % count), { yes: at + round, no: 3 }]),
    );
    const bucket = { start: new Date(stop.getTime() - 1000), stop, toggles };
    newest = post(`${url}api/client/metrics`, { appName: 'shop', instanceId: 'shop-1', bucket });
  }, 1000);
  return {
    async stop() {
      clearInterval(timer);
      await newest;
    },
  };
}

async function post(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`POST ${url}: ${response.status}`);
}
