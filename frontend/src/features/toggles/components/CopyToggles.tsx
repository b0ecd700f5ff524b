import { feature, features, updateFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { togglesToMarkdown, toggleToMarkdown } from '@/lib/copyFormats';
import { paths } from '@/paths';
import { CopyMenu, toAbsoluteUrl } from '@/shared/CopyMenu';

const addressOf = ({ name }: Toggle) => toAbsoluteUrl(paths.toggle(name));

/** Those that the filters leave, in the order in which they stand. */
export function CopyToggles({ toggles }: { toggles: readonly Toggle[] }) {
  return (
    <CopyMenu
      what="the list"
      json={() => toggles}
      calls={[{ label: 'curl', call: features }]}
      markdown={() => togglesToMarkdown(toggles, addressOf)}
    />
  );
}

export function CopyToggle({ toggle }: { toggle: Toggle }) {
  const { name } = toggle;
  return (
    <CopyMenu
      what={name}
      json={() => toggle}
      calls={[
        { label: 'curl that reads it', call: feature(name) },
        { label: 'curl that writes it', call: updateFeature(name), body: toggle },
      ]}
      markdown={() => toggleToMarkdown(toggle, addressOf(toggle))}
    />
  );
}
