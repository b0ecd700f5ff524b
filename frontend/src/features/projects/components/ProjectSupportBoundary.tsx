import { Folder } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { projects } from '../projects';

/** Shows its content, or a panel if the server has only the default project. */
export function ProjectSupportBoundary({ children }: { children: ReactNode }) {
  if (!projects.useList().isUnsupported) return children;
  return (
    <Card>
      <EmptyState
        icon={<Folder size={20} strokeWidth={1.75} aria-hidden="true" />}
        title="This server does not support projects"
      >
        All toggles belong to the default project. Use tags to group toggles.
      </EmptyState>
    </Card>
  );
}
