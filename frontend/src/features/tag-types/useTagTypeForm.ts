// Forms for creating and editing a tag type.
import { useNavigate } from 'react-router-dom';
import { validateTagType } from '@/api/endpoints';
import type { TagType } from '@/api/generated/types';
import { paths } from '@/paths';
import { useForm } from '@/shared/useForm';
import { useMergedSave } from '@/shared/useMergedSave';
import { type TagTypeInput, toTagType, toTagTypeInput } from './rules';
import { useTagTypeWrites } from './useTagTypes';

const rules = ({ name }: TagTypeInput) => ({ name: name === '' ? 'Enter a name.' : undefined });

export function useTagTypeCreate() {
  const navigate = useNavigate();
  const { create } = useTagTypeWrites();
  const form = useForm({
    start: toTagTypeInput(),
    rules,
    save: async (input) => {
      await create(toTagType(input));
      void navigate(paths.tagTypes());
    },
  });
  return { form, checkName: () => void form.check('name', validateTagType) };
}

export function useTagTypeEdit(opened: TagType) {
  const navigate = useNavigate();
  const { find, replace } = useTagTypeWrites();
  const save = useMergedSave({
    opened,
    fetchCurrent: () => find(opened.name),
    replace,
    labels: { description: 'the description', icon: 'the icon' },
  });
  const form = useForm({
    start: toTagTypeInput(opened),
    rules,
    save: async (input) => {
      await save({ ...opened, ...toTagType(input) });
      void navigate(paths.tagTypes());
    },
  });
  return { form };
}
