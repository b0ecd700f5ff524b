// Form for copying a toggle.
import { useNavigate } from 'react-router-dom';
import { currentCapabilities } from '@/api/capabilities';
import { copyFeature, validateFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { paths } from '@/paths';
import { useForm } from '@/shared/useForm';
import { copyToggle } from '../saving/toggleEdits';
import { useToggleWrites } from '../saving/useToggleWrites';

export function useToggleCopy(source: Toggle) {
  const navigate = useNavigate();
  const { create } = useToggleWrites();
  const form = useForm({
    start: { name: '', replaceGroupId: true },
    rules: ({ name }) => ({ name: name === '' ? 'Enter a name.' : undefined }),
    save: async ({ name, replaceGroupId }) => {
      const call = currentCapabilities().copiesEnvironments ? copyFeature(source.name, replaceGroupId) : undefined;
      await create(copyToggle(source, name, replaceGroupId), call);
      void navigate(paths.toggle(name));
    },
    idField: 'name',
  });
  const { input, setInput } = form;
  return {
    form,
    setName: (name: string) => setInput({ ...input, name }),
    setReplaceGroupId: (replaceGroupId: boolean) => setInput({ ...input, replaceGroupId }),
    checkName: () => void form.check('name', validateFeature),
  };
}
