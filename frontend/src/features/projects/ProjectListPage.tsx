import { projects as call } from '@/api/endpoints';
import type { Project } from '@/api/generated/types';
import { useDialogSubject } from '@/lib/useDialogSubject';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { toAbsoluteUrl } from '@/shared/CopyMenu';
import { CreateLink } from '@/shared/CreateLink';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { Chip } from '@/ui/Chip';
import { PageHeader } from '@/ui/PageHeader';
import { NoProjects, ProjectsUnsupported } from './components/NoProjects';
import { ProjectTable } from './components/ProjectTable';
import { RemoveProject } from './components/RemoveProject';
import { useProjectList } from './useProjectList';

const textsOf = ({ id, name, description }: Project) => [id, name, description];

export function ProjectListPage() {
  const { projects, isUnsupported, error, reload } = useProjectList();
  const search = useListSearch(projects, textsOf);
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
              <CopyList
                items={search.shown}
                call={call}
                columns={[
                  {
                    header: 'Project',
                    text: ({ name }) => name,
                    href: ({ id }) => toAbsoluteUrl(paths.editProject(id)),
                  },
                  { header: 'Id', text: ({ id }) => id },
                  { header: 'Description', text: ({ description }) => description },
                ]}
              />
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
          by="name, id or description"
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
