import { Folder } from 'lucide-react';
import { EmptyState } from '@/ui/EmptyState';

export function NoProjects() {
  return (
    <EmptyState icon={<Folder size={20} strokeWidth={1.75} aria-hidden="true" />} title="No projects">
      A project groups the toggles of a team. Create a project, then select it on a toggle’s page.
    </EmptyState>
  );
}
