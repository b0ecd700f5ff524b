import { projects as call } from '@/api/endpoints';
import type { Project } from '@/api/generated/types';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { toAbsoluteUrl } from '@/shared/CopyMenu';
import { CreateLink } from '@/shared/CreateLink';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { Chip } from '@/ui/Chip';
import { PageHeader } from '@/ui/PageHeader';
import { NoProjects } from './components/NoProjects';
import { ProjectSupportBoundary } from './components/ProjectSupportBoundary';
import { ProjectTable } from './components/ProjectTable';
import { useProjectRemoval } from './components/useProjectRemoval';
import { projects } from './projects';

const textsOf = ({ id, name, description }: Project) => [id, name, description];

export function ProjectListPage() {
  const { items, isUnsupported, error, reload } = projects.useList();
  const search = useListSearch(items, textsOf);
  const removal = useProjectRemoval();
  return (
    <>
      <PageHeader
        title="Projects"
        count={items?.length}
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
      <ProjectSupportBoundary>
        <SearchableList
          nouns={['project', 'projects']}
          by="name, id or description"
          search={search}
          error={error}
          onRetry={reload}
          empty={<NoProjects />}
        >
          {(shown) => <ProjectTable projects={shown} onRemove={removal.ask} />}
        </SearchableList>
      </ProjectSupportBoundary>
      {removal.dialog}
    </>
  );
}
