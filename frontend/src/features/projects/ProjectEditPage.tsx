import type { Project } from '@/api/generated/types';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { useRouteParams } from '@/shared/useRouteParams';
import { Found } from '@/ui/Found';
import { PageHeader } from '@/ui/PageHeader';
import { NoProjects } from './components/NoProjects';
import { ProjectFields } from './components/ProjectFields';
import { useProjectEdit } from './useProjectForm';
import { useProjectList } from './useProjectList';

export function ProjectEditPage() {
  const { id = '' } = useRouteParams();
  const { projects, isNone, error, reload } = useProjectList();
  return (
    <>
      <PageHeader title={`Edit ${id}`} breadcrumb={<Breadcrumb within={sections.projects} here={id} />} />
      {isNone ? (
        <NoProjects />
      ) : (
        <Found
          key={id}
          noun="project"
          items={projects}
          is={(project) => project.id === id}
          error={error}
          onRetry={reload}
          missing={<ResourceNotFound title="Could not find the project" within={sections.projects} />}
        >
          {(project) => <Editor project={project} />}
        </Found>
      )}
    </>
  );
}

function Editor({ project }: { project: Project }) {
  const { form } = useProjectEdit(project);
  return (
    <Form form={form} submitLabel="Save" permission="UPDATE_PROJECT" cancel={paths.projects()}>
      <ProjectFields input={form.input} errors={form.errors} onChange={form.setInput} />
    </Form>
  );
}
