import { tags } from '@/api/endpoints';
import type { TagType } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { TogglesWithTags } from '@/shared/TogglesWithTags';
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
  const going = data?.tags.filter((tag) => tag.type === type?.name);
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
      goes, and all tags of this type with it. {going?.length === 0 && 'There are none.'}
      {going !== undefined && going.length > 0 && <TogglesWithTags tags={going} />}
    </RemoveDialog>
  );
}
