// The tags of one toggle: they are no part of it, and have calls of their own.
import { eventsOf, tagFeature, tagsOf, tags as tagsOfAll, tagTypes, untagFeature } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { isSameTag } from './tags';

export function useToggleTags(name: string) {
  const { data, error, reload } = useRead(tagsOf(name));
  const { run } = useWrite();

  const change = (edit: (tags: Tag[]) => Tag[]) => [
    patch(tagsOf(name), (answer) => ({ ...answer, tags: edit(answer.tags) })),
  ];

  /** Throws: the dialog shows why. */
  async function add(tag: Tag): Promise<void> {
    await run(tagFeature(name), {
      body: tag,
      patches: () => change((all) => [...all.filter((one) => !isSameTag(one, tag)), tag]),
      refreshes: [tagsOf(name), eventsOf(name), tagsOfAll],
      inline: true,
    });
  }

  /** Throws: the dialog shows why. */
  async function remove(tag: Tag): Promise<void> {
    await run(untagFeature(name, tag), {
      patches: () => change((all) => all.filter((one) => !isSameTag(one, tag))),
      refreshes: [tagsOf(name), eventsOf(name)],
      inline: true,
    });
  }

  // Servers let only those read the tags who may change them: for the others there are none.
  return { tags: data?.tags, error: error?.status === 403 ? undefined : error, reload, add, remove };
}

/** What a tag can be, read once somebody is about to add one. */
export function useTagChoices(wanted: boolean) {
  const types = useRead(wanted ? tagTypes : null).data?.tagTypes;
  const known = useRead(wanted ? tagsOfAll : null).data?.tags;
  return { types: types ?? [], known: known ?? [] };
}
