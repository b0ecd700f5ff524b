import { features } from '@/api/endpoints';
import type { Project } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useRemoval } from '@/shared/useRemoval';
import { projects } from '../projects';

export function useProjectRemoval() {
  return useRemoval(projects, (project) => ({
    name: project.name,
    consequences: <Consequences project={project} />,
  }));
}

function Consequences({ project: { id } }: { project: Project }) {
  const { data } = useRead(features);
  const count = data?.features.filter((toggle) => toggle.project === id).length ?? 0;
  return (
    <>
      will be removed. Its archived toggles move to the default project.
      {count > 0 && ` It still has active toggles (${count}): archive them or move them to another project first.`}
    </>
  );
}
