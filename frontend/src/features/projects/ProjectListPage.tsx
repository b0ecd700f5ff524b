import { projects as call } from '@/api/endpoints';
import type { Project } from '@/api/generated/types';
import { useDialogSubject } from '@/lib/useDialogSubject';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { CreateLink } from '@/shared/CreateLink';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { Chip } from '@/ui/Chip';
import { PageHeader } from '@/ui/PageHeader';
import { NoProjects, ProjectsUnsupported } from './components/NoProjects';
import { ProjectTable, projectColumns } from './components/ProjectTable';
import { RemoveProject } from './components/RemoveProject';
import { useProjectList } from './useProjectList';

export function ProjectListPage() {
  const { projects, isUnsupported, error, reload } = useProjectList();
  const search = useListSearch(projects, projectColumns);
  const { subject, open, ask, close } = useDialogSubject<Project>();
  return (
    <>
      <PageHeader
        title="Projects"
        count={projects?.length}
        mark={<Chip tone="accent">Beta</Chip>}
        actions={
          !isUnsupported && (
            <>
              <CopyList items={search.shown} call={call} columns={projectColumns} />
              <CreateLink to={paths.createProject()} permission="CREATE_PROJECT" noun="project" />
            </>
          )
        }
      />
      {isUnsupported ? (
        <ProjectsUnsupported />
      ) : (
        <SearchableList
          nouns={['project', 'projects']}
          search={search}
          error={error}
          onRetry={reload}
          empty={<NoProjects />}
        >
          {(shown) => <ProjectTable projects={shown} onRemove={ask} />}
        </SearchableList>
      )}
      <RemoveProject project={subject} open={open} onClose={close} />
    </>
  );
}
