import { Link } from 'react-router-dom';
import type { Project } from '@/api/generated/types';
import { needs, usePermission } from '@/api/permissions';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { useAddressParams } from '@/shared/useAddressParams';
import { buttonClass } from '@/ui/buttonClass';
import { Found } from '@/ui/Found';
import { Missing } from '@/ui/Missing';
import { PageHeader } from '@/ui/PageHeader';
import { NoProjects } from './components/NoProjects';
import { ProjectFields } from './components/ProjectFields';
import { useProjectEdit } from './useProjectForm';
import { useProjectList } from './useProjectList';

export function ProjectEditPage() {
  const { id = '' } = useAddressParams();
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
          missing={<Missing title="Could not find the project" actions={<AllProjects />} />}
        >
          {(project) => <Editor project={project} />}
        </Found>
      )}
    </>
  );
}

function AllProjects() {
  return (
    <Link to={paths.projects()} className={buttonClass()}>
      All projects
    </Link>
  );
}

function Editor({ project }: { project: Project }) {
  const { form } = useProjectEdit(project);
  const mayUpdate = usePermission('UPDATE_PROJECT');
  return (
    <Form
      form={form}
      submitLabel="Save"
      disabledReason={mayUpdate ? undefined : needs('UPDATE_PROJECT')}
      cancel={paths.projects()}
    >
      <ProjectFields input={form.input} errors={form.errors} onChange={form.setInput} />
    </Form>
  );
}
