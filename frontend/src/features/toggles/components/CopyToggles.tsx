import { feature, features, updateFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { toggleMarkdown, togglesMarkdown } from '@/lib/copyAs';
import { paths } from '@/paths';
import { CopyMenu, fullAddress } from '@/shared/CopyMenu';

const addressOf = ({ name }: Toggle) => fullAddress(paths.toggle(name));

/** Those that the filters leave, in the order in which they stand. */
export function CopyToggles({ toggles }: { toggles: readonly Toggle[] }) {
  return (
    <CopyMenu
      what="the list"
      json={() => toggles}
      calls={[{ label: 'curl', call: features }]}
      markdown={() => togglesMarkdown(toggles, addressOf)}
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
      markdown={() => toggleMarkdown(toggle, addressOf(toggle))}
    />
  );
}
