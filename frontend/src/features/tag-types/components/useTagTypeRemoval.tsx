import { tags } from '@/api/endpoints';
import type { TagType } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { TogglesWithTags } from '@/shared/TogglesWithTags';
import { useRemoval } from '@/shared/useRemoval';
import { tagTypes } from '../tagTypes';

export function useTagTypeRemoval() {
  return useRemoval(tagTypes, (type) => ({ name: type.name, consequences: <Consequences type={type} /> }));
}

function Consequences({ type: { name } }: { type: TagType }) {
  const { data } = useRead(tags);
  const removedTags = data?.tags.filter((tag) => tag.type === name);
  return (
    <>
      and all its tags will be removed. {removedTags?.length === 0 && 'It has no tags.'}
      {removedTags !== undefined && removedTags.length > 0 && <TogglesWithTags tags={removedTags} />}
    </>
  );
}
