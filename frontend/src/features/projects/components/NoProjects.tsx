import { Folder } from 'lucide-react';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';

const icon = <Folder size={20} strokeWidth={1.75} aria-hidden="true" />;

export function NoProjects() {
  return (
    <EmptyState icon={icon} title="No projects">
      A project holds toggles that one group of people looks after. Create one, then choose it on a toggle’s page.
    </EmptyState>
  );
}

/** Of a server that knows no projects but the default one. */
export function ProjectsUnsupported() {
  return (
    <Card>
      <EmptyState icon={icon} title="This server has no projects">
        All its toggles belong to the default one. To group them, give them tags.
      </EmptyState>
    </Card>
  );
}
