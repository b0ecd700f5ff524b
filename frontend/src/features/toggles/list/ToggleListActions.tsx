// The ⋯ menu of the toggle list: beside the title, and on phones beside the filters.
import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import type { NewerToggle } from '@/api/newerTypes';
import { useClockItems } from '@/domain/past/clockPrompt';
import { sections } from '@/paths';
import { ListActions, ListMenu, useRelatedItems } from '@/shared/ListActions';
import { toggleColumns } from './ToggleTable';

interface Props {
  /** The filtered toggles in list order, which can be copied; undefined while loading. */
  toggles: readonly Toggle[] | undefined;
}

const shared = {
  columns: toggleColumns,
  yaml: async (toggles: readonly Toggle[]) => (await import('./toggleYaml')).toYaml(toggles),
};

/** Lists to which few users go from this one, and the earlier time that the page can show. */
function useMoreItems() {
  return [...useRelatedItems([{ label: sections.projects.label, to: sections.projects.path }]), ...useClockItems()];
}

/** `children` is the primary button. */
export function ToggleListActions({ toggles, children }: Props & { children: ReactNode }) {
  return (
    <ListActions items={toggles?.map(omitUnknown)} hasOwnMenu more={useMoreItems()} {...shared}>
      {children}
    </ListActions>
  );
}

export function ToggleListMenu({ toggles }: Props) {
  return <ListMenu items={toggles?.map(omitUnknown)} more={useMoreItems()} {...shared} />;
}

/** Removes the empty list of strategies if they are not loaded. */
function omitUnknown(toggle: Toggle): Toggle {
  const { strategies: _, variants: __, strategiesKnown, ...rest }: NewerToggle = toggle;
  return strategiesKnown === false ? (rest as Toggle) : toggle;
}
