import { feature, features, updateFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { toggleToMarkdown } from '@/domain/toggles/toggleMarkdown';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { CopyMenu, toAbsoluteUrl } from '@/shared/CopyMenu';
import { toggleColumns } from './ToggleTable';

/** Copies the filtered toggles in list order. */
export function CopyToggles({ toggles }: { toggles: readonly Toggle[] }) {
  return <CopyList items={toggles} call={features} columns={toggleColumns} />;
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
      markdown={() => toggleToMarkdown(toggle, toAbsoluteUrl(paths.toggle(name)))}
    />
  );
}
