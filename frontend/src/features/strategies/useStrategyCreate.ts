// The form for a new strategy definition.
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '@/paths';
import { nameFromUrl } from '@/shared/nameFromUrl';
import { useForm } from '@/shared/useForm';
import { type DefinitionInput, draftOf, emptyInput, rowErrors } from './definition';
import { useStrategyWrites } from './useStrategyWrites';

export function useStrategyCreate() {
  const location = useLocation();
  const navigate = useNavigate();
  const { create } = useStrategyWrites();
  return useForm<DefinitionInput>({
    start: emptyInput(nameFromUrl(location)),
    rules: ({ name, parameters }) => ({
      name: name === '' ? 'Give the strategy a name.' : undefined,
      parameters: [...rowErrors(parameters).values()][0],
    }),
    save: async (input) => {
      await create(draftOf(input));
      void navigate(paths.strategies());
    },
    idField: 'name',
  });
}
