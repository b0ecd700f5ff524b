// Cache patches that apply a write to the toggle lists without reading them again.
import { archivedFeatures, feature, features } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { patch } from '@/api/hooks';
import { areStrategiesKnown, type NewerToggle } from '@/api/newerTypes';

export function patchToggleList(edit: (toggles: Toggle[]) => Toggle[]) {
  return [patch(features, (response) => ({ ...response, features: edit(response.features) }))];
}

export const replaceInList = (toggle: Toggle) => [
  ...patchToggleList((all) => all.map((one) => (one.name === toggle.name ? toggle : one))),
  patch(feature(toggle.name), (one) => (areStrategiesKnown(toggle) ? toggle : withStateOf(one, toggle))),
];

/** Returns the toggle after a change. The response of 4.2 to a switch has neither the state nor the strategies. */
export function afterChange(toggle: Toggle, change: Partial<Toggle>, response: Partial<Toggle> | undefined): Toggle {
  return isComplete(response) ? response : { ...toggle, ...change, ...response };
}

function isComplete(toggle: Partial<Toggle> | undefined): toggle is Toggle {
  return toggle?.strategies !== undefined;
}

/** Returns the toggle with the fields of a row of the list, which has neither strategies nor variants. */
function withStateOf(toggle: Toggle, row: NewerToggle): Toggle {
  const { strategies: _, variants: __, strategiesKnown: ___, ...fields } = row;
  return { ...toggle, ...fields };
}

export const removeFromList = ({ name }: Toggle) => patchToggleList((all) => all.filter((one) => one.name !== name));
export const addToList = (toggle: Toggle) =>
  patchToggleList((all) => [...all.filter(({ name }) => name !== toggle.name), toggle]);
export const removeFromArchive = ({ name }: Toggle) =>
  patch(archivedFeatures, (response) => ({
    ...response,
    features: response.features.filter((one) => one.name !== name),
  }));
