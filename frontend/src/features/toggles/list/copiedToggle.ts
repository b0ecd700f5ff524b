import { read } from '@/api/client';
import { feature, updateFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { areStrategiesKnown } from '@/api/newerTypes';
import type { Copied } from '@/shared/CopyMenu';

/** Returns the data that is copied from a toggle. */
export function copiedToggle(toggle: Toggle): Copied {
  const { name } = toggle;
  // Without the strategies, the copy would claim that there are none, and the update would remove them.
  const isComplete = areStrategiesKnown(toggle);
  return {
    json: () => (isComplete ? toggle : read(feature(name))),
    yaml: async () => (await import('./toggleYaml')).toYaml([toggle]),
    calls: [
      { label: 'curl (read)', call: feature(name) },
      ...(isComplete ? [{ label: 'curl (update)', call: updateFeature(name), body: toggle }] : []),
    ],
  };
}
