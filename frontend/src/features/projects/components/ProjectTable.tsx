import { features } from '@/api/endpoints';
import type { Project } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useDisabledReason } from '@/api/permissions';
import { paths } from '@/paths';
import { RowActions } from '@/shared/RowActions';
import { TextLink } from '@/shared/TextLink';
import { type Column, textColumn } from '@/ui/Column';
import { Count } from '@/ui/Count';
import { PlainTable } from '@/ui/PlainTable';
import { DEFAULT_PROJECT } from '../rules';

interface Props {
  projects: readonly Project[];
  onRemove: (project: Project) => void;
}

export const projectColumns: readonly Column<Project>[] = [
  textColumn('Name', ({ name }) => name, {
    width: '25%',
    cell: ({ id, name }) => <TextLink to={paths.editProject(id)}>{name}</TextLink>,
    copyHeader: 'Project',
    href: ({ id }) => paths.editProject(id),
  }),
  textColumn('Id', ({ id }) => id, { width: '20%', className: 'font-mono text-muted' }),
  textColumn('Description', ({ description }) => description, { className: 'text-muted' }),
  { header: 'Toggles', width: '7rem', cell: ({ id }) => <ToggleCount project={id} /> },
];

export function ProjectTable({ projects, onRemove }: Props) {
  const editDisabledReason = useDisabledReason('UPDATE_PROJECT');
  const removeDisabledReason = useDisabledReason('DELETE_PROJECT');
  return (
    <PlainTable
      label="Projects"
      columns={projectColumns}
      rows={projects}
      rowKey={({ id }) => id}
      actions={(project) => (
        <RowActions
          name={project.id}
          edit={{ to: paths.editProject(project.id), disabledReason: editDisabledReason }}
          removeDisabledReason={removeDisabledReason ?? defaultProjectReason(project)}
          onRemove={() => onRemove(project)}
        />
      )}
    />
  );
}

function defaultProjectReason({ id }: Project): string | undefined {
  return id === DEFAULT_PROJECT ? 'The default project cannot be removed.' : undefined;
}

function ToggleCount({ project }: { project: string }) {
  const toggles = useRead(features).data?.features;
  const count = toggles?.filter((toggle) => toggle.project === project).length;
  if (count === undefined) return null;
  return (
    <TextLink
      to={paths.togglesInProject(project)}
      tone="accent"
      className="max-sm:inline-flex max-sm:min-h-touch max-sm:items-center"
    >
      <Count value={count} noun="toggle" />
    </TextLink>
  );
}
