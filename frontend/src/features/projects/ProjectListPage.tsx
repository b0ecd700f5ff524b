import { Folder } from 'lucide-react';
import { projects as call } from '@/api/endpoints';
import type { Project } from '@/api/generated/types';
import { useSubject } from '@/lib/useSubject';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { fullAddress } from '@/shared/CopyMenu';
import { CreateLink } from '@/shared/CreateLink';
import { Chip } from '@/ui/Chip';
import { EmptyState } from '@/ui/EmptyState';
import { ListBody } from '@/ui/ListBody';
import { PageHeader } from '@/ui/PageHeader';
import { NoProjects } from './components/NoProjects';
import { ProjectTable } from './components/ProjectTable';
import { RemoveProject } from './components/RemoveProject';
import { useProjectList } from './useProjectList';

export function ProjectListPage() {
  const { projects, isNone, error, reload } = useProjectList();
  const { subject, open, ask, close } = useSubject<Project>();
  return (
    <>
      <PageHeader
        title="Projects"
        count={projects?.length}
        mark={<Chip tone="accent">Beta</Chip>}
        actions={
          !isNone && (
            <>
              <CopyList
                items={projects}
                call={call}
                columns={[
                  {
                    head: 'Project',
                    text: ({ name }) => name,
                    address: ({ id }) => fullAddress(paths.editProject(id)),
                  },
                  { head: 'Id', text: ({ id }) => id },
                  { head: 'Description', text: ({ description }) => description },
                ]}
              />
              <CreateLink to={paths.createProject()} permission="CREATE_PROJECT" noun="project" />
            </>
          )
        }
      />
      {isNone ? (
        <NoProjects />
      ) : (
        <ListBody
          noun="projects"
          items={projects}
          error={error}
          onRetry={reload}
          empty={
            <EmptyState icon={<Folder size={20} strokeWidth={1.75} aria-hidden="true" />} title="No projects">
              A project holds toggles that one group of people looks after. Create one, then choose it on a toggle’s
              page.
            </EmptyState>
          }
        >
          {(items) => <ProjectTable projects={items} onRemove={ask} />}
        </ListBody>
      )}
      <RemoveProject project={subject} open={open} onClose={close} />
    </>
  );
}
