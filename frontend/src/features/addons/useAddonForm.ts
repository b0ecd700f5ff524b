// Forms that create and edit an addon.
import { useNavigate } from 'react-router-dom';
import type { Addon, AddonProvider } from '@/api/generated/types';
import { pushInfo } from '@/api/notices';
import { paths } from '@/paths';
import { useMergedSave } from '@/shared/saveMerged';
import { useForm } from '@/shared/useForm';
import { addonResource } from './addons';
import { addonErrors, addonInput, toAddonDraft } from './rules';

export function useAddonCreate(provider: AddonProvider) {
  const navigate = useNavigate();
  const create = addonResource.useCreate();
  return useForm({
    start: addonInput(),
    rules: (input) => addonErrors(input, provider, true),
    save: async (input) => {
      await create(toAddonDraft(provider.name, input));
      pushInfo(`Addon ${provider.displayName} created.`);
      void navigate(paths.addons());
    },
  });
}

export function useAddonEdit(addon: Addon, provider: AddonProvider, name: string) {
  const navigate = useNavigate();
  const { find, replace } = addonResource.useReplace();
  const titles = provider.parameters.map((parameter) => [`parameters.${parameter.name}`, parameter.displayName]);
  const save = useMergedSave({
    fetchCurrent: async () => {
      const latest = await find(addon.id);
      return latest && { ...latest, item: flatten(latest.item) };
    },
    replace: (flat, { tag }) => replace(unflatten(flat), tag),
    labels: {
      enabled: 'whether it is enabled',
      description: 'the description',
      events: 'the events',
      ...Object.fromEntries(titles),
    },
  });
  return useForm({
    start: addonInput(addon),
    base: addon,
    rules: (input) => addonErrors(input, provider, false),
    save: async (input, opened) => {
      await save(flatten(opened), flatten({ ...opened, ...toAddonDraft(opened.provider, input, opened.parameters) }));
      pushInfo(`Addon ${name} updated.`);
      void navigate(paths.addons());
    },
  });
}

// An addon with its parameters as top-level fields, so that edits of different parameters can be merged.

type FlatAddon = { [field: string]: unknown };

const PREFIX = 'parameters.';

export function flatten({ parameters, ...rest }: Addon): FlatAddon {
  const parameterFields = Object.entries(parameters).map(([name, value]) => [PREFIX + name, value]);
  return { ...rest, ...Object.fromEntries(parameterFields) };
}

export function unflatten(flat: FlatAddon): Addon {
  const isParameter = (field: string) => field.startsWith(PREFIX);
  const fields = Object.entries(flat).filter(([field]) => !isParameter(field));
  const parameters = Object.entries(flat).flatMap(([field, value]) =>
    isParameter(field) ? [[field.slice(PREFIX.length), value]] : [],
  );
  return { ...Object.fromEntries(fields), parameters: Object.fromEntries(parameters) } as Addon;
}
