// Pages that show records, with fixed times instead of those of the server.

import { expect, type Page } from '@playwright/test';
import { NOW } from './fixedTime';
import type { Scene } from './scene';

const AT = '2026-01-05T08:00:10Z';
const QUERY = `at=${encodeURIComponent(AT)}`;
const SINCE = { after: '2026-01-05T07:59:12Z', by: '2026-01-05T07:59:14Z' };
const SCOPE = { id: 'all', name: 'all', environment: null, query: '', listsSegments: true };

const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'userId', groupId: 'checkout.one-page' },
});

const toggle = (name: string, strategies: object[], enabled = true) => ({
  name,
  type: 'release',
  enabled,
  stale: false,
  strategies,
  variants: [],
});

const ONE_PAGE = toggle('checkout.one-page', [rollout('25')]);

const STATE = {
  version: 1,
  features: [toggle('account.passkeys', [{ name: 'default', parameters: {} }], false), ONE_PAGE],
  segments: [],
  recording: {
    at: AT,
    scope: SCOPE,
    otherScopes: [],
    since: SINCE,
    gap: { from: '2026-01-05T08:00:00Z', to: '2026-01-05T08:20:00Z', reason: 'notRunning' },
  },
};

const CHANGES = {
  from: '2026-01-05T07:00:00Z',
  to: '2026-01-05T08:00:00Z',
  scope: SCOPE,
  otherScopes: [],
  changes: [
    {
      kind: 'toggle',
      name: 'checkout.one-page',
      summary: 'switched off, strategies changed (25 → 50 %)',
      before: ONE_PAGE,
      after: toggle('checkout.one-page', [rollout('50')], false),
      count: 2,
      first: SINCE,
      last: SINCE,
    },
    {
      kind: 'segment',
      name: 'beta',
      summary: 'constraints changed',
      before: {},
      after: {},
      count: 1,
      first: SINCE,
      last: SINCE,
    },
  ],
  holds: [
    {
      toggle: 'account.passkeys',
      environment: null,
      person: 'amara.okafor',
      reason: 'INC-42: sign-in fails on older phones',
      start: '2026-01-05T07:30:00Z',
      end: '2026-01-05T07:52:00Z',
    },
  ],
  isTruncated: false,
  missed: 0,
  gaps: [],
};

const EVENTS = [
  { ...rolloutEvent(2, '50', '2026-01-05T07:59:12Z'), createdBy: 'grace@example.com' },
  { ...rolloutEvent(1, '25', '2026-01-04T14:03:00Z'), createdBy: 'ada@example.com' },
];

function rolloutEvent(id: number, percent: string, createdAt: string) {
  const data = toggle('checkout.one-page', [rollout(percent)]);
  return { id, type: id === 1 ? 'feature-created' : 'feature-updated', createdAt, data, diffs: null };
}

/** Counts of the last hour, of which the page shows those until its time. */
const COUNTS = Array.from({ length: 60 }, (_, minute) => ({
  timestamp: new Date(NOW - minute * 60_000).toISOString(),
  yes: 20 + ((minute * 7) % 13),
  no: 60 + ((minute * 5) % 11),
  appName: minute % 3 === 0 ? 'shop-web' : 'shop-app',
  environment: 'default',
}));

/** Loads the page again with fixed records. */
async function showRecords(page: Page): Promise<void> {
  const status = {
    firstRecord: '2026-01-01T00:00:00Z',
    lastRecord: AT,
    failingSince: null,
    cause: null,
    bytes: 1,
    missed: 0,
  };
  await page.route('**/-/recorder', (route) => route.fulfill({ json: { ...status, scopes: [SCOPE] } }));
  await page.route('**/-/state?*', (route) => route.fulfill({ json: STATE }));
  await page.route('**/-/changes?*', (route) => route.fulfill({ json: CHANGES }));
  await page.route('**/api/admin/events/checkout.one-page', (route) =>
    route.fulfill({ json: { version: 1, toggleName: 'checkout.one-page', events: EVENTS } }),
  );
  await page.route('**/client-metrics/features/checkout.one-page/*', (route) =>
    route.fulfill({ json: { version: 1, maturity: 'stable', data: COUNTS } }),
  );
  await page.reload();
}

export const past: readonly Scene[] = [
  {
    name: 'past-toggles',
    title: 'Toggle list as of an earlier time',
    path: `features?${QUERY}`,
    server: 'recorder',
    act: async ({ page, ui }) => {
      await showRecords(page);
      await expect(ui.main.getByText('checkout.one-page')).toBeVisible();
    },
  },
  {
    name: 'past-time',
    title: 'Choice of an earlier time',
    path: 'history',
    server: 'recorder',
    act: async ({ page, ui }) => {
      await showRecords(page);
      await ui.main.getByRole('button', { name: 'As of…' }).click();
      await expect(page.getByLabel('Time', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'past-activation',
    title: 'Activation as of an earlier time',
    path: `features/strategies/checkout.one-page?${QUERY}`,
    server: 'recorder',
    act: async ({ page, ui }) => {
      await showRecords(page);
      await expect(ui.main.getByText('25 %').first()).toBeVisible();
    },
  },
  {
    name: 'past-metrics',
    title: 'Calls until an earlier time',
    path: `features/view/checkout.one-page?at=${encodeURIComponent(new Date(NOW - 20 * 60_000).toISOString())}`,
    server: 'recorder',
    act: async ({ page, ui }) => {
      await showRecords(page);
      await expect(ui.main.getByRole('figure')).toBeVisible();
    },
  },
  {
    name: 'past-log',
    title: 'Log until an earlier time',
    path: `features/history/checkout.one-page?${QUERY}`,
    server: 'recorder',
    act: async ({ page, ui }) => {
      await showRecords(page);
      await ui.main.locator('[data-row]').first().click();
    },
  },
  {
    name: 'past-missing',
    title: 'A toggle that did not exist at an earlier time',
    path: `features/strategies/checkout.new?${QUERY}`,
    server: 'recorder',
    act: async ({ page, ui }) => {
      await showRecords(page);
      await expect(ui.main.getByRole('heading', { name: 'SDKs did not get this toggle then' })).toBeVisible();
    },
  },
  {
    name: 'changes',
    title: 'What changed',
    path: 'changes?from=2026-01-05T07:00:00Z&to=2026-01-05T07:59:59.999Z',
    server: 'recorder',
    act: async ({ page, ui }) => {
      await showRecords(page);
      await expect(ui.main.getByText('constraints changed')).toBeVisible();
    },
  },
];
