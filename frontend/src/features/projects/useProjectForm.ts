// Forms that create and edit a project.
import { useNavigate } from 'react-router-dom';
import { validateProject } from '@/api/endpoints';
import type { Project } from '@/api/generated/types';
import { paths } from '@/paths';
import { useForm } from '@/shared/useForm';
import { useMergedSave } from '@/shared/useMergedSave';
import { projectErrors, projectInput, toProject } from './rules';
import { useProjectWrites } from './useProjectList';

export function useProjectCreate() {
  const navigate = useNavigate();
  const { create } = useProjectWrites();
  const form = useForm({
    start: projectInput(),
    rules: projectErrors,
    save: async (input) => {
      await create(toProject(input));
      void navigate(paths.projects());
    },
    idField: 'id',
  });
  return { form, checkId: () => void form.check('id', validateProject) };
}

export function useProjectEdit(opened: Project) {
  const navigate = useNavigate();
  const { find, replace } = useProjectWrites();
  const save = useMergedSave({
    opened,
    fetchCurrent: () => find(opened.id),
    replace,
    labels: { name: 'the name', description: 'the description' },
  });
  const form = useForm({
    start: projectInput(opened),
    rules: projectErrors,
    save: async (input) => {
      await save({ ...opened, ...toProject(input) });
      void navigate(paths.projects());
    },
  });
  return { form };
}
