// Reads and writes the tags of one toggle, which have their own endpoints.
import { featureEvents, featureTags, tagFeature, tags as tagsOfAll, tagTypes, untagFeature } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { offerUndo } from '@/api/notices';
import { assertTagAddressable, formatTag, isSameTag } from '@/domain/tags/tags';

export function useToggleTags(name: string) {
  const { data, error, reload } = useRead(featureTags(name));
  const { add, remove } = useTagWrites();
  // Some servers have no tags (404) or restrict reading them (403): show none.
  const isUnavailable = error?.status === 403 || error?.status === 404;
  return {
    tags: data?.tags,
    error: isUnavailable ? undefined : error,
    reload,
    add: (tag: Tag) => add(name, tag),
    remove: (tag: Tag) => remove(name, tag),
  };
}

/** Adds and removes tags of toggles. Both throw; with `inline`, a dialog shows the error. */
export function useTagWrites() {
  const { send } = useWrite();

  const change = (name: string, edit: (tags: Tag[]) => Tag[]) => [
    patch(featureTags(name), (response) => ({ ...response, tags: edit(response.tags) })),
  ];

  const put = (name: string, tag: Tag, inline: boolean) =>
    send(tagFeature(name), {
      body: tag,
      patches: () => change(name, (all) => [...all.filter((one) => !isSameTag(one, tag)), tag]),
      refreshes: [featureTags(name), featureEvents(name), tagsOfAll],
      inline,
    });

  const take = (name: string, tag: Tag, inline: boolean) =>
    send(untagFeature(name, tag), {
      patches: () => change(name, (all) => all.filter((one) => !isSameTag(one, tag))),
      refreshes: [featureTags(name), featureEvents(name)],
      inline,
    });

  async function add(name: string, tag: Tag, inline = true): Promise<void> {
    await put(name, tag, inline);
    offerUndo(`${name} tagged ${formatTag(tag)}.`, () => take(name, tag, false));
  }

  async function remove(name: string, tag: Tag, inline = true): Promise<void> {
    assertTagAddressable(tag);
    await take(name, tag, inline);
    offerUndo(`Tag ${formatTag(tag)} removed from ${name}.`, () => put(name, tag, false));
  }

  return { add, remove };
}

/** Reads the tag types and tags to choose from, once they are needed. */
export function useTagChoices(isNeeded: boolean) {
  const types = useRead(isNeeded ? tagTypes : null).data?.tagTypes;
  const known = useRead(isNeeded ? tagsOfAll : null).data?.tags;
  return { types: types ?? [], known: known ?? [] };
}
