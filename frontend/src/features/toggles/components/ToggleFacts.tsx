import { Folder, Tag } from 'lucide-react';
import type { Toggle } from '@/api/generated/types';
import { useFeatureTypes, useProjects } from '@/api/reads';
import { Chip } from '@/ui/Chip';
import { Time } from '@/ui/Time';

export function ToggleFacts({ toggle }: { toggle: Toggle }) {
  const types = useFeatureTypes();
  const projects = useProjects();
  const project = projects.find(({ id }) => id === toggle.project);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2.5 text-muted text-secondary">
      <Chip icon={<Tag size={13} strokeWidth={1.75} aria-hidden="true" />}>
        {types.find(({ id }) => id === toggle.type)?.name ?? toggle.type}
      </Chip>
      {projects.length > 1 && (
        <Chip icon={<Folder size={13} strokeWidth={1.75} aria-hidden="true" />}>{project?.name ?? toggle.project}</Chip>
      )}
      <span>
        Created <Time value={toggle.createdAt} />
      </span>
      <span aria-hidden="true">·</span>
      <span>
        Last seen <Time value={toggle.lastSeenAt} />
      </span>
    </div>
  );
}
