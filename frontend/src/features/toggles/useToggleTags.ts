// The tags of one toggle: they are no part of it, and have calls of their own.
import { featureEvents, featureTags, tagFeature, tags as tagsOfAll, tagTypes, untagFeature } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { offerUndo } from '@/api/notices';
import { isSameTag, tagText } from '@/lib/tags';
import { checkRemovable } from '@/shared/checkRemovable';

export function useToggleTags(name: string) {
  const { data, error, reload } = useRead(featureTags(name));
  const { send } = useWrite();

  const change = (edit: (tags: Tag[]) => Tag[]) => [
    patch(featureTags(name), (answer) => ({ ...answer, tags: edit(answer.tags) })),
  ];

  const put = (tag: Tag, inline: boolean) =>
    send(tagFeature(name), {
      body: tag,
      patches: () => change((all) => [...all.filter((one) => !isSameTag(one, tag)), tag]),
      refreshes: [featureTags(name), featureEvents(name), tagsOfAll],
      inline,
    });

  const take = (tag: Tag, inline: boolean) =>
    send(untagFeature(name, tag), {
      patches: () => change((all) => all.filter((one) => !isSameTag(one, tag))),
      refreshes: [featureTags(name), featureEvents(name)],
      inline,
    });

  /** Throws: the dialog shows why. */
  async function add(tag: Tag): Promise<void> {
    await put(tag, true);
    offerUndo(`${name} tagged ${tagText(tag)}.`, () => take(tag, false));
  }

  /** Throws: the dialog shows why. */
  async function remove(tag: Tag): Promise<void> {
    checkRemovable(tag);
    await take(tag, true);
    offerUndo(`Tag ${tagText(tag)} removed from ${name}.`, () => put(tag, false));
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
