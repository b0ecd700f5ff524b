// Pages that create and edit a project.
import type { Project } from '@/api/generated/types';
import { sections } from '@/paths';
import { CreateForm, EditForm } from '@/shared/EntityForms';
import type { EditableEntity } from '@/shared/entity';
import { FormPage } from '@/shared/FormPage';
import { useRouteParams } from '@/shared/useRouteParams';
import { ProjectFields } from './components/ProjectFields';
import { ProjectSupportBoundary } from './components/ProjectSupportBoundary';
import { projects } from './projects';
import { type ProjectInput, projectForm, projectLabels } from './rules';

const project: EditableEntity<Project, ProjectInput> = {
  resource: projects,
  section: sections.projects,
  createPermission: 'CREATE_PROJECT',
  updatePermission: 'UPDATE_PROJECT',
  form: projectForm,
  labels: projectLabels,
  Fields: ProjectFields,
};

export function ProjectCreatePage() {
  return (
    <FormPage title="New project" within={sections.projects}>
      <ProjectSupportBoundary>
        <CreateForm entity={project} />
      </ProjectSupportBoundary>
    </FormPage>
  );
}

export function ProjectEditPage() {
  const { id = '' } = useRouteParams();
  return (
    <FormPage title={`Edit ${id}`} here={id} within={sections.projects}>
      <ProjectSupportBoundary>
        <EditForm entity={project} id={id} />
      </ProjectSupportBoundary>
    </FormPage>
  );
}
