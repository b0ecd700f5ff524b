import type { ComponentProps } from 'react';
import { features } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import type { NewerToggle } from '@/api/newerTypes';
import { ListActions } from '@/shared/ListActions';
import { toggleColumns } from './ToggleTable';

interface Props extends Pick<ComponentProps<typeof ListActions>, 'related' | 'children'> {
  /** The filtered toggles in list order, which can be copied; undefined while loading. */
  toggles: readonly Toggle[] | undefined;
}

export function ToggleListActions({ toggles, ...rest }: Props) {
  return <ListActions items={toggles?.map(omitUnknown)} call={features} columns={toggleColumns} {...rest} />;
}

/** Removes the empty list of strategies if they are not loaded. */
function omitUnknown(toggle: Toggle): Toggle {
  const { strategies: _, variants: __, strategiesKnown, ...rest }: NewerToggle = toggle;
  return strategiesKnown === false ? (rest as Toggle) : toggle;
}
