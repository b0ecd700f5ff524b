import type { ReactNode } from 'react';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ProjectIcon } from '@/ui/icons';
import { projectResource } from './projects';

/** Shows its content, or a panel if the server has only the default project. */
export function ProjectSupportBoundary({ children }: { children: ReactNode }) {
  return projectResource.useList().isUnsupported ? <ProjectsUnsupported /> : children;
}

export function ProjectsUnsupported() {
  return (
    <Card>
      <EmptyState icon={<ProjectIcon size={20} />} title="This server does not support projects">
        All toggles belong to the default project. Use tags to group toggles.
      </EmptyState>
    </Card>
  );
}
