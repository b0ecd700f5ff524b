// Reads and writes the tags of one toggle, which have their own endpoints.
import { featureEvents, featureTags, tagFeature, tags as tagsOfAll, tagTypes, untagFeature } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { offerUndo } from '@/api/notices';
import { assertTagAddressable, formatTag, isSameTag } from '@/domain/tags/tags';

export function useToggleTags(name: string) {
  const { data, error, reload } = useRead(featureTags(name));
  // Some servers have no tags (404) or restrict reading them (403): show none.
  const isUnavailable = error?.status === 403 || error?.status === 404;
  return { tags: data?.tags, error: isUnavailable ? undefined : error, reload, ...useTagWrites(name) };
}

export function useTagWrites(name: string) {
  const { send } = useWrite();

  const change = (edit: (tags: Tag[]) => Tag[]) => [
    patch(featureTags(name), (response) => ({ ...response, tags: edit(response.tags) })),
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

  /** Adds a tag. Throws; with `inline`, a dialog shows the error. */
  async function add(tag: Tag, inline = true): Promise<void> {
    await put(tag, inline);
    offerUndo(`${name} tagged ${formatTag(tag)}.`, () => take(tag, false));
  }

  /** Removes a tag. Throws; with `inline`, a dialog shows the error. */
  async function remove(tag: Tag, inline = true): Promise<void> {
    assertTagAddressable(tag);
    await take(tag, inline);
    offerUndo(`Tag ${formatTag(tag)} removed from ${name}.`, () => put(tag, false));
  }

  return { add, remove };
}

/** Reads the tag types and tags to choose from, once they are needed. */
export function useTagChoices(isNeeded: boolean) {
  const types = useRead(isNeeded ? tagTypes : null).data?.tagTypes;
  const known = useRead(isNeeded ? tagsOfAll : null).data?.tags;
  return { types: types ?? [], known: known ?? [] };
}
