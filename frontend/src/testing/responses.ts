// Responses of a flag service of version 3.17.6, for unit tests and for the stub of the browser tests.

import { EMBEDDED_CAPABILITIES } from '@/api/generated/capabilities';
import type { AddonProvider, Capabilities } from '@/api/generated/types';

export interface ResponseData {
  /** Default: 200. */
  status?: number;
  /** Sent as JSON. The fake server sends text unchanged, as HTML. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Responses by request, such as `GET api/admin/features`. */
export type Responses = Record<string, ResponseData>;

const TYPES = [
  { id: 'release', name: 'Release', description: '', lifetimeDays: 40 },
  { id: 'kill-switch', name: 'Kill switch', description: '', lifetimeDays: null },
];

const standard = {
  name: 'default',
  displayName: 'Standard',
  description: 'On for everyone',
  editable: false,
  parameters: [],
};

/** A signed-in user of an empty service. The open 3.x servers have no projects or addons. */
export const EMPTY_SERVICE: Responses = {
  'GET api/admin/user': { body: { email: 'operator@example.com', permissions: ['ADMIN'] } },
  'GET api/admin/ui-config': { body: { version: '3.17.6', versionInfo: { current: { oss: '3.17.6' }, latest: {} } } },
  'GET api/admin/feature-types': { body: { version: 1, types: TYPES } },
  'GET api/admin/features': { body: { version: 1, features: [] } },
  'GET api/admin/archive/features': { body: { features: [] } },
  'GET api/admin/strategies': { body: { version: 1, strategies: [standard] } },
  'GET api/admin/context': { body: [] },
  'GET api/admin/tags': { body: { version: 1, tags: [] } },
  'GET api/admin/metrics/feature-toggles': { body: { lastHour: {}, lastMinute: {} } },
  'GET api/admin/metrics/seen-apps': { body: {} },
};

/** Capabilities of Unleash 8.2. */
export const NEWER_CAPABILITIES: Capabilities = {
  ...EMBEDDED_CAPABILITIES,
  hasEnvironments: true,
  listsVariants: false,
  listsOrderedStrategies: false,
  archivesStrategies: false,
  needsStrategy: false,
  editsStrategyTitles: true,
  importsStrategyProperties: false,
  managesSegments: true,
  operators: 'all',
  switchAddsStrategies: true,
  copiesEnvironments: true,
  reviveStaysOff: true,
  movesToggles: false,
  storesVariantsInStrategies: true,
  sortOrderInEdit: 'reset',
  seenApps: 'single',
};

/** Returns a toggle as a 3.x server sends it. */
export function toggle(name: string, more: object = {}) {
  return {
    name,
    description: '',
    type: 'release',
    project: 'default',
    enabled: true,
    stale: false,
    strategies: [{ name: 'default', parameters: {} }],
    variants: [],
    createdAt: '2026-01-05T10:00:00.000Z',
    lastSeenAt: null,
    ...more,
  };
}

/** A toggle with null instead of lists. */
export const WITH_NULLS = toggle('shop.basket', {
  description: null,
  variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: null, payload: null, overrides: null }],
  strategies: [
    { name: 'default', parameters: null, constraints: null },
    { name: 'other', constraints: [{ contextName: 'userId', operator: 'IN', values: null }] },
  ],
});

/** Returns an application as a 3.x server sends it, with only its name set. */
export function application(appName: string, more: object = {}) {
  const at = '2026-01-05T10:00:00.000Z';
  const fields = { appName, createdAt: at, updatedAt: at, description: null, url: null, icon: null };
  return { ...fields, strategies: [], instances: [], seenToggles: [], ...more };
}

const rollout = {
  name: 'flexibleRollout',
  parameters: { rollout: '25', stickiness: 'default', groupId: 'shop.basket' },
};

const definition = {
  name: 'flexibleRollout',
  description: 'Gradual rollout',
  editable: false,
  deprecated: false,
  parameters: [
    { name: 'rollout', type: 'percentage', description: '', required: false },
    { name: 'stickiness', type: 'string', description: '', required: false },
    { name: 'groupId', type: 'string', description: '', required: false },
  ],
};

const everyone = { ...definition, name: 'default', description: 'On for everyone', parameters: [] };

/** The active toggle of `ONE_TOGGLE`. */
export const BASKET = toggle('shop.basket', { strategies: [rollout] });

const previousEvent = {
  id: 1,
  type: 'feature-updated',
  createdBy: 'ada@example.com',
  createdAt: '2026-01-05T10:00:00.000Z',
  data: { ...BASKET, description: 'Small' },
  diffs: null,
};

/** One active toggle with a tag and events, and one archived toggle. */
export const ONE_TOGGLE = {
  'GET api/admin/features': { body: { version: 1, features: [BASKET] } },
  'GET api/admin/features/shop.basket': { body: BASKET },
  'GET api/admin/strategies': { body: { version: 1, strategies: [everyone, definition] } },
  'GET api/admin/features/shop.basket/tags': { body: { version: 1, tags: [{ type: 'simple', value: 'winter' }] } },
  'GET api/admin/events/shop.basket': { body: { toggleName: 'shop.basket', events: [previousEvent] } },
  'GET api/admin/archive/features': { body: { features: [toggle('shop.gone')] } },
  'POST api/admin/features/validate': { status: 200 },
} satisfies Responses;

/** A provider of addons whose documentation has an unsafe URL. */
export const pager: AddonProvider = {
  name: 'pager',
  displayName: 'Pager',
  description: 'Wakes people up',
  documentationUrl: 'javascript:alert(1)',
  parameters: [{ name: 'key', displayName: 'Key', type: 'text', required: true }],
  events: ['feature-created'],
};

/** An addon of `pager`, with a parameter that the provider does not define. */
export const pagerAddon = {
  id: 7,
  provider: 'pager',
  enabled: true,
  description: null,
  parameters: { key: 'k', more: 5 },
  events: ['feature-created'],
  createdAt: '2026-01-05T10:00:00Z',
};
