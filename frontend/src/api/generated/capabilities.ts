// Capabilities of the embedded flag service, generated from src/console_api.rs. Do not edit.
// After a change there: make types
import type { Capabilities } from './types';

/** Those of Unleash 3.17, except that an edit of a context field stores its sort order. */
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
  managesToggles: true,
  mixesEventDiffs: false,
  movesToggles: true,
  namesSegments: false,
  needsStrategy: true,
  numbersStrategies: false,
  operators: 'basic',
  reviveStaysOff: false,
  seenApps: 'all',
  sortOrderInEdit: 'stored',
  storesFieldDetails: true,
  storesVariantStickiness: true,
  storesVariantsInStrategies: false,
  switchAddsStrategies: false,
};
