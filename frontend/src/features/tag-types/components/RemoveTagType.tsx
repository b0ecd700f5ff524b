import { tags } from '@/api/endpoints';
import type { TagType } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { TogglesWithTags } from '@/domain/tags/TogglesWithTags';
import { RemoveDialog } from '@/ui/RemoveDialog';
import { useTagTypeWrites } from '../useTagTypes';

interface Props {
  type: TagType | undefined;
  open: boolean;
  onClose: () => void;
}

export function RemoveTagType({ type, open, onClose }: Props) {
  const { remove } = useTagTypeWrites();
  const { data } = useRead(open ? tags : null);
  const removedTags = data?.tags.filter((tag) => tag.type === type?.name);
  return (
    <RemoveDialog
      open={open}
      noun="tag type"
      name={type?.name}
      onRemove={async () => {
        if (type) await remove(type);
      }}
      onClose={onClose}
    >
      and all its tags will be removed. {removedTags?.length === 0 && 'It has no tags.'}
      {removedTags !== undefined && removedTags.length > 0 && <TogglesWithTags tags={removedTags} />}
    </RemoveDialog>
  );
}
