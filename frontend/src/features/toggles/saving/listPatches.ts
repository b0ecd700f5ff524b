// Patches that apply a completed write to the store of toggles and to the archive without reading them again.
import { archivedFeatures } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { patch } from '@/api/hooks';
import { addToggle, patchToggle, removeToggle } from '@/api/toggles';

/** Only the fields that the write changed: reads or other writes may have changed the others since. */
export const patchInList = (name: string, change: Partial<Toggle>) => [() => patchToggle(name, change)];
export const removeFromList = ({ name }: Toggle) => [() => removeToggle(name)];
export const addToList = (toggle: Toggle) => [() => addToggle(toggle)];
export const removeFromArchive = ({ name }: Toggle) =>
  patch(archivedFeatures, (response) => ({
    ...response,
    features: response.features.filter((one) => one.name !== name),
  }));
