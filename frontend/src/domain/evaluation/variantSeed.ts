// Client libraries before version 5 of the client specification (October 2023) select other variants.

import type { FirstVersions } from './sdkVersion';

/** The variant seed of these libraries. */
export const OLD_VARIANT_SEED = 0;

/** First versions with the current variant seed. */
export const CURRENT_VARIANT_SEED: FirstVersions = {
  'unleash-client-dotnet': [4, 0, 0],
  'unleash-client-go': [4, 0, 0],
  'unleash-client-java': [9, 0, 0],
  'unleash-client-node': [5, 0, 0],
  'unleash-client-php': [2, 0, 0],
  'unleash-client-python': [5, 9, 2],
  'unleash-client-ruby': [5, 0, 0],
};
