// Stores generated toggles in a real flag service, without the properties that its version does not have.

import { CONTEXT_FIELDS, EvaluationCases, type Strategy, type Toggle } from './evaluationCases';
import type { Flags } from './flags';
import type { RealServer } from './realServer';
import { ENVIRONMENT, hasEnvironments, NEWEST_VERSION } from './versions';

/** A segment that toggles use by its id. */
export interface Segment {
  id: number;
  name: string;
  constraints: object[];
}

/** The definitions that client SDKs of servers receive. */
export interface Definitions {
  features: Toggle[];
  segments?: Segment[];
}

/** Operators that 8.2 does not store, or not in every form, and those that exist from 8.2 on. */
const NEWER_OPERATORS = ['IN_CIDR', 'REGEX'];
const OPERATORS_OF_8_2 = ['SEMVER_GTE', 'SEMVER_LTE'];

/** Servers of version 3 accept 100 kB, and newer ones 500 kB. A multiple of ten, so that parents are not in a later import. */
const TOGGLES_PER_IMPORT = 50;
const TOGGLES_PER_NEWER_IMPORT = 200;

/** Stores toggles, and returns the definitions as the server sends them. */
export async function importToggles(
  server: RealServer,
  flags: Flags,
  toggles: Toggle[],
  segments: Segment[],
): Promise<Definitions> {
  if (hasEnvironments(server.version)) await importIntoEnvironment(server, flags, toggles, segments);
  else await importState(flags, toggles.map(EvaluationCases.withoutNewerProperties));
  const token = server.clientToken ?? '';
  const headers = { authorization: token, 'unleash-client-spec': '5.2.0' };
  const response = await fetch(`${server.url}/api/client/features`, { headers });
  const { features, ...rest } = (await response.json()) as Definitions;
  return { ...rest, features: features.map((toggle) => ({ ...toggle, variants: toggle.variants ?? [] })) };
}

async function importState(flags: Flags, toggles: Toggle[]): Promise<void> {
  for (let start = 0; start < toggles.length; start += TOGGLES_PER_IMPORT) {
    const features = toggles.slice(start, start + TOGGLES_PER_IMPORT);
    // The first import removes the toggles of the server. 3.10 would do so for any value of `drop`.
    await flags.post(`admin/state/import${start === 0 ? '?drop=true' : ''}`, { version: 1, features });
  }
}

async function importIntoEnvironment(
  { version }: RealServer,
  flags: Flags,
  toggles: Toggle[],
  segments: Segment[],
): Promise<void> {
  const unknown = version === NEWEST_VERSION ? NEWER_OPERATORS : [...NEWER_OPERATORS, ...OPERATORS_OF_8_2];
  const fields = await flags.get<{ name: string }[]>('admin/context');
  for (const name of CONTEXT_FIELDS)
    if (!fields.some((field) => field.name === name)) await flags.post('admin/context', { name });
  for (const { name, constraints } of segments) await flags.post('admin/segments', { name, constraints });
  const stored = await flags.get<{ segments: Segment[] }>('admin/segments');
  const idOf = (segment: number) => {
    const name = segments.find(({ id }) => id === segment)?.name;
    return stored.segments.find((one) => one.name === name)?.id;
  };
  const known = await flags.get<{ strategies: { name: string }[] }>('admin/strategies');
  const isKnown = ({ name }: Strategy) => known.strategies.some((strategy) => strategy.name === name);
  const convert = (featureName: string) => (strategy: Strategy, sortOrder: number) => ({
    ...strategy,
    constraints: strategy.constraints.filter(({ operator }) => !unknown.includes(operator)),
    segments: (strategy.segments ?? []).map(idOf),
    featureName,
    sortOrder,
  });
  for (let start = 0; start < toggles.length; start += TOGGLES_PER_NEWER_IMPORT) {
    const batch = toggles.slice(start, start + TOGGLES_PER_NEWER_IMPORT);
    await flags.post('admin/features-batch/import', {
      project: 'default',
      environment: ENVIRONMENT,
      data: {
        features: batch.map(({ name }) => ({ name, type: 'release', project: 'default' })),
        featureStrategies: batch.flatMap(({ name, strategies }) => strategies.filter(isKnown).map(convert(name))),
        featureEnvironments: batch.map(({ name, enabled, variants }) => ({
          name,
          featureName: name,
          environment: ENVIRONMENT,
          enabled,
          variants,
        })),
        dependencies: batch.flatMap(({ name: feature, dependencies }) =>
          dependencies ? [{ feature, dependencies }] : [],
        ),
        segments: segments.map(({ id, name }) => ({ id: idOf(id), name })),
        contextFields: [],
        featureTags: [],
        tagTypes: [],
      },
    });
  }
}
