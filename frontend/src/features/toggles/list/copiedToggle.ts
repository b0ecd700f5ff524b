import { feature, updateFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { toggleToMarkdown } from '@/domain/toggles/toggleMarkdown';
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
    markdown: () => toggleToMarkdown(toggle, toAbsoluteUrl(paths.toggle(name))),
  };
}
