// Forms that create and edit a context field.
import { useNavigate } from 'react-router-dom';
import { validateContextField } from '@/api/endpoints';
import type { ContextField } from '@/api/generated/types';
import { paths } from '@/paths';
import { useForm } from '@/shared/useForm';
import { useMergedSave } from '@/shared/useMergedSave';
import { fieldErrors, fieldInput, toField } from './rules';
import { useContextFieldWrites } from './useContextFields';

export function useContextFieldCreate() {
  const navigate = useNavigate();
  const { create } = useContextFieldWrites();
  const form = useForm({
    start: fieldInput(),
    rules: fieldErrors,
    save: async (input) => {
      await create(toField(input));
      void navigate(paths.contextFields());
    },
    idField: 'name',
  });
  return { form, checkName: () => void form.check('name', validateContextField) };
}

export function useContextFieldEdit(opened: ContextField) {
  const navigate = useNavigate();
  const { find, replace } = useContextFieldWrites();
  const save = useMergedSave({
    // Servers omit an empty list of legal values; without this it would differ from the form's empty list.
    opened: { ...opened, legalValues: opened.legalValues ?? [] },
    fetchCurrent: async () => {
      const stored = await find(opened.name);
      return stored && { ...stored, legalValues: stored.legalValues ?? [] };
    },
    replace,
    labels: {
      description: 'the description',
      legalValues: 'the legal values',
      stickiness: 'the stickiness',
      sortOrder: 'the sort order',
    },
  });
  const form = useForm({
    start: fieldInput(opened),
    rules: fieldErrors,
    save: async (input) => {
      await save({ ...opened, ...toField(input) });
      void navigate(paths.contextFields());
    },
  });
  return { form };
}
