import { features } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { CopyList } from '@/shared/CopyList';
import { CopyMenu } from '@/shared/CopyMenu';
import { copiedToggle } from './copiedToggle';
import { toggleColumns } from './ToggleTable';

/** Copies the filtered toggles in list order. */
export function CopyToggles({ toggles }: { toggles: readonly Toggle[] }) {
  return <CopyList items={toggles} call={features} columns={toggleColumns} />;
}

export function CopyToggle({ toggle }: { toggle: Toggle }) {
  return <CopyMenu subject={toggle.name} {...copiedToggle(toggle)} />;
}
