import { read } from '@/api/client';
import { feature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { areStrategiesKnown } from '@/api/newerTypes';
import type { Copied } from '@/shared/CopyMenu';

/** Returns the data that is copied from a toggle. */
export function copiedToggle(toggle: Toggle): Copied {
  const { name } = toggle;
  return {
    // Without the strategies, the copy would claim that there are none.
    json: () => (areStrategiesKnown(toggle) ? toggle : read(feature(name))),
    yaml: async () => (await import('./toggleYaml')).toYaml([toggle]),
  };
}
