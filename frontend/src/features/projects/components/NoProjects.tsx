import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ProjectIcon } from '@/ui/icons';

const icon = <ProjectIcon size={20} />;

export function NoProjects() {
  return (
    <EmptyState icon={icon} title="No projects">
      A project groups the toggles of a team. Create a project, then select it on a toggle’s page.
    </EmptyState>
  );
}

/** Shown if the server does not support projects. */
export function ProjectsUnsupported() {
  return (
    <Card>
      <EmptyState icon={icon} title="This server does not support projects">
        All toggles belong to the default project. Use tags to group toggles.
      </EmptyState>
    </Card>
  );
}
