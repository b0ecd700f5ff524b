// Capabilities of the embedded flag service, generated from src/console_api.rs. Do not edit.
// After a change there: make types
import type { Capabilities } from './types';

/** Those of Unleash 3.17, with segments, all operators, and the sort order in edits of context fields. */
export const EMBEDDED_CAPABILITIES: Capabilities = {
  acceptsDeprecated: true,
  archivesStrategies: true,
  copiesEnvironments: false,
  editsStrategyTitles: false,
  filtersByTag: true,
  hasEnvironments: false,
  importsStrategyProperties: true,
  listsOrderedStrategies: true,
  listsVariants: true,
  managesSegments: true,
  managesToggles: true,
  mixesEventDiffs: false,
  movesToggles: true,
  needsStrategy: true,
  numbersStrategies: false,
  operators: 'withNetworks',
  reviveStaysOff: false,
  seenApps: 'all',
  sortOrderInEdit: 'stored',
  storesFieldDetails: true,
  storesVariantStickiness: true,
  storesVariantsInStrategies: false,
  switchAddsStrategies: false,
};
