import { feature, features, updateFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { togglesToMarkdown, toggleToMarkdown } from '@/domain/toggles/toggleMarkdown';
import { paths } from '@/paths';
import { CopyMenu, toAbsoluteUrl } from '@/shared/CopyMenu';

const getToggleUrl = ({ name }: Toggle) => toAbsoluteUrl(paths.toggle(name));

/** Copies the filtered toggles in list order. */
export function CopyToggles({ toggles }: { toggles: readonly Toggle[] }) {
  return (
    <CopyMenu
      subject="the list"
      json={() => toggles}
      calls={[{ label: 'curl', call: features }]}
      markdown={() => togglesToMarkdown(toggles, getToggleUrl)}
    />
  );
}

export function CopyToggle({ toggle }: { toggle: Toggle }) {
  const { name } = toggle;
  return (
    <CopyMenu
      subject={name}
      json={() => toggle}
      calls={[
        { label: 'curl (read)', call: feature(name) },
        { label: 'curl (update)', call: updateFeature(name), body: toggle },
      ]}
      markdown={() => toggleToMarkdown(toggle, getToggleUrl(toggle))}
    />
  );
}
