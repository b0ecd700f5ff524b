// The tags of one toggle: they are no part of it, and have calls of their own.
import { eventsOf, tagFeature, tagsOf, tags as tagsOfAll, tagTypes, untagFeature } from '@/api/endpoints';
import { offerUndo } from '@/api/errorList';
import type { Tag } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { formatTag, isSameTag } from '@/lib/tags';
import { assertTagAddressable } from '@/shared/assertTagAddressable';

export function useToggleTags(name: string) {
  const { data, error, reload } = useRead(tagsOf(name));
  const { run } = useWrite();

  const change = (edit: (tags: Tag[]) => Tag[]) => [
    patch(tagsOf(name), (answer) => ({ ...answer, tags: edit(answer.tags) })),
  ];

  const put = (tag: Tag, inline: boolean) =>
    run(tagFeature(name), {
      body: tag,
      patches: () => change((all) => [...all.filter((one) => !isSameTag(one, tag)), tag]),
      refreshes: [tagsOf(name), eventsOf(name), tagsOfAll],
      inline,
    });

  const take = (tag: Tag, inline: boolean) =>
    run(untagFeature(name, tag), {
      patches: () => change((all) => all.filter((one) => !isSameTag(one, tag))),
      refreshes: [tagsOf(name), eventsOf(name)],
      inline,
    });

  /** Throws: the dialog shows why. */
  async function add(tag: Tag): Promise<void> {
    await put(tag, true);
    offerUndo(`${name} tagged ${formatTag(tag)}.`, () => take(tag, false));
  }

  /** Throws: the dialog shows why. */
  async function remove(tag: Tag): Promise<void> {
    assertTagAddressable(tag);
    await take(tag, true);
    offerUndo(`Tag ${formatTag(tag)} removed from ${name}.`, () => put(tag, false));
  }

  // Some servers know no tags, and some let only those read them who may change them: then there are none to show.
  const none = error?.status === 403 || error?.status === 404;
  return { tags: data?.tags, error: none ? undefined : error, reload, add, remove };
}

/** What a tag can be, read once somebody is about to add one. */
export function useTagChoices(wanted: boolean) {
  const types = useRead(wanted ? tagTypes : null).data?.tagTypes;
  const known = useRead(wanted ? tagsOfAll : null).data?.tags;
  return { types: types ?? [], known: known ?? [] };
}
