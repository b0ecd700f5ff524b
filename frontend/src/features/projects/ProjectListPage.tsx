import type { Project } from '@/api/generated/types';
import { useToggleList } from '@/api/toggles';
import { DEFAULT_PROJECT } from '@/domain/toggles/toggleListSettings';
import { paths, sections } from '@/paths';
import { EntityListPage } from '@/shared/EntityListPage';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import { type Column, textColumn } from '@/ui/Column';
import { Count } from '@/ui/Count';
import { EmptyState } from '@/ui/EmptyState';
import { ProjectIcon } from '@/ui/icons';
import { ProjectsUnsupported } from './ProjectSupportBoundary';
import { projectResource } from './projects';

const columns: readonly Column<Project>[] = [
  textColumn('Name', ({ name }) => name, {
    width: '22%',
    cell: ({ id, name }) => <TextLink to={paths.editProject(id)}>{name}</TextLink>,
  }),
  textColumn('Id', ({ id }) => id, { width: '16%', className: 'font-mono text-muted' }),
  textColumn('Description', ({ description }) => description, { className: 'text-muted' }),
  { header: 'Toggles', width: '6rem', cell: ({ id }) => <ToggleCount project={id} /> },
];

export function ProjectListPage() {
  return (
    <EntityListPage
      resource={projectResource}
      title={sections.projects.label}
      within={sections.toggles}
      columns={columns}
      nameOf={({ id }) => id}
      create={{ to: paths.createProject(), permission: 'CREATE_PROJECT' }}
      edit={{ to: ({ id }) => paths.editProject(id), permission: 'UPDATE_PROJECT' }}
      remove={{
        permission: 'DELETE_PROJECT',
        disabledReason: ({ id }) => (id === DEFAULT_PROJECT ? 'The default project cannot be removed.' : undefined),
        describe: ({ id, name }) => ({ name, consequences: <Consequences project={id} /> }),
      }}
      mark={<Chip tone="accent">Beta</Chip>}
      empty={
        <EmptyState icon={<ProjectIcon size={20} />} title="No projects">
          A project groups the toggles of a team. Create a project, then select it on a toggle’s page.
        </EmptyState>
      }
      unsupported={<ProjectsUnsupported />}
    />
  );
}

function ToggleCount({ project }: { project: string }) {
  const count = useToggleCount(project);
  if (count === undefined) return null;
  return (
    <TextLink
      to={paths.togglesInProject(project)}
      tone="accent"
      className="max-sm:relative max-sm:after:absolute max-sm:after:-inset-x-2 max-sm:after:-inset-y-3"
    >
      <Count value={count} noun="toggle" />
    </TextLink>
  );
}

function Consequences({ project }: { project: string }) {
  const count = useToggleCount(project) ?? 0;
  return (
    <>
      will be removed. Its archived toggles move to the default project.
      {count > 0 && ` It still has active toggles (${count}): archive them or move them to another project first.`}
    </>
  );
}

/** Number of active toggles; undefined while loading. */
function useToggleCount(project: string): number | undefined {
  return useToggleList().data?.features.filter((toggle) => toggle.project === project).length;
}
