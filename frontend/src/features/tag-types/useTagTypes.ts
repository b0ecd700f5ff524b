// Reads and writes of tag types.
import { createTagType, deleteTagType, tags, tagTypes, updateTagType } from '@/api/endpoints';
import type { TagType } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { pushInfo } from '@/api/notices';

export function useTagTypes() {
  const { data, error, reload } = useRead(tagTypes);
  return { types: data?.tagTypes, error, reload };
}

/** Writes of tag types. They throw, and the calling form or dialog shows the error. */
export function useTagTypeWrites() {
  const { send, fetchFresh } = useWrite();
  const change = (edit: (types: TagType[]) => TagType[]) => [
    patch(tagTypes, (response) => ({ ...response, tagTypes: edit(response.tagTypes) })),
  ];
  return {
    async create(type: TagType): Promise<void> {
      await send(createTagType, { body: type, refreshes: [tagTypes], inline: true });
      pushInfo(`Tag type ${type.name} created.`);
    },
    /** Reads the stored tag type; undefined if it was removed. */
    async find(name: string): Promise<TagType | undefined> {
      return (await fetchFresh(tagTypes, { inline: true })).tagTypes.find((type) => type.name === name);
    },
    async replace(type: TagType): Promise<void> {
      await send(updateTagType(type.name), {
        body: type,
        patches: () => change((types) => types.map((one) => (one.name === type.name ? type : one))),
        refreshes: [tagTypes],
        inline: true,
      });
      pushInfo(`Tag type ${type.name} updated.`);
    },
    async remove({ name }: TagType): Promise<void> {
      await send(deleteTagType(name), {
        patches: () => change((types) => types.filter((one) => one.name !== name)),
        refreshes: [tagTypes, tags],
        inline: true,
      });
      pushInfo(`Tag type ${name} removed.`);
    },
  };
}
