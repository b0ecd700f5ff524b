// Pages that create and edit a project.
import type { Project } from '@/api/generated/types';
import { sections } from '@/paths';
import { CreateForm, EditForm } from '@/shared/EntityForms';
import type { EditableEntity, FieldsProps } from '@/shared/entity';
import { FormPage } from '@/shared/FormPage';
import { bindFields } from '@/shared/useForm';
import { useRouteParams } from '@/shared/useRouteParams';
import { Card } from '@/ui/Card';
import { NameField } from '@/ui/NameField';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { ProjectSupportBoundary } from './ProjectSupportBoundary';
import { type ProjectInput, projectForm, projectLabels, projectResource } from './projects';

const projectEntity: EditableEntity<Project, ProjectInput> = {
  resource: projectResource,
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
        <CreateForm entity={projectEntity} />
      </ProjectSupportBoundary>
    </FormPage>
  );
}

export function ProjectEditPage() {
  const { id = '' } = useRouteParams();
  return (
    <FormPage title={`Edit ${id}`} within={sections.projects}>
      <ProjectSupportBoundary>
        <EditForm entity={projectEntity} id={id} />
      </ProjectSupportBoundary>
    </FormPage>
  );
}

function ProjectFields({ isExisting, onCheckId, ...fields }: FieldsProps<ProjectInput>) {
  const bind = bindFields(fields);
  return (
    <Card>
      <div className="grid gap-4">
        <NameField
          label="Project id"
          placeholder="url-friendly-unique-id"
          help={isExisting ? 'The id cannot be changed: toggles refer to it.' : 'It cannot be changed later.'}
          isReadOnly={isExisting}
          {...bind('id')}
          onBlur={onCheckId}
        />
        <TextField label="Name" required autoComplete="off" {...bind('name')} />
        <TextArea label="Description" rows={2} {...bind('description')} />
      </div>
    </Card>
  );
}
