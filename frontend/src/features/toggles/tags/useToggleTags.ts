// Reads and writes the tags of one toggle, which have their own endpoints.
import { featureTags, tags as tagsOfAll, tagTypes } from '@/api/endpoints';
import type { Tag } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useWrite } from '@/api/useWrite';
import { offerUndo } from '@/api/notices';
import { sendTag, sendUntag } from '@/domain/tags/tagWrites';
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
  const { send, fetchFresh } = useWrite();

  /** Undoes that a tag was added or removed, unless another user has done it since. */
  async function undo(name: string, tag: Tag, isAdded: boolean): Promise<void> {
    const { tags } = await fetchFresh(featureTags(name));
    if (tags.some((one) => isSameTag(one, tag)) !== isAdded)
      throw new Error(
        `Nothing to undo: ${name} ${isAdded ? 'no longer has' : 'has'} the tag ${formatTag(tag)}${isAdded ? '' : ' again'}.`,
      );
    await (isAdded ? sendUntag : sendTag)(send, name, tag, false);
  }

  async function add(name: string, tag: Tag, inline = true): Promise<void> {
    await sendTag(send, name, tag, inline);
    offerUndo(`${name} tagged ${formatTag(tag)}.`, () => undo(name, tag, true));
  }

  async function remove(name: string, tag: Tag, inline = true): Promise<void> {
    assertTagAddressable(tag);
    await sendUntag(send, name, tag, inline);
    offerUndo(`Tag ${formatTag(tag)} removed from ${name}.`, () => undo(name, tag, false));
  }

  return { add, remove };
}

/** Reads the tag types and tags to choose from, once they are needed. */
export function useTagChoices(isNeeded: boolean) {
  const types = useRead(isNeeded ? tagTypes : null).data?.tagTypes;
  const known = useRead(isNeeded ? tagsOfAll : null).data?.tags;
  return { types: types ?? [], known: known ?? [] };
}
