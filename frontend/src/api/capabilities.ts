// What the API of the flag service can do. The only file that derives behaviour from a version: components ask for a
// capability. Facts of servers with environments come from the settings; the version of others from their UI config,
// because this program reads it only with the session of a user.
import { currentServerEnvironment, useServerEnvironment } from './environment';
import type { NewerServer, Settings, UiConfig } from './generated/types';
import { currentSettings, useSettings } from './settings';
import { cachedUiConfig, useReceivedUiConfig } from './uiConfigCache';

export interface Capabilities {
  /** A toggle has a state, strategies and permissions for each environment. */
  hasEnvironments: boolean;
  /** Single toggles can be read and changed. False only if the version rules it out. */
  managesToggles: boolean;
  /** The list of toggles contains variants and dependencies. */
  listsVariants: boolean;
  /** The list of toggles contains the strategies in their order. Otherwise single toggles are read. */
  listsOrderedStrategies: boolean;
  /** The list of archived toggles contains their strategies. */
  archivesStrategies: boolean;
  /** The list of toggles can be restricted to a tag. */
  filtersByTag: boolean;
  /** Strategies are ordered by a number that a save must contain. */
  numbersStrategies: boolean;
  /** A toggle must have a strategy. */
  needsStrategy: boolean;
  /** Titles and the disabled state of strategies can be edited. */
  editsStrategyTitles: boolean;
  /** Properties of strategies without an editor can be changed by import only. */
  importsStrategyProperties: boolean;
  /** A toggle contains the names of its segments. */
  namesSegments: boolean;
  /** Operators of constraints that can be edited: `IN` and `NOT_IN`, those of 4.19 to 7, or all. */
  operators: 'basic' | 'extended' | 'all';
  /** A definition of a strategy can be replaced together with its property `deprecated`. */
  acceptsDeprecated: boolean;
  /** Switching a toggle on may add or enable strategies. */
  switchAddsStrategies: boolean;
  /** A request copies a toggle with all its environments and tags. */
  copiesEnvironments: boolean;
  /** A revived toggle is off in every environment. Otherwise it has its previous state there. */
  reviveStaysOff: boolean;
  /** The project of a toggle can be changed. */
  movesToggles: boolean;
  /** Variants belong to strategies. Those of toggles are deprecated. */
  storesVariantsInStrategies: boolean;
  /** The stickiness of variants is stored. */
  storesVariantStickiness: boolean;
  /** The stickiness and the sort order of a context field are stored. */
  storesFieldDetails: boolean;
  /** Effect of an edit of a context field on its sort order. */
  sortOrderInEdit: 'stored' | 'ignored' | 'reset';
  /**
   * Counts of toggles: per minute; per hour; or per hour with a last minute that contains only reports that SDKs send
   * through this program.
   */
  counts: 'minutes' | 'hours' | 'hoursAndForwardedMinute';
  /** Applications that use a toggle are reported for all toggles together, for single ones, or not at all. */
  seenApps: 'all' | 'single' | 'none';
  /** The differences in events may be those to an event of another strategy or environment. */
  mixesEventDiffs: boolean;
}

/**
 * Returns the capabilities in an environment of a newer server. While the settings and the version are unknown, they are
 * those of Unleash 3.17.
 */
export function toCapabilities(
  settings: Settings | undefined,
  version: string | undefined,
  environment?: string,
): Capabilities {
  const server = settings?.server ?? undefined;
  const newer = majorOf(server?.version ?? undefined);
  const hasEnvironments = server !== undefined;
  const is4 = majorOf(version) === 4;
  return {
    hasEnvironments,
    managesToggles: hasEnvironments || majorOf(version) < 5,
    listsVariants: !hasEnvironments,
    listsOrderedStrategies: !hasEnvironments && !is4,
    archivesStrategies: !hasEnvironments,
    filtersByTag: !isVersion3Before(11, version),
    numbersStrategies: is4,
    needsStrategy: !hasEnvironments,
    editsStrategyTitles: server?.strategyTitles ?? false,
    importsStrategyProperties: !hasEnvironments,
    namesSegments: hasEnvironments,
    operators: operatorsOf(server, newer),
    acceptsDeprecated: !isVersion3Before(11, version),
    switchAddsStrategies: hasEnvironments,
    copiesEnvironments: hasEnvironments,
    reviveStaysOff: server?.reviveStaysOff ?? false,
    movesToggles: !hasEnvironments,
    storesVariantsInStrategies: newer >= 6,
    storesVariantStickiness: !isVersion3Before(12, version),
    storesFieldDetails: !isVersion3Before(12, version),
    sortOrderInEdit: settings?.mode === 'upstream' ? sortOrderOf(newer) : 'stored',
    counts: countsOf(server, environment),
    seenApps: isVersion3Before(11, version) ? 'none' : findSeenAppsSupport(server),
    mixesEventDiffs: /^4\.[0-2]\./u.test(version ?? ''),
  };
}

function operatorsOf(server: NewerServer | undefined, newer: number): Capabilities['operators'] {
  if (!server) return 'basic';
  return newer >= 8 ? 'all' : 'extended';
}

function sortOrderOf(newer: number): Capabilities['sortOrderInEdit'] {
  return newer >= 6 ? 'reset' : 'ignored';
}

function countsOf(server: NewerServer | undefined, environment: string | undefined): Capabilities['counts'] {
  if (!server) return 'minutes';
  return server.minuteCounts.some((name) => name === environment) ? 'hoursAndForwardedMinute' : 'hours';
}

function findSeenAppsSupport(server: NewerServer | undefined): Capabilities['seenApps'] {
  return server ? 'single' : 'all';
}

/** Capabilities of the flag service. Sends no request, so that every control can use it. */
export function useCapabilities(): Capabilities {
  return toCapabilities(useSettings(), useServerVersion(), useServerEnvironment()?.name);
}

/** Like `useCapabilities`, outside rendering. Until the version is known, the last one in this browser counts. */
export function currentCapabilities(): Capabilities {
  const version = versionFromConfig(cachedUiConfig());
  return toCapabilities(currentSettings(), version, currentServerEnvironment()?.name);
}

/** The server's version, for display; undefined if it is not known. */
export function useServerVersion(): string | undefined {
  return versionFromConfig(useReceivedUiConfig() ?? {});
}

function versionFromConfig({ version, versionInfo }: UiConfig): string | undefined {
  const { oss, enterprise } = versionInfo?.current ?? {};
  return enterprise || oss || version || undefined;
}

/** Returns the first number of a version; 0 if it is not known. */
function majorOf(version: string | undefined): number {
  return Number.parseInt(version ?? '', 10) || 0;
}

/** True for versions 3.0 to 3.`minor`, exclusive. */
function isVersion3Before(minor: number, version: string | undefined): boolean {
  const [, found] = /^3\.(\d+)\./u.exec(version ?? '') ?? [];
  return Number(found) < minor;
}
