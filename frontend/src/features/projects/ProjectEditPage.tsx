import type { Project } from '@/api/generated/types';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { useRouteParams } from '@/shared/useRouteParams';
import { ItemLoader } from '@/ui/ItemLoader';
import { PageHeader } from '@/ui/PageHeader';
import { ProjectsUnsupported } from './components/NoProjects';
import { ProjectFields } from './components/ProjectFields';
import { useProjectEdit } from './useProjectForm';
import { useProjectList } from './useProjectList';

export function ProjectEditPage() {
  const { id = '' } = useRouteParams();
  const { projects, isUnsupported, error, reload } = useProjectList();
  return (
    <>
      <PageHeader title={`Edit ${id}`} breadcrumb={<Breadcrumb within={sections.projects} here={id} />} />
      {isUnsupported ? (
        <ProjectsUnsupported />
      ) : (
        <ItemLoader
          key={id}
          noun="project"
          items={projects}
          matches={(project) => project.id === id}
          error={error}
          onRetry={reload}
          notFound={<ResourceNotFound title="Could not find the project" within={sections.projects} />}
        >
          {(project) => <ProjectForm project={project} />}
        </ItemLoader>
      )}
    </>
  );
}

function ProjectForm({ project }: { project: Project }) {
  const { form } = useProjectEdit(project);
  return (
    <Form form={form} submitLabel="Save" permission="UPDATE_PROJECT" cancel={paths.projects()}>
      <ProjectFields input={form.input} errors={form.errors} onChange={form.setInput} />
    </Form>
  );
}
