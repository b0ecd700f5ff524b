import { Folder } from 'lucide-react';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';

export function NoProjects() {
  return (
    <Card>
      <EmptyState icon={<Folder size={20} strokeWidth={1.75} aria-hidden="true" />} title="This server has no projects">
        All its toggles belong to the default one. To group them, give them tags.
      </EmptyState>
    </Card>
  );
}
