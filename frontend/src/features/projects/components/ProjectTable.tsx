import { Link } from 'react-router-dom';
import { features } from '@/api/endpoints';
import type { Project } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { usePermission } from '@/api/permissions';
import { formatCount } from '@/lib/formatCount';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { RowActions } from '@/shared/RowActions';
import { ColumnHeader } from '@/ui/ColumnHeader';
import { ActionColumn, PlainCell, PlainRow, PlainTable } from '@/ui/PlainTable';
import { DEFAULT_PROJECT } from '../rules';

interface Props {
  projects: readonly Project[];
  onRemove: (project: Project) => void;
}

export function ProjectTable({ projects, onRemove }: Props) {
  const editDisabledReason = usePermission('UPDATE_PROJECT');
  const removeDisabledReason = usePermission('DELETE_PROJECT');
  return (
    <PlainTable
      label="Projects"
      columns={
        <>
          <ColumnHeader className="w-1/4">Name</ColumnHeader>
          <ColumnHeader className="w-1/5">Id</ColumnHeader>
          <ColumnHeader>Description</ColumnHeader>
          <ColumnHeader className="w-28">Toggles</ColumnHeader>
          <ActionColumn />
        </>
      }
      rows={projects}
    >
      {(project) => (
        <PlainRow
          key={project.id}
          heading={
            <Link to={paths.editProject(project.id)} className="hover:text-accent hover:underline">
              {project.name}
            </Link>
          }
          actions={
            <RowActions
              name={project.id}
              edit={{ to: paths.editProject(project.id), disabledReason: editDisabledReason }}
              removeDisabledReason={removeDisabledReason ?? defaultProjectReason(project)}
              onRemove={() => onRemove(project)}
            />
          }
        >
          <PlainCell className="font-mono text-muted">{project.id}</PlainCell>
          <PlainCell className="text-muted">{project.description}</PlainCell>
          <PlainCell>
            <ToggleCount project={project.id} />
          </PlainCell>
        </PlainRow>
      )}
    </PlainTable>
  );
}

function defaultProjectReason({ id }: Project): string | undefined {
  return id === DEFAULT_PROJECT ? 'The default project cannot be removed.' : undefined;
}

function ToggleCount({ project }: { project: string }) {
  const locale = useLocale();
  const toggles = useRead(features).data?.features;
  const count = toggles?.filter((toggle) => toggle.project === project).length;
  if (count === undefined) return null;
  return (
    <Link
      to={paths.togglesInProject(project)}
      className="text-accent hover:underline max-sm:inline-flex max-sm:min-h-touch max-sm:items-center"
    >
      {formatCount(count, 'toggle', locale)}
    </Link>
  );
}
