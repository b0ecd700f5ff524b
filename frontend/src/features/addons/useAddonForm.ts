// Forms that create and edit an addon.

import type { Addon, AddonProvider } from '@/api/generated/types';
import { pushInfo } from '@/api/notices';
import { getParameterLabel } from '@/domain/strategies/strategyNames';
import { mergeKeys } from '@/lib/merge';
import { paths } from '@/paths';
import { useOpenPage } from '@/shared/navigation';
import { useForm } from '@/shared/useForm';
import { useMergedSave } from '@/shared/useMergedSave';
import { addonResource } from './addons';
import { addonErrors, addonInput, toAddonDraft } from './rules';

export function useAddonCreate(provider: AddonProvider) {
  const open = useOpenPage();
  const create = addonResource.useCreate();
  return useForm({
    start: addonInput(),
    rules: (input) => addonErrors(input, provider, true),
    save: async (input) => {
      await create(toAddonDraft(provider.name, input));
      pushInfo(`Addon ${provider.displayName} created.`);
    },
    onSaved: () => void open(paths.addons()),
  });
}

export function useAddonEdit(addon: Addon, provider: AddonProvider, name: string) {
  const open = useOpenPage();
  const { find, replace } = addonResource.useReplace();
  const { save, conflict } = useMergedSave<Addon>({
    noun: 'addon',
    id: String(addon.id),
    name,
    eventType: 'addon-config',
    rules: {
      labelOf: getParameterLabel,
      fields: { parameters: mergeParameters(provider) },
    },
    find: () => find(addon.id),
    replace: (merged, { tag }) => replace(merged, tag),
  });
  const form = useForm({
    start: addonInput(addon),
    base: addon,
    rules: (input) => addonErrors(input, provider, false),
    save: async (input, opened) => {
      const draft = toAddonDraft(opened.provider, input, opened.parameters);
      const isSaved = await save(opened, { ...opened, ...draft });
      if (!isSaved) return false;
      pushInfo(`Addon ${name} updated.`);
      return true;
    },
    onSaved: () => void open(paths.addons()),
  });
  return { form, conflict };
}

/** Merges parameters one by one. */
function mergeParameters({ parameters }: AddonProvider) {
  return mergeKeys<Addon['parameters']>(
    'parameters.',
    (key) => parameters.find(({ name }) => name === key)?.displayName ?? key,
  );
}
