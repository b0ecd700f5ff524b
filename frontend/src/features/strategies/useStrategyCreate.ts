// Form that creates a strategy definition.
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '@/paths';
import { nameFromUrl } from '@/shared/nameFromUrl';
import { useForm } from '@/shared/useForm';
import { createInput, type DefinitionInput, rowErrors, toDraft } from './definition';
import { useStrategyWrites } from './useStrategyWrites';

export function useStrategyCreate() {
  const location = useLocation();
  const navigate = useNavigate();
  const { create } = useStrategyWrites();
  return useForm<DefinitionInput>({
    start: createInput(nameFromUrl(location)),
    rules: ({ name, parameters }) => ({
      name: name === '' ? 'Enter a name.' : undefined,
      parameters: [...rowErrors(parameters).values()][0],
    }),
    save: async (input) => {
      await create(toDraft(input));
      void navigate(paths.strategies());
    },
    idField: 'name',
  });
}
