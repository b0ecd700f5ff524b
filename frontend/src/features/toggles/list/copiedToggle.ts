import { read } from '@/api/client';
import { feature, updateFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { areStrategiesKnown } from '@/api/newerTypes';
import { readSegmentName } from '@/domain/strategies/useSegmentName';
import { paths } from '@/paths';
import { type Copied, toAbsoluteUrl } from '@/shared/CopyMenu';

/** Returns the data that is copied from a toggle. */
export function copiedToggle(toggle: Toggle): Copied {
  const { name } = toggle;
  // Without the strategies, the copy would claim that there are none, and the update would remove them.
  const isComplete = areStrategiesKnown(toggle);
  const load = async () => (isComplete ? toggle : read(feature(name)));
  return {
    json: load,
    yaml: async () => (await import('./toggleYaml')).toYaml([toggle]),
    calls: [
      { label: 'curl (read)', call: feature(name) },
      ...(isComplete ? [{ label: 'curl (update)', call: updateFeature(name), body: toggle }] : []),
    ],
    markdown: async () => {
      const { toggleToMarkdown } = await import('./toggleMarkdown');
      const complete = await load();
      const segmentName = await readSegmentName(complete.strategies);
      return toggleToMarkdown(complete, toAbsoluteUrl(paths.toggle(name)), segmentName);
    },
  };
}
