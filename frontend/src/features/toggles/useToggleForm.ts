// The form for a new toggle: what was typed, what it needs to know of the server, and the way to it once it exists.
import { useLocation, useNavigate } from 'react-router-dom';
import { context, strategies, validateFeature } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { useProjects } from '@/api/reads';
import { resolveProject } from '@/lib/toggleList';
import { getNewToggleProject } from '@/lib/toggleListSettings';
import { paths } from '@/paths';
import { nameFromUrl } from '@/shared/nameFromUrl';
import { useForm } from '@/shared/useForm';
import { emptyForm, stickinessOptions, strategyError, toBody } from './rules';
import { useToggleWrites } from './useToggleWrites';

export function useToggleForm() {
  const location = useLocation();
  const navigate = useNavigate();
  const { create } = useToggleWrites();
  const definitions = useRead(strategies).data?.strategies ?? [];
  const projects = useProjects();
  const form = useForm({
    start: emptyForm(
      nameFromUrl(location),
      new URLSearchParams(location.search).get('project') ?? getNewToggleProject(),
    ),
    rules: ({ name, strategies: cards }) => ({
      name: name === '' ? 'Give the toggle a name.' : undefined,
      strategies: cards.map((card) => strategyError(card, definitions)).find(Boolean),
    }),
    save: async (input) => {
      await create(toBody({ ...input, project: resolveProject(input.project, projects, 'default') }));
      void navigate(paths.toggle(input.name));
    },
    idField: 'name',
  });
  return {
    form,
    input: { ...form.input, project: resolveProject(form.input.project, projects, 'default') },
    checkName: () => void form.check('name', validateFeature),
    projects,
    definitions,
    stickiness: stickinessOptions(useRead(context).data ?? []),
  };
}
