// Versions of the real flag service, and the tests that do not apply to some of them.

const OLD_VERSIONS = ['3.10.1', '4.2.2'] as const;
/** Versions in which a toggle has a state in each environment. */
export const NEWER_VERSIONS = ['5.12.8', '6.10.1', '8.2.0'] as const;
/** The version whose API the specification describes. */
export const REFERENCE_VERSION = '3.17.6';
export const NEWEST_VERSION = '8.2.0';

/** The environment of the tests on newer versions. */
export const ENVIRONMENT = 'development';
/** The environment of the toggles of 4.2, whose API does not name it. */
export const ENVIRONMENT_4_2 = 'default';

export type Version = typeof REFERENCE_VERSION | (typeof OLD_VERSIONS)[number] | (typeof NEWER_VERSIONS)[number];
export const VERSIONS: readonly Version[] = [...OLD_VERSIONS, REFERENCE_VERSION, ...NEWER_VERSIONS];

export function hasEnvironments(version: Version): boolean {
  return compare(version, '4.3.0') >= 0;
}

/** True if users sign in with a password; false if they sign in with an email address only. */
export function hasPasswords(version: Version): boolean {
  return !version.startsWith('3.');
}

interface Limit {
  /** The tag of the tests that do not apply. */
  tag: string;
  missing: (version: Version) => boolean;
  reason: string;
}

/** Properties of the reference version that other versions do not have. */
const LIMITS: readonly Limit[] = [
  {
    tag: '@email-sign-in',
    missing: hasPasswords,
    reason: 'From 4.0 on, users sign in with a password; reach/session.spec.ts tests that.',
  },
  {
    tag: '@no-projects',
    missing: hasPasswords,
    reason: 'The endpoint of projects exists from 4.0 on.',
  },
  {
    tag: '@addons',
    missing: (version) => version === '3.10.1',
    reason: '3.10 has no addons.',
  },
  {
    tag: '@minute-counts',
    missing: hasEnvironments,
    reason: 'Newer versions report usage per hour.',
  },
  {
    tag: '@strategy-required',
    missing: hasEnvironments,
    reason: 'In newer versions a toggle may have no strategies in an environment.',
  },
  {
    tag: '@whole-toggle-events',
    missing: (version) => hasEnvironments(version) || version === '4.2.2',
    reason:
      'Events of newer versions contain one strategy, the variants or the properties, never the whole toggle. 4.2 writes ' +
      'both for each change.',
  },
  {
    tag: '@tag-filter',
    missing: (version) => version === '3.10.1',
    reason: '3.10 ignores the tag in a request for toggles: it returns all of them.',
  },
  {
    tag: '@variant-stickiness',
    missing: (version) => version === '3.10.1',
    reason: '3.10 drops the stickiness of variants, and its events contain it.',
  },
  {
    tag: '@context-order',
    missing: (version) => version === '3.10.1',
    reason: '3.10 drops the sort order and the stickiness of context fields: each new field has the order 10.',
  },
  {
    tag: '@toggle-applications',
    missing: (version) => version === '3.10.1' || hasEnvironments(version),
    reason: '3.10 does not report the applications of each toggle, and newer versions only those of single toggles.',
  },
  {
    tag: '@duplicate-tags',
    missing: (version) => version === '3.10.1',
    reason: '3.10 accepts a tag that the toggle already has, without an error.',
  },
  {
    tag: '@unknown-toggles',
    missing: (version) => hasEnvironments(version) && compare(version, '6.10.1') >= 0,
    reason: 'Versions from 6 drop reports about toggles that do not exist.',
  },
  {
    tag: '@unassigned-weight',
    missing: hasEnvironments,
    reason: 'Newer versions give the weight that rounding leaves to the first variant.',
  },
  {
    tag: '@used-fields',
    missing: (version) => hasEnvironments(version) && compare(version, '6.10.1') > 0,
    reason: '7.6 and 8.2 refuse to remove a context field that toggles use; reach/console.spec.ts tests that.',
  },
  {
    tag: '@recorder-edits',
    missing: (version) => version !== REFERENCE_VERSION && version !== NEWEST_VERSION,
    reason:
      'On 3.17.6 and 8.2, each edit of the tests of the flight recorder is one write; on others, it may be several.',
  },
  {
    tag: '@list-variants',
    missing: hasEnvironments,
    reason: 'The lists of newer versions contain no variants.',
  },
  {
    tag: '@archived-strategies',
    missing: (version) => hasEnvironments(version) || version === '4.2.2',
    reason: 'The list of archived toggles from 4.2 on contains no strategies, and that of newer versions no variants.',
  },
  {
    tag: '@first-variant',
    missing: (version) => hasEnvironments(version) && compare(version, '6.10.1') >= 0,
    reason:
      'Versions from 6 store variants in strategies and ask before the first one; reach/variants.spec.ts tests that.',
  },
];

/**
 * Matches the titles and tags of the tests that do not apply to this version. Besides the tags of `LIMITS`, `@since-6.10`
 * and `@until-5.12` limit a test to versions from or up to that one of `NEWER_VERSIONS`.
 */
export function inapplicable(version: Version): RegExp {
  const tags = LIMITS.filter(({ missing }) => missing(version)).map(({ tag }) => tag);
  const later = NEWER_VERSIONS.filter((other) => compare(other, version) > 0).map((other) => `@since-${short(other)}`);
  const earlier = NEWER_VERSIONS.filter((other) => compare(other, version) < 0).map(
    (other) => `@until-${short(other)}`,
  );
  const all = ['@embedded', '@stub', ...tags, ...later, ...earlier];
  return new RegExp(all.map((tag) => `${tag.replace('.', '\\.')}\\b`).join('|'));
}

/** Returns major and minor version, as in the names of the projects: `8.2`. */
export function short(version: Version): string {
  return version.split('.').slice(0, 2).join('.');
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
