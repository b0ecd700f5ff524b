import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { PageHeader } from '@/ui/PageHeader';
import { ProjectsUnsupported } from './components/NoProjects';
import { ProjectFields } from './components/ProjectFields';
import { useProjectCreate } from './useProjectForm';
import { useProjectList } from './useProjectList';

export function ProjectCreatePage() {
  const { form, checkId } = useProjectCreate();
  const { isUnsupported } = useProjectList();
  return (
    <>
      <PageHeader title="New project" breadcrumb={<Breadcrumb within={sections.projects} here="New project" />} />
      {isUnsupported ? (
        <ProjectsUnsupported />
      ) : (
        <Form form={form} submitLabel="Create" permission="CREATE_PROJECT" cancel={paths.projects()}>
          <ProjectFields input={form.input} errors={form.errors} onChange={form.setInput} checkId={checkId} />
        </Form>
      )}
    </>
  );
}
