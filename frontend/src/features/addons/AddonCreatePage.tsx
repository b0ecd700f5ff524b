import type { AddonProvider } from '@/api/generated/types';
import { paths, sections } from '@/paths';
import { Form } from '@/shared/Form';
import { FormPage } from '@/shared/FormPage';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { useRouteParams } from '@/shared/useRouteParams';
import { ItemLoader } from '@/ui/ItemLoader';
import { AddonFields } from './AddonFields';
import { useAddons } from './addons';
import { useAddonCreate } from './useAddonForm';

export function AddonCreatePage() {
  const { provider: name = '' } = useRouteParams();
  const { providers, error, reload } = useAddons();
  const title = providers?.find((provider) => provider.name === name)?.displayName ?? name;
  return (
    <FormPage title={`Configure ${title}`} within={sections.addons}>
      <ItemLoader
        noun="provider"
        id={name}
        item={providers?.find((provider) => provider.name === name)}
        isLoaded={providers !== undefined}
        error={error}
        reload={reload}
        notFound={<ResourceNotFound title="Provider not found" within={sections.addons} />}
      >
        {(provider) => <AddonForm provider={provider} />}
      </ItemLoader>
    </FormPage>
  );
}

function AddonForm({ provider }: { provider: AddonProvider }) {
  const form = useAddonCreate(provider);
  return (
    <Form form={form} isNew submitLabel="Create" permission="CREATE_ADDON" cancel={paths.addons()}>
      <AddonFields {...form.fields} provider={provider} isNew />
    </Form>
  );
}
