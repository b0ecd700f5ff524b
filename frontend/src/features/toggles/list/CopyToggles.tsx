import { features } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import type { NewerToggle } from '@/api/newerTypes';
import { CopyList } from '@/shared/CopyList';
import { toggleColumns } from './ToggleTable';

/** Copies the filtered toggles in list order. */
export function CopyToggles({ toggles }: { toggles: readonly Toggle[] }) {
  return <CopyList items={toggles.map(omitUnknown)} call={features} columns={toggleColumns} />;
}

/** Removes the empty list of strategies if they are not loaded. */
function omitUnknown(toggle: Toggle): Toggle {
  const { strategies: _, variants: __, strategiesKnown, ...rest }: NewerToggle = toggle;
  return strategiesKnown === false ? (rest as Toggle) : toggle;
}
