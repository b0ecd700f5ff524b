// Form for creating a tag.
import { useNavigate } from 'react-router-dom';
import { tagTypes } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { DEFAULT_TAG_TYPE, toTag, validateTagValue } from '@/domain/tags/tags';
import { paths } from '@/paths';
import { useForm } from '@/shared/useForm';
import { useTagWrites } from './useTags';

export function useTagForm() {
  const navigate = useNavigate();
  const { create } = useTagWrites();
  const form = useForm({
    start: { type: DEFAULT_TAG_TYPE, value: '' },
    rules: ({ value }) => ({ value: validateTagValue(value) }),
    save: async ({ type, value }) => {
      await create(toTag(type, value));
      void navigate(paths.tags());
    },
  });
  return { form, types: useRead(tagTypes).data?.tagTypes ?? [] };
}
