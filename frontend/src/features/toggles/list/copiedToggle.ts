import { feature, updateFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { paths } from '@/paths';
import { type Copied, toAbsoluteUrl } from '@/shared/CopyMenu';

/** Returns the data that is copied from a toggle. */
export function copiedToggle(toggle: Toggle): Copied {
  const { name } = toggle;
  return {
    json: () => toggle,
    calls: [
      { label: 'curl (read)', call: feature(name) },
      { label: 'curl (update)', call: updateFeature(name), body: toggle },
    ],
    markdown: async () => {
      const { toggleToMarkdown } = await import('@/domain/toggles/toggleMarkdown');
      return toggleToMarkdown(toggle, toAbsoluteUrl(paths.toggle(name)));
    },
  };
}
