// Form for creating a toggle.
import { useLocation, useNavigate } from 'react-router-dom';
import { currentCapabilities } from '@/api/capabilities';
import { context, strategies, validateFeature } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { useProjects } from '@/api/reads';
import { resolveProject } from '@/domain/toggles/toggleList';
import { getNewToggleProject } from '@/domain/toggles/toggleListSettings';
import { paths } from '@/paths';
import { nameFromUrl } from '@/shared/nameFromUrl';
import { useForm } from '@/shared/useForm';
import { createToggleInput, getStickinessOptions, toToggleBody, validateStrategy } from '../saving/rules';
import { useToggleWrites } from '../saving/useToggleWrites';

export function useToggleForm() {
  const location = useLocation();
  const navigate = useNavigate();
  const { create } = useToggleWrites();
  const definitions = useRead(strategies).data?.strategies ?? [];
  const projects = useProjects();
  const form = useForm({
    start: createToggleInput(
      nameFromUrl(location),
      new URLSearchParams(location.search).get('project') ?? getNewToggleProject(),
    ),
    rules: ({ name, strategies: cards }) => ({
      name: name === '' ? 'Enter a name.' : undefined,
      strategies: cards.map((card) => validateStrategy(card, definitions)).find(Boolean),
    }),
    save: async (input) => {
      const toggle = { ...input, project: resolveProject(input.project, projects, 'default') };
      await create(toToggleBody(toggle, currentCapabilities().needsStrategy));
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
    stickiness: getStickinessOptions(useRead(context).data ?? []),
  };
}
