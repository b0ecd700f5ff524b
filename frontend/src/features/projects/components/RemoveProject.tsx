import { features } from '@/api/endpoints';
import type { Project } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { RemoveDialog } from '@/ui/RemoveDialog';
import { useProjectWrites } from '../useProjectList';

interface Props {
  project: Project | undefined;
  open: boolean;
  onClose: () => void;
}

export function RemoveProject({ project, open, onClose }: Props) {
  const { remove } = useProjectWrites();
  const { data } = useRead(open ? features : null);
  const count = data?.features.filter((toggle) => toggle.project === project?.id).length ?? 0;
  return (
    <RemoveDialog
      open={open}
      noun="project"
      name={project?.name}
      onRemove={async () => {
        if (project) await remove(project);
      }}
      onClose={onClose}
    >
      will be removed. Its archived toggles move to the default project.
      {count > 0 && ` It still has active toggles (${count}): archive them or move them to another project first.`}
    </RemoveDialog>
  );
}
