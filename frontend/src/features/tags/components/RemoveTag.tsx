import type { Tag } from '@/api/generated/types';
import { TogglesWithTags } from '@/domain/tags/TogglesWithTags';
import { formatTag } from '@/domain/tags/tags';
import { RemoveDialog } from '@/ui/RemoveDialog';
import { useTagWrites } from '../useTags';

interface Props {
  tag: Tag | undefined;
  open: boolean;
  onClose: () => void;
}

export function RemoveTag({ tag, open, onClose }: Props) {
  const { remove } = useTagWrites();
  return (
    <RemoveDialog
      open={open}
      noun="tag"
      name={tag && formatTag(tag)}
      onRemove={async () => {
        if (tag) await remove(tag);
      }}
      onClose={onClose}
    >
      will be removed from all toggles that have it. {open && tag && <TogglesWithTags tags={[tag]} />}
    </RemoveDialog>
  );
}
