// What a write tells about the lists that are already read, so that none is read again for one toggle.
import { archivedFeatures, features } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { patch } from '@/api/hooks';

export function changeList(edit: (toggles: Toggle[]) => Toggle[]) {
  return [patch(features, (answer) => ({ ...answer, features: edit(answer.features) }))];
}

export const replaceInList = (toggle: Toggle) =>
  changeList((all) => all.map((one) => (one.name === toggle.name ? toggle : one)));
export const seenInList = (name: string, lastSeenAt: string | null) => [
  patch(features, (answer) => {
    const isNew = answer.features.some((one) => one.name === name && one.lastSeenAt !== lastSeenAt);
    const see = (one: Toggle) => (one.name === name ? { ...one, lastSeenAt } : one);
    // The same answer draws nothing anew.
    return isNew ? { ...answer, features: answer.features.map(see) } : answer;
  }),
];
export const removeFromList = ({ name }: Toggle) => changeList((all) => all.filter((one) => one.name !== name));
export const addToList = (toggle: Toggle) =>
  changeList((all) => [...all.filter(({ name }) => name !== toggle.name), toggle]);
export const removeFromArchive = ({ name }: Toggle) =>
  patch(archivedFeatures, (answer) => ({ ...answer, features: answer.features.filter((one) => one.name !== name) }));
